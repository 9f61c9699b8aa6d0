// Formulas on every CPU level against the reference.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "core/filter/families/recipe_text.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/filter/program/program_workload.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

FormulaWorkload formulaOn(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                          ElementType output, double constant = 0.75) {
  FormulaSetting setting;
  const ArraySpec first = inputs[0]->spec();
  setting.volume = {first.extent[0], first.extent[1], first.extent[2]};
  setting.region = {{0, 0, 0}, setting.volume};
  for (const Volume* input : inputs) setting.inputs.push_back({input->spec(), setting.region});
  setting.boundary = boundary;
  setting.constant = constant;
  setting.spacing = {0.5, 0.25, 3};
  setting.output = output;
  return {Formula::parse(text), setting};
}

struct Outcome {
  Volume output;
  RunReport report;
  Verification verification;
};

Outcome runFormula(Engine& engine, const FormulaWorkload& workload, const std::vector<const Volume*>& inputs,
                   int threads = 2) {
  static const CpuMachine machine;
  PrepareOptions options;
  options.threads = threads;
  const auto plan = machine.variants.prepare(engine, workload, "", options, {});
  const ArraySpec spec = workload.outputs()[0];
  Outcome outcome{
      Volume(VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type),
      {},
      {}};
  poison(outcome.output.view());
  std::vector<ConstArrayView> views;
  for (const Volume* input : inputs) views.push_back(input->view());
  const ArrayView out = outcome.output.view();
  outcome.report = plan->run({views, 0}, {&out, 1}, {});
  const ConstArrayView result = out;
  VerifyOptions everything;
  everything.fullBudgetSeconds = 1e9;
  outcome.verification = verify(workload, views, {&result, 1}, everything, {});
  return outcome;
}

// Every level; returns the largest share of elements that could not be judged.
double expectFormula(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                     ElementType output) {
  static const CpuMachine machine;
  double open = 0;
  const FormulaWorkload workload = formulaOn(text, inputs, boundary, output);
  for (Engine* engine : machine.engines.available()) {
    const Outcome outcome = runFormula(*engine, workload, inputs);
    INFO(engine->info().id << " " << text << " " << inputs[0]->shape().text() << " " << toString(inputs[0]->type())
                           << " to " << toString(output) << " " << toString(boundary) << ": "
                           << outcome.verification.coverage);
    CHECK(outcome.verification.failure == "");
    CHECK(outcome.report.engine == engine->info().id);
    const auto all = static_cast<double>(outcome.verification.compared + outcome.verification.unjudged);
    open = std::max(open, static_cast<double>(outcome.verification.unjudged) / all);
  }
  return open;
}

// The same, where it may be that nothing can be judged.
double expectFormulaOrNothing(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                              ElementType output) {
  static const CpuMachine machine;
  const FormulaWorkload workload = formulaOn(text, inputs, boundary, output);
  const Outcome one = runFormula(*machine.engines.available()[0], workload, inputs);
  if (one.verification.compared == 0) return 1;
  return expectFormula(text, inputs, boundary, output);
}

// Numbers over the whole range, and those that have rules of their own.
Volume wildVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume = randomVolume(shape, type, seed);
  const double special[] = {0,
                            -0.0,
                            1,
                            -1,
                            std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            static_cast<double>(std::numeric_limits<float>::denorm_min()) * 77,
                            static_cast<double>(std::numeric_limits<float>::max()),
                            -1e30,
                            3e-39,
                            88.5,
                            -104.5,
                            12345.678,
                            1e9};
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      auto* data = volume.view().as<T>();
      const std::int64_t count = volume.view().elements();
      for (std::int64_t i = 0; i < count; ++i) {
        if (i % 3 == 0) data[i] = static_cast<T>(special[static_cast<std::size_t>(i / 3) % std::size(special)]);
        if (i % 3 == 1) data[i] *= static_cast<T>(std::exp(static_cast<double>(i * 7 % 40 - 20)));
      }
    }
  });
  return volume;
}

std::vector<const Volume*> inputsOf(const std::string& text, const Volume& a, const Volume& b) {
  std::vector<const Volume*> inputs;
  const Formula formula = Formula::parse(text);
  for (const std::string& name : formula.inputs()) inputs.push_back(name == "a" ? &a : &b);
  return inputs;
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

TEST_CASE("every level computes formulas of all element types and boundaries") {
  const std::string formulas[] = {
      "source[1,0,0] + source[-1,0,0] + source[0,1,0] + source[0,-1,0] + source[0,0,1] + source[0,0,-1] - 6*source",
      "sqrt((source[1,0]-source[-1,0])^2 + (source[0,1]-source[0,-1])^2)",
      "if(source > source[0,0,1] and not (x < 2), source*0.25, -source[3,-2,1] + y)",
      "clamp(mix(source, xmm, 0.25), 0, @top=40[0..100]) + nz*0.5",
      "max(source, source[-15,0,0], source[0,15,0]) - min(source[0,0,15], 1, z)"};
  std::size_t turn = 0;
  for (const ElementType input : kElementTypes)
    for (const ElementType output : {ElementType::f32, ElementType::f64, input})
      for (const Boundary boundary : kBoundaries)
        for (const std::string& formula : formulas) {
          const Volume volume = randomVolume(kShapes[turn % std::size(kShapes)], input, turn);
          ++turn;
          CHECK(expectFormula(formula, {&volume}, boundary, output) <= 0.1);
        }
}

TEST_CASE("every level computes every function, of ordinary numbers") {
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Volume a = randomVolume({61, 5, 3, 1}, type, 3), b = randomVolume({61, 5, 3, 1}, type, 4);
    for (const char* formula : {"exp(3*a)",
                                "log(abs(a))",
                                "log2(abs(a))",
                                "log10(abs(a))",
                                "sin(40*a)",
                                "cos(40*a)",
                                "sin(2000*a)",
                                "tan(a)",
                                "asin(a)",
                                "acos(a)",
                                "atan(5*a)",
                                "atan2(a, b)",
                                "sinh(3*a)",
                                "cosh(3*a)",
                                "tanh(3*a)",
                                "floor(9*a)",
                                "ceil(9*a)",
                                "round(9*a)",
                                "sign(a)",
                                "step(a, b)",
                                "smoothstep(-0.5, 0.5, a)",
                                "hypot(a, b)",
                                "pow(abs(a), b)",
                                "mod(a, 0.3)",
                                "mod(a, b)",
                                "isnan(a)",
                                "isfinite(a)",
                                "a^3",
                                "a^-2",
                                "a^7 + b",
                                "a/b",
                                "sqrt(abs(a))",
                                "a < b or a == b",
                                "a >= b and a != b",
                                "eigmin(a, b, a-b)",
                                "eigmax(a, b, a*b)",
                                "eig1(a, b, a+b, a*b, b*b, a*a)",
                                "eig2(a, b, a+b, a*b, b*b, a*a) + eig3(a, b, a+b, a*b, b*b, a*a)",
                                "eigabs1(a, b, -a, a*b, b, a)",
                                "eigabs3(a, b, -a, a*b, b, a) / eigabs2(a, b, -a, a*b, b, a)",
                                "eigmapxx(a, b, a+b, a*b, b*b, a*a, a, b, 1)",
                                "eigmapyz(a, b, a+b, a*b, b*b, a*a, 1, 2, b) + eig2(a, b, a+b, a*b, b*b, a*a)",
                                "eigmapxz(a, a, a, 0, 0, 0, b, b, b) + eigmapxy(a, b, a, 0, a*b, 0, 1, exp(a), 3)",
                                "sqrt(y) + 0*a",
                                "exp(@k=0.5) + 0*a",
                                "a",
                                "z + 0*a"}) {
      INFO(formula);
      CHECK(expectFormula(formula, inputsOf(formula, a, b), Boundary::nearest, type) <= 0.02);
    }
  }
}

TEST_CASE("every level computes every function, of NaN, infinity, huge and tiny numbers") {
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Volume a = wildVolume({61, 5, 3, 1}, type, 5), b = wildVolume({61, 5, 3, 1}, type, 6);
    for (const FormulaFunction& function : formulaFunctions()) {
      std::string text(function.name);
      text += "(a";
      for (std::size_t i = 1; i < function.least; ++i) text += i % 2 != 0 ? ", b" : ", a[1,0]";
      text += ")";
      expectFormula(text, inputsOf(text, a, b), Boundary::wrap, type);
    }
    for (const char* text : {"a + b*a[1,0]", "a*b - b[0,1]", "a/b", "a < b", "a == b", "not a", "a and b", "a or b",
                             "min(a, b, a[1,1])", "max(b, a)"})
      expectFormula(text, inputsOf(text, a, b), Boundary::constant, type);
  }
}

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
  const CpuMachine machine;
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
  for (Engine* engine : machine.engines.available()) {
    const auto plan = machine.variants.prepare(*engine, workload, "", {}, {});
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    const ConstArrayView result = out;
    VerifyOptions everything;
    everything.fullBudgetSeconds = 1e9;
    INFO(engine->info().id);
    CHECK(verify(workload, {&in, 1}, {&result, 1}, everything, {}).failure == "");
  }
}

TEST_CASE("parts of a volume equal the whole") {
  const CpuMachine machine;
  const Volume a = randomVolume({45, 9, 8, 1}, ElementType::f32, 1);
  const FormulaWorkload whole =
      formulaOn("a[2,-1,1]*x + a[-3,0,-2] - y*z + zmm", {&a}, Boundary::reflect, ElementType::f32);
  Engine& engine = *machine.engines.available().back();
  const Outcome all = runFormula(engine, whole, {&a});
  REQUIRE(all.verification.failure == "");
  const Box region{{7, 2, 3}, {41, 6, 4}};
  const auto part = whole.restrictedTo(region);
  const Outcome some = runFormula(engine, dynamic_cast<const FormulaWorkload&>(*part), {&a});
  CHECK(some.verification.failure == "");
  const auto* const one = some.output.view().as<float>();
  const ConstArrayView of = all.output.view();
  std::int64_t wrong = 0, i = 0;
  for (std::int64_t z = 3; z < 4; ++z)
    for (std::int64_t y = 2; y < 6; ++y)
      for (std::int64_t x = 7; x < 41; ++x) wrong += one[i++] != of.as<float>()[of.offset(x, y, z)] ? 1 : 0;
  CHECK(wrong == 0);
}

TEST_CASE("an input may be a part of the volume") {
  const CpuMachine machine;
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
  for (Engine* engine : machine.engines.available()) {
    Volume output({15, 9, 3, 1}, ElementType::f32);
    const ArrayView out = output.view();
    static_cast<void>(machine.variants.prepare(*engine, part, "", {}, {})->run({{&view, 1}, 0}, {&out, 1}, {}));
    const ConstArrayView result = out;
    CHECK(verify(whole, {&all, 1}, {&result, 1}, {}, {}).failure == "");
  }
}

TEST_CASE("a slider's next value is adopted, and gives what a new plan gives") {
  const CpuMachine machine;
  const Volume a = randomVolume({50, 9, 3, 1}, ElementType::f32, 1);
  const FormulaWorkload first = formulaOn("a*@k=0.5[0..1] + exp(@k)*2", {&a}, Boundary::wrap, ElementType::f32);
  const FormulaWorkload second(first.formula().withConstants({{"k", 0.25}}), first.setting());
  for (Engine* engine : machine.engines.available()) {
    const auto plan = machine.variants.prepare(*engine, first, "", {}, {});
    const ConstArrayView in = a.view();
    Volume output(a.shape(), ElementType::f32);
    const ArrayView out = output.view();
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    REQUIRE(plan->adopt(second, {}));
    static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
    const Outcome fresh = runFormula(*engine, second, {&a});
    CHECK(fresh.verification.failure == "");
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < out.elements(); ++i)
      wrong += out.as<float>()[i] != fresh.output.view().as<float>()[i] ? 1 : 0;
    CHECK(wrong == 0);
    CHECK_FALSE(plan->adopt(formulaOn("a*@k=0.5[0..1]", {&a}, Boundary::wrap, ElementType::f32), {}));
  }
}

TEST_CASE("what is wrong is found, whatever cannot be judged") {
  const CpuMachine machine;
  const Volume a = randomVolume({40, 9, 3, 1}, ElementType::f32, 1);
  // A jump that rounding decides everywhere below x = 20, and nothing of it elsewhere.
  const FormulaWorkload workload =
      formulaOn("if(x < 20, floor(x*0.1*10 + 0*a), a)", {&a}, Boundary::wrap, ElementType::f32);
  Outcome right = runFormula(*machine.engines.available()[0], workload, {&a});
  CHECK(right.verification.failure == "");
  CHECK(right.verification.unjudged > 0);
  CHECK(right.verification.coverage.find("cannot be judged") != std::string::npos);
  const ConstArrayView in = a.view(), result = right.output.view();
  const ArrayView out = right.output.view();
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
  const CpuMachine machine;
  const Volume color = randomVolume({19, 6, 4, 3}, ElementType::u8, 1);
  FilterBank bank;
  for (const char* spec :
       {"formula:e=x + 100*y,name=place", "formula:e=3,name=three", "formula:e=place - source[1,0] + three,name=all"})
    bank.filters.push_back(parseFilterSpec(spec));
  const auto workload = bankWorkload(bank, color.spec(), color.geometry(), true);
  REQUIRE(workload->outputs().size() == 3);
  for (Engine* engine : machine.engines.available()) {
    INFO(engine->info().id);
    const auto plan = machine.variants.prepare(*engine, *workload, "", {}, {});
    std::vector<Volume> outputs;
    for (int i = 0; i < 3; ++i) outputs.emplace_back(color.shape(), ElementType::f32);
    std::vector<ArrayView> written;
    for (Volume& output : outputs) {
      poison(output.view());
      written.push_back(output.view());
    }
    const ConstArrayView in = color.view();
    plan->run({{&in, 1}, 0}, written, {});
    const std::vector<ConstArrayView> results(written.begin(), written.end());
    VerifyOptions everything;
    everything.fullBudgetSeconds = 1e9;
    CHECK(verify(*workload, {&in, 1}, results, everything, {}).failure == "");
    for (std::int64_t c = 0; c < 3; ++c) {
      CHECK(results[0].as<float>()[results[0].offset(7, 2, 1, c)] == 207);
      CHECK(results[1].as<float>()[results[1].offset(18, 5, 3, c)] == 3);
    }
  }
}

TEST_CASE("a formula that reads the data by two names has all that either reads") {
  const CpuMachine machine;
  const Volume data = randomVolume({12, 9, 40, 1}, ElementType::f32, 1);
  FilterProgram program;
  program.nodes.push_back({Formula::parse("a + b[0,0,3]"), {kSource, kSource}});
  program.nodes.push_back({Formula::parse("c * 2"), {0}});
  program.outputs = {{1, "twice"}};
  const ProgramWorkload whole(program, Boundary::mirror, 0, data.spec(), {1, 1, 1}, ElementType::f32);
  const auto workload = whole.restrictedTo({{0, 0, 10}, {12, 9, 20}});
  for (Engine* engine : machine.engines.available()) {
    INFO(engine->info().id);
    const auto plan = machine.variants.prepare(*engine, *workload, "", {}, {});
    Volume output({12, 9, 10, 1}, ElementType::f32);
    const ArrayView out = output.view();
    const ConstArrayView in = data.view(), result = out;
    plan->run({{&in, 1}, 0}, {&out, 1}, {});
    CHECK(verify(*workload, {&in, 1}, {&result, 1}, {}, {}).failure == "");
  }
}

TEST_CASE("a formula that takes long is canceled within 100 ms") {
  const CpuMachine machine;
  std::string text = "a";
  for (int i = 0; i < 300; ++i) text += " + pow(abs(a), b + " + std::to_string(i) + ")";
  const Volume a = randomVolume({512, 512, 8, 1}, ElementType::f64, 1);
  const FormulaWorkload workload = formulaOn(text, {&a, &a}, Boundary::wrap, ElementType::f64);
  for (Engine* engine : machine.engines.available()) {
    const auto plan = machine.variants.prepare(*engine, workload, "", {}, {});
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
