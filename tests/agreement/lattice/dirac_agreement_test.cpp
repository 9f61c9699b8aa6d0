// Every rung of Wilson's operator on every engine against the formula.

#include <cmath>
#include <cstring>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/measure/verify.h"
#include "tests/agreement/coverage.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using namespace lattice;
using test::TestMachine;

// The lattices of the tests, and two that are thin and odd.
const std::array<int, 4> kDiracLattices[] = {{4, 4, 4, 4}, {4, 4, 4, 8}, {6, 4, 2, 8},
                                             {2, 2, 2, 2}, {1, 3, 2, 5}, {5, 1, 1, 1}};

std::string wrong(Engine& engine, const Variant& row, const DiracWorkload& workload, const PrepareOptions& options) {
  Volume in(test::shapeOf(workload.inputs()[0]), ElementType::f64);
  const SpinorField psi = hashSource(workload.field().lattice(), 3);
  std::memcpy(in.data(), psi.data(), static_cast<std::size_t>(in.bytes()));
  const auto plan = row.prepare(engine, workload, options, {});
  test::forgetBuffers(engine);
  const test::PlanRun run = test::runOnce(*plan, workload, in);
  const ConstArrayView from = std::as_const(in).view();
  const Verification verdict = verify(row, workload, {&from, 1}, run.views(), test::kEverywhere, {});
  if (!verdict.verified) return verdict.failure + " (rel_l2 " + std::to_string(verdict.relativeL2) + ")";
  if (run.report.engine != engine.info().id || run.report.variant != row.name) return "the report names something else";
  return {};
}

// The rows of an engine; of a device, which compiles each of them for every lattice anew, a quarter in each run.
std::vector<const Variant*> rowsInTurn(const TestMachine& machine, const Engine& engine, const std::string& test) {
  const std::vector<const Variant*> rows = machine.variants.rows("dirac", engine.info().kind);
  if (!engine.info().isDevice()) return rows;
  return test::sampleOf((rows.size() + 3) / 4, rows, test::Sampling::ofRun().named(test));
}

}  // namespace

TEST_CASE("Every rung of Wilson's operator agrees with the formula") {
  const TestMachine machine;
  const WilsonParameters kParameters[] = {{0.12, -1, false}, {0.17, 1, false}, {-0.1, -1, true}};
  const std::vector<Engine*> engines = machine.chosen();
  if (engines.empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  test::Coverage coverage(machine.variants, test::infosOf(engines), "dirac");
  const auto sampling = test::Sampling::ofRun().named("dirac");
  for (std::size_t l = 0; l < std::size(kDiracLattices); ++l) {
    const auto field = std::make_shared<GaugeField>(hotStart(Lattice(kDiracLattices[l]), 7));
    for (std::size_t p = 0; p < std::size(kParameters); ++p) {
      const WilsonParameters& parameters = kParameters[p];
      const DiracWorkload workload(field, parameters);
      for (Engine* engine : engines) {
        for (const Variant* row : machine.variants.rows("dirac", engine->info().kind)) {
          // Devices compile for every lattice and parameter anew: there a run has one of them, whose kernels rows
          // share.
          if (engine->info().isDevice() && !test::inShare(l * std::size(kParameters) + p,
                                                          std::size(kDiracLattices) * std::size(kParameters), sampling))
            continue;
          if (!coverage.takes(engine->info(), *row, workload)) continue;
          INFO(engine->info().id << " " << row->name << " " << field->lattice().text() << " kappa " << parameters.kappa
                                 << ", " << test::Sampling::howToRepeat());
          PrepareOptions options;
          options.values = completeOptions(row->options, {});
          CHECK(wrong(*engine, *row, workload, options) == "");
          coverage.compared(engine->info(), *row);
        }
      }
    }
  }
  coverage.requireAll();
}

TEST_CASE("Wilson's operator takes links that are not unitary as they are") {
  const TestMachine machine;
  GaugeField field = hotStart(Lattice({4, 2, 2, 2}), 7);
  field.link(5, 1)(2, 0) += 0.25;  // a third row that does not follow from the others
  const DiracWorkload workload(std::make_shared<GaugeField>(std::move(field)), {0.12, -1, false});
  for (Engine* engine : machine.chosen())
    for (const Variant* row : rowsInTurn(machine, *engine, "links")) {
      INFO(engine->info().id << " " << row->name << ", " << test::Sampling::howToRepeat());
      PrepareOptions options;
      options.values = completeOptions(row->options, {});
      CHECK(wrong(*engine, *row, workload, options) == "");
    }
}

TEST_CASE("Wilson's operator takes fields whose elements do not follow each other") {
  const TestMachine machine;
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 3, 2, 2}), 7));
  const DiracWorkload workload(field, {0.12, -1, false});
  const ArraySpec spec = workload.inputs()[0];
  const SpinorField psi = hashSource(field->lattice(), 1);
  std::vector<double> in(static_cast<std::size_t>(spec.elements() * 2)), out(in.size(), 7);
  for (std::size_t k = 0; k < psi.size() * 2; ++k) in[2 * k] = reinterpret_cast<const double*>(psi.data())[k];
  ConstArrayView from{spec.type, reinterpret_cast<const std::byte*>(in.data()), spec.extent, {48, 192, 576, 2}};
  ArrayView to{spec.type, reinterpret_cast<std::byte*>(out.data()), spec.extent, {48, 192, 576, 2}};
  for (Engine* engine : machine.chosen())
    for (const Variant* row : rowsInTurn(machine, *engine, "strides")) {
      INFO(engine->info().id << " " << row->name << ", " << test::Sampling::howToRepeat());
      PrepareOptions options;
      options.values = completeOptions(row->options, {});
      row->prepare(*engine, workload, options, {})->run({{&from, 1}, 0}, {&to, 1}, {});
      const ConstArrayView result = to;
      CHECK(verify(*row, workload, {&from, 1}, {&result, 1}, {1e9, 1}, {}).verified);
      for (std::size_t k = 1; k < out.size(); k += 2) REQUIRE(out[k] == 7);  // between the elements nothing is written
    }
}

TEST_CASE("Wilson's operator refuses what is not a spinor field") {
  const OptionValues values = completeOptions(DiracWorkload::options(), {{"time", std::int64_t{4}}});
  CHECK_THROWS_AS(DiracWorkload({ElementType::f32, {4, 4, 16, 24}}, values), Error);
  CHECK_THROWS_AS(DiracWorkload({ElementType::f64, {4, 4, 16, 12}}, values), Error);
  CHECK_THROWS_AS(DiracWorkload({ElementType::f64, {4, 4, 15, 24}}, values), Error);
  CHECK(DiracWorkload({ElementType::f64, {4, 4, 16, 24}}, values).field().lattice().text() == "4x4x4x4");
  CHECK_THROWS_AS(DiracWorkload(std::make_shared<GaugeField>(Lattice({2, 2, 2, 2})), {std::nan(""), -1, false}), Error);
  CHECK_THROWS_AS(DiracWorkload(std::make_shared<GaugeField>(Lattice({2, 2, 2, 2})), {0.1, 0, false}), Error);
}

}  // namespace sscope
