// Formulas on every engine of this machine against the reference: every row, function, boundary and element type.
#include <array>
#include <sstream>

#include "core/filter/formula/workload/formula_workload.h"
#include "core/measure/verify.h"
#include "core/volume/volume.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/formulas.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using test::Coverage;
using test::formulaOn;
using test::infosOf;
using test::inputsOf;
using test::Sampling;
using test::TestMachine;

namespace {

// What is wrong, or that more than a share of the elements cannot be judged; empty: nothing.
std::string runAndCheck(Engine& engine, const Variant& row, const FormulaWorkload& workload,
                        const std::vector<const Volume*>& inputs, double mostOpen) {
  const auto plan = row.prepare(engine, workload, {}, {});
  const std::vector<ConstArrayView> views = test::viewsOf(inputs);
  test::forgetBuffers(engine);
  const test::PlanRun run = test::runOnce(*plan, workload, Inputs{views, 0});
  const Verification verdict = verify(workload, views, run.views(), test::kEverywhere, {});
  if (!verdict.verified) return verdict.failure + " (" + verdict.coverage + ")";
  const auto open = static_cast<double>(verdict.unjudged);
  if (open > mostOpen * (open + static_cast<double>(verdict.compared)))
    return "much is not judged: " + verdict.coverage;
  if (run.report.engine != engine.info().id) return "the report names the engine " + run.report.engine;
  if (run.report.saturated.size() != 1) return "saturation is not reported";
  return {};
}

struct Case {
  std::string text;
  const Volume *a, *b;
  Boundary boundary;
  ElementType output;
  double mostOpen = 1;  // share of the elements that may be left unjudged
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
        const FormulaWorkload workload = formulaOn(one.text, inputs, one.boundary, one.output, 11);
        if (!coverage.takes(engine->info(), *row, workload)) continue;
        INFO(engine->info().id << " " << row->name << " " << one.text << " " << toString(one.a->type()) << " -> "
                               << toString(one.output) << " " << toString(one.boundary) << " " << one.a->shape().text()
                               << ", " << Sampling::howToRepeat());
        CHECK(runAndCheck(*engine, *row, workload, inputs, one.mostOpen) == "");
        coverage.compared(engine->info(), *row);
      }
  coverage.requireAll();
}

// Neighbors, positions and constants of all element types with every boundary rule and shape; devices, which compile
// for each formula, type and rule, take each of them, not each pair.
void agreeOnTypes(EngineKind kind) {
  const VolumeShape shapes[] = {{1, 1, 1, 1},  {7, 1, 1, 1},   {1, 5, 3, 1}, {13, 7, 5, 1}, {17, 9, 1, 1},
                                {33, 6, 4, 1}, {600, 3, 2, 1}, {9, 5, 4, 3}, {1, 1, 40, 1}, {67, 12, 1, 4}};
  const char* texts[] = {
      "if(a[1,0,0] > a[0,-1,0] and x < 5, a[-2,1,-1]*0.5 + y, a - @k=0.25[0..1]*a[0,0,2]) + zmm + nx*0.125",
      "a[1,0,0] + a[-1,0,0] + a[0,1,0] + a[0,-1,0] + a[0,0,1] + a[0,0,-1] - 6*a",
      "sqrt((a[1,0]-a[-1,0])^2 + (a[0,1]-a[0,-1])^2)",
      "if(a > a[0,0,1] and not (x < 2), a*0.25, -a[3,-2,1] + y)",
      "clamp(mix(a, xmm, 0.25), 0, @top=40[0..100]) + nz*0.5",
      "max(a, a[-15,0,0], a[0,15,0]) - min(a[0,0,15], 1, z)"};
  const std::vector<std::size_t> sizes{std::size(kElementTypes), 3, std::size(kBoundaries), std::size(shapes),
                                       std::size(texts)};
  const auto sampling = Sampling::ofRun().named("types of formulas");
  const auto chosen =
      isDevice(kind) ? test::eachValue(sizes, sampling) : test::coveringArray(sizes, {sampling.seed, false});
  std::vector<Volume> volumes;
  volumes.reserve(chosen.size());
  std::vector<Case> cases;
  for (const auto& one : chosen) {
    const ElementType input = kElementTypes[one[0]];
    const ElementType output = std::array{ElementType::f32, ElementType::f64, input}[one[1]];
    volumes.push_back(test::randomVolume(shapes[one[3]], input, volumes.size()));
    cases.push_back({texts[one[4]], &volumes.back(), &volumes.back(), kBoundaries[one[2]], output, 0.1});
  }
  agree(TestMachine(), kind, cases);
}

// Where each function is smooth, at its jumps, and what combines them.
constexpr const char* kOrdinary =
    "exp(3*a); log(abs(a)); log2(abs(a)); log10(abs(a)); sin(40*a); cos(40*a); sin(2000*a); tan(a); asin(a); "
    "acos(a); atan(5*a); atan2(a, b); sinh(3*a); cosh(3*a); tanh(3*a); floor(9*a); ceil(9*a); round(9*a); "
    "sign(a); step(a, b); smoothstep(-0.5, 0.5, a); hypot(a, b); pow(abs(a), b); mod(a, 0.3); mod(a, b); "
    "isnan(a); isfinite(a); a^3; a^-2; a^7 + b; a/b; sqrt(abs(a)); a < b or a == b; a >= b and a != b; "
    "eigmin(a, b, a-b); eigmax(a, b, a*b); eig1(a, b, a+b, a*b, b*b, a*a); "
    "eig2(a, b, a+b, a*b, b*b, a*a) + eig3(a, b, a+b, a*b, b*b, a*a); eigabs1(a, b, -a, a*b, b, a); "
    "eigabs3(a, b, -a, a*b, b, a) / eigabs2(a, b, -a, a*b, b, a); "
    "eigmapxx(a, b, a+b, a*b, b*b, a*a, a, b, 1); "
    "eigmapyz(a, b, a+b, a*b, b*b, a*a, 1, 2, b) + eig2(a, b, a+b, a*b, b*b, a*a); "
    "eigmapxz(a, a, a, 0, 0, 0, b, b, b) + eigmapxy(a, b, a, 0, a*b, 0, 1, exp(a), 3); sqrt(y) + 0*a; "
    "exp(@k=0.5) + 0*a; a; z + 0*a";

std::vector<std::string> ordinary() {
  std::vector<std::string> texts;
  std::istringstream all(kOrdinary);
  for (std::string text; std::getline(all >> std::ws, text, ';');) texts.push_back(text);
  return texts;
}

// Every function, of ordinary numbers and of NaN, infinity, huge and tiny ones. Devices, which compile for each, take a
// twelfth of them in a run.
void agreeOnFunctions(EngineKind kind) {
  const VolumeShape shape{61, 5, 3, 1};
  std::vector<Volume> volumes;
  volumes.reserve(8);
  std::vector<Case> cases;
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Volume& a = volumes.emplace_back(test::randomVolume(shape, type, 3));
    const Volume& b = volumes.emplace_back(test::randomVolume(shape, type, 4));
    for (const std::string& text : ordinary()) cases.push_back({text, &a, &b, Boundary::nearest, type, 0.02});
    const Volume& wildA = volumes.emplace_back(test::wildVolume(shape, type, 6, !isDevice(kind)));
    const Volume& wildB = volumes.emplace_back(test::wildVolume(shape, type, 5, !isDevice(kind)));
    for (const FormulaFunction& function : formulaFunctions()) {
      std::string text = std::string(function.name) + "(a";
      for (std::size_t i = 1; i < function.least; ++i) text += i % 2 != 0 ? ", b" : ", a[1,0]";
      cases.push_back({text + ")", &wildA, &wildB, Boundary::wrap, type});
    }
    for (const char* text :
         {"a + b*a[1,0]", "a*b - b[0,1]", "b - a*a", "a/b", "a < b", "a <= b", "a == b", "a != b", "not a", "a and b",
          "a or b", "min(a, b, a[1,1])", "max(b, a)", "a^3 + b^-2", "-a", "a", "0*a + 7", "1e39*a"})
      cases.push_back({text, &wildA, &wildB, Boundary::constant, type});
  }
  if (isDevice(kind))
    cases = test::sampleOf(cases.size() / 12, cases, Sampling::ofRun().named("functions of formulas"));
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

TEST_CASE_METHOD(TestMachine, "a formula's next constants are adopted without compiling, with the bits of a new plan") {
  const Volume a = test::randomVolume({23, 6, 3, 1}, ElementType::f32, 3);
  const FormulaWorkload first = formulaOn("a*@k=0.5[0..1] + exp(@k)", {&a}, Boundary::mirror, ElementType::f32);
  const FormulaWorkload second(first.formula().withConstants({{"k", 0.25}}), first.setting());
  for (Engine* engine : chosen())
    for (const Variant* row : variants.rows("formula", engine->info().kind)) {
      INFO(engine->info().id << " " << row->name);
      const auto plan = row->prepare(*engine, first, {}, {});
      CHECK(test::wrongIn(first, a, test::runOnce(*plan, first, a)) == "");
      REQUIRE(plan->adopt(second, {}));
      const test::PlanRun next = test::runOnce(*plan, second, a);
      CHECK(test::wrongIn(second, a, next) == "");
      CHECK(next.report.phases.compile == 0);
      CHECK(test::sameBits(next, test::runOnce(*row->prepare(*engine, second, {}, {}), second, a)));
      CHECK_FALSE(plan->adopt(formulaOn("a*@k=0.5[0..1]", {&a}, Boundary::mirror, ElementType::f32), {}));
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
