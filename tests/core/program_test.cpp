// Banks whose rows read each other: what they mean, and what is wrong with those that mean nothing.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/formula/composed_formula.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/program_stages.h"
#include "core/filter/program/program_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

FilterBank programBank(const std::vector<std::string>& specs) {
  FilterBank bank;
  for (const std::string& spec : specs) bank.filters.push_back(parseFilterSpec(spec));
  return bank;
}

FilterProgram programOfSpecs(const std::vector<std::string>& specs) {
  return makeProgram(programBank(specs), {}, false);
}

}  // namespace

TEST_CASE("a bank without arrows is plain", "[program][unit]") {
  const FilterProgram program = programOfSpecs({"gaussian:name=a", "sobel:name=b", "gaussian:name=c"});
  CHECK(program.plain());
  CHECK(program.nodes.size() == 3);
  CHECK(bankWorkload(programBank({"gaussian"}), {ElementType::u8, {4, 4, 4, 1}}, {}, false)->name() == "filter");
}

TEST_CASE("rows read earlier rows by their names", "[program][unit]") {
  const FilterProgram program =
      programOfSpecs({"gaussian:name=s,intermediate=true", "sobel:input=s,name=g", "box:input=source,name=b"});
  REQUIRE(program.nodes.size() == 3);
  CHECK_FALSE(program.plain());
  CHECK(program.nodes[0].inputs == std::vector{kSource});
  CHECK(program.nodes[1].inputs == std::vector<std::size_t>{0});
  CHECK(program.nodes[2].inputs == std::vector{kSource});
  REQUIRE(program.outputs.size() == 2);
  CHECK(program.outputs[0].name == "g");
  CHECK(program.outputs[1].node == 2);
  const FilterBank bank = programBank({"gaussian:name=s,intermediate=true", "sobel:input=s,name=g"});
  CHECK(makeProgram(bank, {}, true).outputs.size() == 2);
}

TEST_CASE("arrows that lead nowhere are one sentence about their row", "[program][unit]") {
  const auto wrong = [](std::vector<std::string> specs, const char* words) {
    INFO(words);
    CHECK_THROWS_WITH(programOfSpecs(specs), ContainsSubstring(words));
  };
  wrong({"sobel:name=g,input=s"}, "the filter g reads s, and there is no row of this name");
  wrong({"sobel:name=g,input=s", "gaussian:name=s"}, "which is below it");
  wrong({"sobel:name=g,input=g"}, "which is itself");
  wrong({"box:name=a", "box:name=a", "sobel:name=g,input=a"}, "which is the name of 2 rows");
  wrong({"box:name=source", "sobel:name=g,input=source"}, "the name of both the data and a row");
  wrong({"box:name=a", "box:name=b", "sobel:name=g,inputs=a;b"}, "names 2 inputs, and sobel reads 1");
  wrong({"box:name=a", "guided:name=g,input=a"}, "names 1 input, and guided reads 2");
  wrong({"gaussian:name=a,intermediate=true"}, "all filters of the bank are intermediate");
  FilterBank bank = programBank({"gaussian:name=s", "sobel:name=g,input=s"});
  bank.filters[0].enabled = false;
  CHECK_THROWS_WITH(makeProgram(bank, {}, false), ContainsSubstring("which is disabled"));
  CHECK_THROWS_WITH(parseFilterSpec("sobel:input=a,inputs=b"), ContainsSubstring("input as well as inputs"));
  CHECK_THROWS_WITH(parseFilterSpec("sobel:inputs=a;"), ContainsSubstring("an input has no name"));
}

TEST_CASE("a row that reads one left out is left out as well", "[program][unit]") {
  const Volume image = test::randomVolume({8, 8, 1, 1}, ElementType::f32, 1);
  const FittingBank fitting =
      fittingBank(programBank({"sobel:axis=z,name=z", "gaussian:input=z,name=s", "box:name=b"}), image);
  REQUIRE(fitting.bank.filters.size() == 1);
  CHECK(fitting.bank.filters[0].name == "b");
  REQUIRE(fitting.leftOut.size() == 2);
  CHECK(fitting.leftOut[1].place == 1);
  CHECK_THAT(fitting.leftOut[1].reason, ContainsSubstring("reads z, which cannot be computed"));
}

TEST_CASE("arrows are kept in JSON and in words, and old banks mean what they meant", "[program][unit]") {
  const FilterBank bank =
      programBank({"gaussian:sigma=2,name=smooth,intermediate=true", "sobel:axis=y,input=smooth,name=edge"});
  CHECK(bankFromJson(toJson(bank)) == bank);
  CHECK(toJson(bank).at("filters")[1].at("input") == "smooth");
  CHECK_FALSE(toJson(programBank({"box"})).at("filters")[0].contains("input"));
  CHECK(formatFilterSpec(bank.filters[1]) == "sobel:axis=y,input=smooth");
  CHECK(formatFilterSpec(bank.filters[0]) == "gaussian:sigma=2,intermediate=true");
  auto json = toJson(bank);
  json["filters"][1]["inputs"] = {"smooth"};
  CHECK_THROWS_WITH(bankFromJson(json), ContainsSubstring("\"input\" as well as \"inputs\""));
  json["filters"][1].erase("input");
  CHECK(bankFromJson(json) == bank);
  json["filters"][1]["inputs"] = nlohmann::json::array();
  CHECK_THROWS_WITH(bankFromJson(json), ContainsSubstring("array of names"));
  json["filters"][1]["inputs"] = {"smooth"};
  json["filters"][1]["name"] = "smooth";
  CHECK_THROWS_WITH(bankFromJson(json), ContainsSubstring("which is the name of 2 rows"));
}

TEST_CASE("a row's new name goes with its arrows, and computes nothing", "[program][unit]") {
  FilterBank bank = programBank({"gaussian:name=s", "sobel:input=s,name=g"});
  const FilterBank before = computedPart(bank);
  renameInputs(bank, "s", "smooth");
  bank.filters[0].name = "smooth";
  CHECK(bank.filters[1].inputs.front() == "smooth");
  CHECK(computedPart(bank) == before);
  bank.filters[0].intermediate = true;
  CHECK(computedPart(bank) == before);
  bank.filters[1].inputs.clear();
  CHECK_FALSE(computedPart(bank) == before);
}

TEST_CASE("reach adds up along the arrows", "[program][unit]") {
  const FilterProgram program =
      programOfSpecs({"box:size=5,name=a", "box:size=3,input=a,name=b", "sobel:input=b,name=c"});
  const std::array<std::int64_t, 3> extent{40, 40, 40};
  const Box region{{10, 10, 10}, {20, 11, 12}};
  const ProgramBoxes boxes = neededBoxes(program, region, extent, Boundary::mirror);
  CHECK(boxes.source == Box{{6, 6, 6}, {24, 15, 16}});
  // Results are what is wanted of a and b, too.
  CHECK(boxes.nodes[1] == Box{{9, 9, 9}, {21, 12, 13}});
  CHECK(boxes.nodes[0] == Box{{8, 8, 8}, {22, 13, 14}});
  CHECK(boxes.nodes[2] == region);
  // Around the end, everything along that axis.
  const ProgramBoxes around = neededBoxes(program, {{0, 10, 10}, {1, 11, 11}}, extent, Boundary::wrap);
  CHECK(around.nodes[1].size(0) == 40);
  CHECK(around.nodes[1].size(1) == 3);
}

TEST_CASE("formulas that only one formula reads are computed in it", "[program][unit]") {
  const auto at = [](const FilterProgram& program, const std::string& row) {
    return std::ranges::find(program.outputs, row, &ProgramOutput::name)->node;
  };
  const FilterProgram chain = withFusedFormulas(programOfSpecs(
      {"formula:e=source + @k=1[0..9],name=a,intermediate=true", "formula:e=a * @k=2[0..9],name=b,intermediate=true",
       "gaussian:name=g,intermediate=true", "formula:e=b - g,name=c"}));
  const ProgramNode& last = chain.nodes.at(at(chain, "c"));
  REQUIRE(last.op.formula() != nullptr);
  CHECK(last.inputs.size() == 2);
  CHECK(std::ranges::find(last.inputs, kSource) != last.inputs.end());
  CHECK(last.op.formula()->operations() == 3);
  REQUIRE(last.op.formula()->constants().size() == 2);
  CHECK(last.op.formula()->constants()[0].value != last.op.formula()->constants()[1].value);
  CHECK(withFusedFormulas(chain).nodes.at(at(chain, "c")).inputs == last.inputs);
  // Not what has a result of its own, two readers, or a reader of its neighbors.
  for (const std::vector<std::string>& apart :
       {std::vector<std::string>{"formula:e=source + 1,name=a", "formula:e=a * 2,name=c"},
        {"formula:e=source + 1,name=a,intermediate=true", "formula:e=a * 2,name=b", "formula:e=a * 3,name=c"},
        {"formula:e=source + 1,name=a,intermediate=true", "formula:e=a[1,0,0] * 2,name=c"}}) {
    const FilterProgram before = programOfSpecs(apart), after = withFusedFormulas(before);
    CHECK(after.nodes.at(at(after, "c")).inputs == before.nodes.at(at(before, "c")).inputs);
  }
}

TEST_CASE("formulas are computed in another only as far as a kernel can read", "[program][unit]") {
  std::vector<std::string> specs;
  std::string parts, all;
  for (int part = 0; part < 4; ++part) {
    std::string sum;
    for (int i = 0; i < 6; ++i) {
      const std::string name = "g" + std::to_string(part) + std::to_string(i);
      specs.push_back("gaussian:sigma=" + std::to_string(1 + part + 0.1 * i) + ",name=" + name + ",intermediate=true");
      sum += (i == 0 ? "" : "+") + name;
    }
    specs.push_back("formula:e=" + sum + ",name=p" + std::to_string(part) + ",intermediate=true");
    all += (part == 0 ? "p" : "*p") + std::to_string(part);
  }
  specs.push_back("formula:e=" + all + ",name=last");
  const FilterProgram fused = withFusedFormulas(programOfSpecs(specs));
  // Two parts of six, and the results of the other two.
  CHECK(fused.nodes.at(fused.outputs.front().node).inputs.size() == 14);
  for (const ProgramNode& node : fused.nodes) CHECK(node.inputs.size() <= kMostFormulaInputs);
}

TEST_CASE("arrays that are never needed at the same time share memory", "[program][unit]") {
  const ArraySpec data{ElementType::f32, {40, 30, 20, 1}};
  const auto arraysOf = [&](const std::vector<std::string>& specs) {
    const auto made = bankWorkload(programBank(specs), data, {}, false);
    const auto& workload = dynamic_cast<const ProgramWorkload&>(*made);
    const ProgramSteps steps = stepsOf(workload, workload.region());
    const ProgramSlots slots = slotsOf(workload, steps);
    // No stage writes where something lies that it or a later one reads.
    std::vector<std::optional<std::size_t>> holds(slots.bytes.size());
    for (const ProgramStage& stage : steps.stages) {
      for (const std::size_t input : stage.inputs)
        if (input != kSource && !steps.result[input]) CHECK(holds.at(slots.of.at(input).value()) == input);
      for (const std::size_t node : stage.nodes)
        if (!stage.copies && slots.of[node]) holds.at(*slots.of[node]) = node;
      for (const std::size_t input : stage.inputs)
        if (input != kSource && !steps.result[input]) CHECK(holds.at(slots.of.at(input).value()) == input);
    }
    for (const ProgramOutput& output : workload.computed().outputs)
      if (const auto before = workload.computed().nodes[output.node].stepOf; before && *before != kSource)
        CHECK(holds.at(slots.of.at(*before).value()) == *before);
    return slots.total() / data.bytes();
  };
  CHECK(arraysOf({"peronamalik:steps=20"}) == 2);
  CHECK(arraysOf({"tv:steps=4"}) == arraysOf({"tv:steps=20"}));
  CHECK(arraysOf({"tv:steps=20"}) <= 8);  // u and p of two steps
  CHECK(arraysOf({"coherence:steps=2"}) >= arraysOf({"coherence:steps=12"}) - 1);
  CHECK(arraysOf({"tv:steps=6,name=a,intermediate=true", "box:input=a", "frangi:input=a", "formula:e=a-source"}) <= 16);
}

TEST_CASE("formulas that read the sums of one stage become a part of it where an engine takes them",
          "[program][unit]") {
  const ArraySpec data{ElementType::f32, {20, 20, 20, 1}};
  const auto everything = [](const EndedFilters&, const std::vector<std::unique_ptr<Workload>>&) { return true; };
  const auto stagesOf = [&](const std::vector<std::string>& specs, const EndTogether& together,
                            const char* output = "f32") {
    FilterBank bank = programBank(specs);
    bank.output = OutputType{*parseElementType(output)};
    const auto made = bankWorkload(bank, data, {}, false);
    const auto& workload = dynamic_cast<const ProgramWorkload&>(*made);
    return withEndings(workload, stepsOf(workload, workload.region()), together).stages;
  };
  const auto whole = stagesOf({"gradient"}, everything);
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].nodes.size() == 3);
  CHECK(whole[0].kept.empty());
  CHECK(whole[0].made() == whole[0].endings);

  // What is a result, or read by another row, is written as well.
  const std::vector<std::string> rows{"sobel:axis=x,name=a", "sobel:axis=y,name=b,intermediate=true",
                                      "formula:e=a*b-source", "formula:e=a[1,0,0]+b,name=n", "median:input=b"};
  const auto both = stagesOf(rows, everything);
  REQUIRE(both.size() == 3);
  CHECK(both[0].endings.size() == 1);
  CHECK(both[0].kept.size() == 2);
  CHECK(both[0].made().size() == 3);
  CHECK(stagesOf({"structure"}, everything).size() + 6 == stagesOf({"structure"}, {}).size());

  // One type leaves a kernel, and what a formula reads of another stage has to be there before.
  CHECK(stagesOf({"sobel:axis=x,name=a", "formula:e=a^2"}, everything, "u8").size() == 3);
  CHECK(stagesOf({"sobel:axis=x,name=a", "median:name=m", "formula:e=a*m"}, everything).size() == 2);
  CHECK(stagesOf({"sobel:axis=x,name=a", "median:name=m", "formula:e=a^2"}, everything).size() == 1);
  CHECK(stagesOf({"sobel:axis=x,name=a,intermediate=true", "formula:e=a*x"}, everything).size() == 2);
  CHECK(stagesOf({"sobel:axis=x,name=a,intermediate=true", "formula:e=a*nx"}, everything).size() == 2);
  CHECK(stagesOf({"median:name=m,intermediate=true", "formula:e=m*2"}, everything).size() == 2);

  // As many as an engine takes.
  const auto few = [](const EndedFilters& ended, const std::vector<std::unique_ptr<Workload>>& apart) {
    CHECK(apart.size() == 1 + ended.endings().size());
    return ended.endings().size() < 3;
  };
  const std::vector<std::string> three{"sobel:name=a,intermediate=true", "formula:e=a+1", "formula:e=a+2",
                                       "formula:e=a+3"};
  CHECK(stagesOf(three, few).size() == 2);
  CHECK(stagesOf(three, [](const auto&, const auto&) { return false; }).size() == 4);
}

TEST_CASE("filters that end in formulas are the program that they are a part of", "[program][unit]") {
  const Volume input = test::randomVolume({9, 8, 7, 1}, ElementType::f32, 3);
  const auto made =
      bankWorkload(programBank({"sobel:axis=x,name=a", "formula:e=a*source,name=f"}), input.spec(), {}, false);
  const auto& workload = dynamic_cast<const ProgramWorkload&>(*made);
  const auto everything = [](const EndedFilters&, const std::vector<std::unique_ptr<Workload>>&) { return true; };
  const ProgramSteps steps = withEndings(workload, stepsOf(workload, workload.region()), everything);
  REQUIRE(steps.stages.size() == 1);
  const auto stage = stageWorkload(workload, steps, steps.stages[0], {arrayOf(workload, steps, kSource)});
  REQUIRE(stage->outputs().size() == 2);
  const ConstArrayView in = input.view();
  const Box box{{2, 3, 1}, {7, 8, 5}};
  for (std::size_t o = 0; o < 2; ++o) {
    std::vector<double> a(static_cast<std::size_t>(box.voxels())), b = a, c = a, d = a;
    workload.referenceBoth({&in, 1}, o, box, a, b, {});
    stage->referenceBoth({&in, 1}, o, box, c, d, {});
    CHECK(a == c);
    CHECK(b == d);
  }
}
