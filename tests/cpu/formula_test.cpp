// Formulas on every CPU level against the reference, beyond tests/agreement/formula_agreement_test.cpp: numbers of
// every size, formulas made at random, and how inputs lie.
#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "core/filter/families/recipe_text.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/filter/program/program_workload.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/formulas.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Outcome {
  PlanRun run;
  Verification verification;
};

Outcome runFormula(Engine& engine, const Workload& workload, const std::vector<ConstArrayView>& inputs) {
  const auto plan = cpuMachine().variants.prepare(engine, workload, "", {.threads = 2}, {});
  Outcome outcome{runOnce(*plan, workload, Inputs{inputs, 0}), {}};
  outcome.verification = verify(workload, inputs, outcome.run.views(), kEverywhere, {});
  return outcome;
}

// Every level; returns the largest share of elements that could not be judged.
double expectFormula(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                     ElementType output) {
  double open = 0;
  const FormulaWorkload workload = formulaOn(text, inputs, boundary, output);
  for (Engine* engine : cpuMachine().engines.available()) {
    const Outcome outcome = runFormula(*engine, workload, viewsOf(inputs));
    INFO(engine->info().id << " " << text << " " << inputs[0]->shape().text() << " " << toString(inputs[0]->type())
                           << " to " << toString(output) << " " << toString(boundary) << ": "
                           << outcome.verification.coverage);
    CHECK(outcome.verification.failure == "");
    CHECK(outcome.run.report.engine == engine->info().id);
    const auto all = static_cast<double>(outcome.verification.compared + outcome.verification.unjudged);
    open = std::max(open, static_cast<double>(outcome.verification.unjudged) / all);
  }
  return open;
}

// The same, where it may be that nothing can be judged.
double expectFormulaOrNothing(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                              ElementType output) {
  const FormulaWorkload workload = formulaOn(text, inputs, boundary, output);
  const Outcome one = runFormula(*cpuMachine().engines.available()[0], workload, viewsOf(inputs));
  if (one.verification.compared == 0) return 1;
  return expectFormula(text, inputs, boundary, output);
}

// A random expression of `a`, `b`, neighbors, positions and numbers.
std::string randomFormula(std::mt19937& random, int depth) {
  const auto pick = [&](std::initializer_list<const char*> words) {
    return *(words.begin() + random() % words.size());
  };
  if (depth == 0)
    return pick({"a", "b", "a[1,0]", "b[-2,1]", "a[0,0,1]", "x", "y", "xmm", "2", "0.3", "@k=0.5", "7", "nx"});
  const auto next = [&] { return randomFormula(random, depth - 1 - static_cast<int>(random() % 2) % depth); };
  switch (random() % 4) {
    case 0:
    case 1: return "(" + next() + pick({" + ", " - ", " * ", " / ", " < ", " >= ", " and ", " == "}) + next() + ")";
    case 2: {
      const auto functions = formulaFunctions();
      const FormulaFunction& function = functions[random() % functions.size()];
      std::string text = std::string(function.name) + "(" + next();
      for (std::size_t i = 1; i < function.least; ++i) text += ", " + next();
      return text + ")";
    }
    default:
      return "(" + (pick({"-", "not ", "abs", "sqrt", "exp", "sin"}) + ("(" + next() + ")")) +
             pick({"", "^2", "^3", "^-1"}) + ")";
  }
}

const VolumeShape kShapes[] = {{1, 1, 1, 1},  {7, 1, 1, 1},   {1, 5, 3, 1}, {13, 7, 5, 1}, {17, 9, 1, 1},
                               {33, 6, 4, 1}, {600, 3, 2, 1}, {9, 5, 4, 3}, {1, 1, 40, 1}, {67, 12, 1, 4}};

}  // namespace

TEST_CASE("functions keep to their granted error for numbers of every size") {
  std::mt19937_64 random(17);
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    // Half of them have any bits, half are of the sizes that functions are used with.
    Volume a({1024, 24, 1, 1}, type), b({1024, 24, 1, 1}, type);
    for (Volume* volume : {&a, &b})
      dispatch(type, [&](auto tag) {
        using T = decltype(tag);
        if constexpr (std::is_floating_point_v<T>) {
          using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
          auto* data = volume->view().as<T>();
          for (std::int64_t i = 0; i < a.view().elements(); ++i)
            data[i] = i % 2 == 0 ? std::bit_cast<T>(static_cast<Bits>(random()))
                                 : static_cast<T>(std::ldexp(static_cast<double>(random()), -63) - 1) *
                                       static_cast<T>(std::ldexp(1.0, static_cast<int>(random() % 24) - 8));
        }
      });
    for (const FormulaFunction& function : formulaFunctions()) {
      if (function.least > 2) continue;
      const std::string text = std::string(function.name) + (function.least == 2 ? "(a, b)" : "(a)");
      INFO(text);
      CHECK(expectFormula(text, inputsOf(text, a, b), Boundary::nearest, type) < 0.6);
    }
  }
}

TEST_CASE("every level computes formulas made at random") {
  std::mt19937 random(11);
  double open = 0;
  constexpr int kFormulas = 300;
  for (int i = 0; i < kFormulas; ++i) {
    std::string text = "a*0.5 + b + " + randomFormula(random, 4);
    while (text.find("@k=") != text.rfind("@k=")) text.erase(text.rfind("@k=") + 2, 4);  // declared once
    INFO(text);
    const ElementType type = i % 2 == 0 ? ElementType::f32 : ElementType::f64;
    const Volume a = randomVolume(kShapes[static_cast<std::size_t>(i) % std::size(kShapes)], type,
                                  10 + static_cast<std::uint64_t>(i));
    const Volume b = randomVolume(a.shape(), type, 500 + static_cast<std::uint64_t>(i));
    open += expectFormulaOrNothing(text, inputsOf(text, a, b), kBoundaries[static_cast<std::size_t>(i) % 5], type);
  }
  CHECK(open / kFormulas < 0.2);
}

TEST_CASE("a formula of one component serves those of several, and arrays may be strided") {
  const Volume a = randomVolume({19, 7, 3, 3}, ElementType::u8, 1),
               b = randomVolume({19, 7, 3, 1}, ElementType::f32, 2);
  expectFormula("a[1,0]*b[-1,1,1] + x", {&a, &b}, Boundary::mirror, ElementType::f32);
  expectFormula("a*b", {&a, &b}, Boundary::mirror, ElementType::u8);
  // Components one array after the other, rows turned around.
  const FormulaWorkload workload = formulaOn("a[1,1] - a + x*0.5", {&a}, Boundary::wrap, ElementType::f32);
  Volume planes({19, 7, 9, 1}, ElementType::f32);
  const std::vector<Volume> volumes = [] {
    std::vector<Volume> result;
    result.push_back(randomVolume({19, 7, 9, 1}, ElementType::u8, 1));
    return result;
  }();
  ConstArrayView in = volumes[0].view();
  in.extent = {19, 7, 3, 3};
  in.stride = {1, 19, 19 * 7, 19 * 7 * 3};
  ArrayView out = planes.view();
  poison(out);
  out.extent = in.extent;
  out.stride = in.stride;
  for (Engine* engine : cpuMachine().engines.available()) {
    const auto plan = cpuMachine().variants.prepare(*engine, workload, "", {}, {});
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    const ConstArrayView result = out;
    INFO(engine->info().id);
    CHECK(verify(workload, {&in, 1}, {&result, 1}, kEverywhere, {}).failure == "");
  }
}

TEST_CASE("a formula's region of any place and size has the bits of the whole") {
  const Volume a = randomVolume({45, 9, 8, 1}, ElementType::f32, 1);
  const FormulaWorkload whole =
      formulaOn("a[2,-1,1]*x + a[-3,0,-2] - y*z + zmm", {&a}, Boundary::reflect, ElementType::f32);
  Engine& engine = *cpuMachine().engines.available().back();
  const Box region{{7, 2, 3}, {41, 6, 4}};
  const Outcome all = runFormula(engine, whole, {a.view()});
  const Outcome some = runFormula(engine, *whole.restrictedTo(region), {a.view()});
  CHECK(all.verification.failure == "");
  CHECK(some.verification.failure == "");
  CHECK(differentElements(some.run.outputs[0], all.run.outputs[0], region) == 0);
}

TEST_CASE("an input may be a part of the volume") {
  const Volume a = randomVolume({30, 20, 10, 1}, ElementType::i16, 1);
  const Formula formula = Formula::parse("a[3,-2,1] - a[-1,0,0]*0.5");
  FormulaSetting setting;
  setting.volume = {30, 20, 10};
  setting.region = {{5, 0, 2}, {20, 9, 5}};
  setting.boundary = Boundary::nearest;
  const Box box = readBox(formula, 0, setting.region, setting.volume, setting.boundary);
  CHECK(box == Box{{4, 0, 2}, {23, 9, 6}});
  ConstArrayView view = a.view();
  view.data += view.offset(box.begin[0], box.begin[1], box.begin[2]) * 2;
  view.extent = {box.size(0), box.size(1), box.size(2), 1};
  setting.inputs = {{{ElementType::i16, view.extent}, box}};
  const FormulaWorkload part(formula, setting);
  setting.inputs = {{a.spec(), {{0, 0, 0}, setting.volume}}};
  const FormulaWorkload whole(formula, setting);
  std::vector<double> one(static_cast<std::size_t>(setting.region.voxels())), other(one.size());
  const ConstArrayView all = a.view();
  part.reference({&view, 1}, 0, {{0, 0, 0}, {15, 9, 3}}, one, {});
  whole.reference({&all, 1}, 0, {{0, 0, 0}, {15, 9, 3}}, other, {});
  CHECK(one == other);
  for (Engine* engine : cpuMachine().engines.available()) {
    Volume output({15, 9, 3, 1}, ElementType::f32);
    const ArrayView out = output.view();
    static_cast<void>(cpuMachine().variants.prepare(*engine, part, "", {}, {})->run({{&view, 1}, 0}, {&out, 1}, {}));
    const ConstArrayView result = out;
    CHECK(verify(whole, {&all, 1}, {&result, 1}, {}, {}).failure == "");
  }
}

TEST_CASE("what is wrong is found, whatever cannot be judged") {
  const Volume a = randomVolume({40, 9, 3, 1}, ElementType::f32, 1);
  // A jump that rounding decides everywhere below x = 20, and nothing of it elsewhere.
  const FormulaWorkload workload =
      formulaOn("if(x < 20, floor(x*0.1*10 + 0*a), a)", {&a}, Boundary::wrap, ElementType::f32);
  Outcome right = runFormula(*cpuMachine().engines.available()[0], workload, {a.view()});
  CHECK(right.verification.failure == "");
  CHECK(right.verification.unjudged > 0);
  CHECK(right.verification.coverage.find("cannot be judged") != std::string::npos);
  const ConstArrayView in = a.view(), result = right.run.views()[0];
  const ArrayView out = right.run.outputs[0].view();
  const auto verdict = [&] { return verify(workload, {&in, 1}, {&result, 1}, {}, {}); };
  float& element = out.as<float>()[out.offset(33, 4, 1)];
  element += 1e-3F;
  CHECK(verdict().off == 1);
  CHECK_FALSE(verdict().verified);
  element -= 1e-3F;
  // Nobody wrote it.
  poison({ElementType::f32, out.data + out.offset(3, 4, 1) * 4, {1, 1, 1, 1}, {1, 1, 1, 1}});
  CHECK_FALSE(verdict().verified);
}

TEST_CASE("a formula that reads nothing has the components of the data") {
  const Volume color = randomVolume({19, 6, 4, 3}, ElementType::u8, 1);
  FilterBank bank;
  for (const char* spec :
       {"formula:e=x + 100*y,name=place", "formula:e=3,name=three", "formula:e=place - source[1,0] + three,name=all"})
    bank.filters.push_back(parseFilterSpec(spec));
  const auto workload = bankWorkload(bank, color.spec(), color.geometry(), true);
  REQUIRE(workload->outputs().size() == 3);
  for (Engine* engine : cpuMachine().engines.available()) {
    INFO(engine->info().id);
    const Outcome outcome = runFormula(*engine, *workload, {color.view()});
    CHECK(outcome.verification.failure == "");
    const std::vector<ConstArrayView> results = outcome.run.views();
    for (std::int64_t c = 0; c < 3; ++c) {
      CHECK(results[0].as<float>()[results[0].offset(7, 2, 1, c)] == 207);
      CHECK(results[1].as<float>()[results[1].offset(18, 5, 3, c)] == 3);
    }
  }
}

TEST_CASE("a formula that reads the data by two names has all that either reads") {
  const Volume data = randomVolume({12, 9, 40, 1}, ElementType::f32, 1);
  FilterProgram program;
  program.nodes.push_back({Formula::parse("a + b[0,0,3]"), {kSource, kSource}});
  program.nodes.push_back({Formula::parse("c * 2"), {0}});
  program.outputs = {{1, "twice"}};
  const ProgramWorkload whole(program, Boundary::mirror, 0, data.spec(), {1, 1, 1}, ElementType::f32);
  const auto workload = whole.restrictedTo({{0, 0, 10}, {12, 9, 20}});
  for (Engine* engine : cpuMachine().engines.available()) {
    INFO(engine->info().id);
    CHECK(runFormula(*engine, *workload, {data.view()}).verification.failure == "");
  }
}

TEST_CASE("a formula that takes long is canceled between its blocks") {
  std::string text = "a";
  for (int i = 0; i < 300; ++i) text += " + pow(abs(a), b + " + std::to_string(i) + ")";
  const Volume a = randomVolume({512, 512, 8, 1}, ElementType::f64, 1);
  const FormulaWorkload workload = formulaOn(text, {&a, &a}, Boundary::wrap, ElementType::f64);
  for (Engine* engine : cpuMachine().engines.available()) {
    const auto plan = cpuMachine().variants.prepare(*engine, workload, "", {}, {});
    Volume output(a.shape(), ElementType::f64);
    const ArrayView out = output.view();
    const std::array<ConstArrayView, 2> in{a.view(), a.view()};
    std::stop_source stop;
    int reports = 0;
    const Control control{stop.get_token(), [&](double, std::string_view) {
                            if (++reports == 1) stop.request_stop();
                          }};
    // The work is far more than what comes before the first report; how long the rest takes is bounded by the block.
    CHECK_THROWS_AS(plan->run({in, 0}, {&out, 1}, control), Canceled);
  }
}
