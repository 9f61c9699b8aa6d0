// Formulas on every engine of this machine against the reference: every row, function, boundary and element type.
#include <cmath>
#include <limits>
#include <sstream>

#include "core/filter/formula/workload/formula_workload.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::Coverage;
using test::infosOf;
using test::Sampling;
using test::TestMachine;

namespace {

FormulaWorkload formulaOn(const std::string& text, const std::vector<const Volume*>& inputs, Boundary boundary,
                          ElementType output) {
  const ArraySpec first = inputs[0]->spec();
  FormulaSetting setting;
  setting.volume = {first.extent[0], first.extent[1], first.extent[2]};
  setting.region = {{0, 0, 0}, setting.volume};
  for (const Volume* input : inputs) setting.inputs.push_back({input->spec(), setting.region});
  setting.boundary = boundary;
  setting.constant = 11;
  setting.spacing = {0.5, 0.25, 3};
  setting.output = output;
  return {Formula::parse(text), setting};
}

std::vector<const Volume*> inputsOf(const std::string& text, const Volume& a, const Volume& b) {
  std::vector<const Volume*> inputs;
  const Formula formula = Formula::parse(text);
  for (const std::string& name : formula.inputs()) inputs.push_back(name == "a" ? &a : &b);
  return inputs;
}

// What is wrong; empty: nothing.
std::string runAndCheck(Engine& engine, const Variant& row, const FormulaWorkload& workload,
                        const std::vector<const Volume*>& inputs) {
  const auto plan = row.prepare(engine, workload, {}, {});
  const ArraySpec spec = workload.outputs()[0];
  Volume output(VolumeShape{spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])},
                spec.type);
  std::vector<ConstArrayView> views;
  for (const Volume* input : inputs) views.push_back(input->view());
  const ArrayView out = output.view();
  poison(out);
  test::forgetBuffers(engine);
  const RunReport report = plan->run({views, 0}, {&out, 1}, {});
  const ConstArrayView result = out;
  const Verification verdict = verify(workload, views, {&result, 1}, {1e9, 1}, {});
  if (!verdict.verified) return verdict.failure + " (" + verdict.coverage + ")";
  if (report.engine != engine.info().id) return "the report names the engine " + report.engine;
  if (report.saturated.size() != 1) return "saturation is not reported";
  return {};
}

struct Case {
  std::string text;
  const Volume *a, *b;
  Boundary boundary;
  ElementType output;
};

// Every row of every engine of one kind.
void agree(const TestMachine& machine, EngineKind kind, const std::vector<Case>& cases) {
  std::vector<Engine*> engines = machine.chosen();
  std::erase_if(engines, [&](const Engine* engine) { return engine->info().kind != kind; });
  if (engines.empty()) SSCOPE_SKIP("no " + std::string(toString(kind)) + " engine on this machine");
  Coverage coverage(machine.variants, infosOf(engines), "formula");
  for (Engine* engine : engines)
    for (const Variant* row : machine.variants.rows("formula", kind))
      for (const Case& one : cases) {
        const auto inputs = inputsOf(one.text, *one.a, *one.b);
        const FormulaWorkload workload = formulaOn(one.text, inputs, one.boundary, one.output);
        if (!coverage.takes(engine->info(), *row, workload)) continue;
        INFO(engine->info().id << " " << row->name << " " << one.text << " " << toString(one.a->type()) << " -> "
                               << toString(one.output) << " " << toString(one.boundary) << " " << one.a->shape().text()
                               << ", " << Sampling::howToRepeat());
        CHECK(runAndCheck(*engine, *row, workload, inputs) == "");
        coverage.compared(engine->info(), *row);
      }
  coverage.requireAll();
}

// Neighbors of all element types with every boundary rule and shape; devices, which compile for each type and rule,
// take each of them, not each pair.
void agreeOnTypes(EngineKind kind) {
  const VolumeShape shapes[] = {{1, 1, 1, 1},  {7, 1, 1, 1},  {1, 5, 3, 1}, {13, 7, 5, 1},
                                {17, 9, 1, 1}, {33, 6, 4, 1}, {9, 5, 4, 3}};
  const std::string text =
      "if(a[1,0,0] > a[0,-1,0] and x < 5, a[-2,1,-1]*0.5 + y, a - @k=0.25[0..1]*a[0,0,2]) + zmm + nx*0.125";
  const std::vector<std::size_t> sizes{std::size(kElementTypes), 2, std::size(kBoundaries), std::size(shapes)};
  const auto sampling = Sampling::ofRun().named("types of formulas");
  const auto chosen = isDevice(kind) ? test::eachValue(sizes, sampling) : test::coveringArray(sizes, sampling);
  std::vector<Volume> volumes;
  volumes.reserve(chosen.size());
  std::vector<Case> cases;
  for (const auto& one : chosen) {
    const ElementType input = kElementTypes[one[0]];
    volumes.push_back(test::randomVolume(shapes[one[3]], input, volumes.size()));
    cases.push_back(
        {text, &volumes.back(), &volumes.back(), kBoundaries[one[2]], one[1] == 1 ? input : ElementType::f32});
  }
  agree(TestMachine(), kind, cases);
}

// Every function, of ordinary numbers and of NaN, infinity, huge and tiny ones. Devices, which compile for each, take a
// sixth of them in a run.
void agreeOnFunctions(EngineKind kind) {
  Volume a = test::randomVolume({61, 5, 3, 1}, ElementType::f32, 3);
  Volume b = test::randomVolume({61, 5, 3, 1}, ElementType::f32, 4);
  const Volume c = test::randomVolume({19, 4, 3, 1}, ElementType::f64, 5);
  const Volume d = test::randomVolume({19, 4, 3, 1}, ElementType::f64, 6);
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  const float special[] = {0.0F,      -0.0F,      1.0F,       -1.0F, std::numeric_limits<float>::quiet_NaN(),
                           kInfinite, -kInfinite, 3e-39F,     1e30F, -1e30F,
                           88.5F,     -104.5F,    12345.678F, 1e9F};
  for (std::int64_t i = 0; i < a.view().elements(); i += 3) {
    a.view().as<float>()[i] = special[static_cast<std::size_t>(i / 3) % std::size(special)];
    b.view().as<float>()[i] = special[static_cast<std::size_t>(i / 3 / 7) % std::size(special)];
  }
  std::vector<Case> cases;
  for (const FormulaFunction& function : formulaFunctions()) {
    std::string text = std::string(function.name) + "(a";
    for (std::size_t i = 1; i < function.least; ++i) text += i % 2 != 0 ? ", b" : ", a[1,0]";
    text += ")";
    cases.push_back({text, &a, &b, Boundary::wrap, ElementType::f32});
    cases.push_back({text, &c, &d, Boundary::wrap, ElementType::f64});
  }
  for (const char* text : {"a + b*a[1,0]", "a*b - b[0,1]", "b - a*a", "a/b", "a <= b", "a == b", "a != b", "not a",
                           "a and b", "a or b", "min(a, b, a[1,1])", "a^3 + b^-2", "-a", "a", "0*a + 7", "1e39*a"})
    cases.push_back({text, &a, &b, Boundary::constant, ElementType::f32});
  if (isDevice(kind)) cases = test::sampleOf(cases.size() / 6, cases, Sampling::ofRun().named("functions of formulas"));
  agree(TestMachine(), kind, cases);
}

}  // namespace

TEST_CASE("formulas of every type and boundary agree with the reference on CPU engines") {
  agreeOnTypes(EngineKind::Cpu);
}
TEST_CASE("formulas of every type and boundary agree with the reference on OpenCL engines") {
  agreeOnTypes(EngineKind::OpenCl);
}
TEST_CASE("formulas of every type and boundary agree with the reference on CUDA engines") {
  agreeOnTypes(EngineKind::Cuda);
}

TEST_CASE("every function of formulas agrees with the reference on CPU engines") { agreeOnFunctions(EngineKind::Cpu); }
TEST_CASE("every function of formulas agrees with the reference on OpenCL engines") {
  agreeOnFunctions(EngineKind::OpenCl);
}
TEST_CASE("every function of formulas agrees with the reference on CUDA engines") {
  agreeOnFunctions(EngineKind::Cuda);
}

TEST_CASE_METHOD(TestMachine, "a formula's next constants are adopted without compiling") {
  const Volume a = test::randomVolume({23, 6, 3, 1}, ElementType::f32, 3);
  const FormulaWorkload first = formulaOn("a*@k=0.5[0..1] + exp(@k)", {&a}, Boundary::mirror, ElementType::f32);
  const FormulaWorkload second(first.formula().withConstants({{"k", 0.25}}), first.setting());
  for (Engine* engine : chosen())
    for (const Variant* row : variants.rows("formula", engine->info().kind)) {
      INFO(engine->info().id << " " << row->name);
      const auto plan = row->prepare(*engine, first, {}, {});
      Volume output(a.shape(), ElementType::f32);
      const ConstArrayView in = a.view(), result = output.view();
      const ArrayView out = output.view();
      static_cast<void>(plan->run({{&in, 1}, 0}, {&out, 1}, {}));
      CHECK(verify(first, {&in, 1}, {&result, 1}, {}, {}).failure == "");
      REQUIRE(plan->adopt(second, {}));
      const RunReport report = plan->run({{&in, 1}, 0}, {&out, 1}, {});
      CHECK(verify(second, {&in, 1}, {&result, 1}, {}, {}).failure == "");
      CHECK(report.phases.compile == 0);
    }
}

TEST_CASE_METHOD(TestMachine, "results of formulas stay where they are computed, and are the same") {
  const Volume a = test::randomVolume({40, 9, 5, 1}, ElementType::i16, 3);
  const Volume b = test::randomVolume({40, 9, 5, 1}, ElementType::f32, 4);
  const FormulaWorkload workload = formulaOn("a[1,0]*b + b[0,0,-1]", {&a, &b}, Boundary::reflect, ElementType::f32);
  const ConstArrayView in[] = {a.view(), b.view()};
  const std::vector<ArraySpec> specs = workload.outputs();
  for (Engine* engine : chosen())
    for (const Variant* row : variants.rows("formula", engine->info().kind)) {
      INFO(engine->info().id << " " << row->name);
      VolumePool pool;
      const ResidentRun ran = row->prepare(*engine, workload, {}, {})->runResident({in, 0}, specs, pool, {});
      REQUIRE(ran.outputs.size() == 1);
      CHECK(verify(workload, in, ran.outputs, {1e9, 1}, {}).failure == "");
    }
}
