// The lattice on several devices at once: the bits of one of them, whether they copy halos to each other or the host
// carries them.
#include <cstring>
#include <string>

#include "core/engine/joined_engine.h"
#include "core/engine/joined_parts.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/workload/dirac_workload.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/support/sampling.h"
#include "tests/support/secluded_device.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using namespace lattice;
using Catch::Matchers::ContainsSubstring;

struct DeviceMachine {
  EngineSet engines;
  VariantTable variants;
  explicit DeviceMachine(bool reach) {
    addGpuEngines(engines, reach ? test::watched : test::secluded);
    addGpuVariants(variants);
  }
  [[nodiscard]] std::vector<Engine*> chosen() const {
    std::vector<Engine*> all = engines.available();
    if (const char* wanted = std::getenv("SSCOPE_TEST_ENGINES"))
      std::erase_if(all, [&](const Engine* one) { return !one->info().id.starts_with(wanted); });
    return all;
  }
  // So many engines: this one and those of its model in turn, or itself again.
  [[nodiscard]] Engine& together(const Engine& engine, int count) const {
    std::vector<const Engine*> alike;
    for (const Engine* one : chosen())
      if (one->info().kind == engine.info().kind && one->info().name == engine.info().name) alike.push_back(one);
    std::string id = engine.info().id;
    const auto self = static_cast<std::size_t>(std::ranges::find(alike, &engine) - alike.begin());
    for (int k = 1; k < count; ++k) id += "+" + alike[(self + static_cast<std::size_t>(k)) % alike.size()]->info().id;
    return engines.at(id);
  }
};

struct TogetherCase {
  std::array<int, 4> extents;
  int devices;
  WilsonParameters wilson;
  double twist = 0;
};

// Parts of one slice, of two, and of several; as many as there are slices.
const TogetherCase kTogether[] = {{{4, 3, 2, 5}, 2, {0.12, -1, false}},
                                  {{1, 3, 2, 4}, 4, {0.1, 1, false}, 0.3},
                                  {{5, 2, 3, 7}, 3, {-0.11, -1, false}, -0.2}};

bool equalOnDevices(const SpinorField& a, const SpinorField& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Complex)) == 0;
}

SpinorField appliedTogether(Plan& plan, const Lattice& on, const SpinorField& in, RunReport& report) {
  SpinorField out(in.size(), Complex(std::numeric_limits<double>::quiet_NaN()));
  const ConstArrayView from = test::viewOf(on, in);
  const ArrayView to = test::viewOf(on, out);
  report = plan.run({{&from, 1}, 0}, {&to, 1}, {});
  return out;
}

std::string differenceBetween(const CrOutcome& a, const CrOutcome& b) {
  if (a.end != b.end || a.iterations != b.iterations || a.residuals.size() != b.residuals.size())
    return "another end, after " + std::to_string(a.iterations) + " and " + std::to_string(b.iterations);
  for (std::size_t k = 0; k < a.residuals.size(); ++k)
    if (std::memcmp(&a.residuals[k], &b.residuals[k], sizeof(double)) != 0)
      return "another residual after " + std::to_string(k) + " iterations";
  return {};
}

std::unique_ptr<CrPlan> preparedTogether(const DeviceMachine& machine, Engine& engine, const std::string& variant,
                                         const CrWorkload& workload) {
  auto plan = machine.variants.prepare(engine, workload, variant, {}, {});
  auto* cr = dynamic_cast<CrPlan*>(plan.get());
  REQUIRE(cr != nullptr);
  plan.release();
  return std::unique_ptr<CrPlan>(cr);
}

// Every device tells what it holds, all of it on a processor, whose memory is the host's.
void requireBuffers(const Plan& plan, const EngineInfo& engine, int devices) {
  std::int64_t bytes = 0;
  int links = 0;
  for (const PlanBuffer& one : plan.buffers()) {
    CHECK(one.bytes > 0);
    CHECK(one.onDevice != engine.isProcessor);
    bytes += one.bytes;
    CHECK_FALSE(one.engine.empty());
    if (one.what == "links") ++links;
  }
  CHECK(links == devices);
  if (engine.isProcessor) CHECK(bytes == plan.scratchBytes());
}

}  // namespace

TEST_CASE("Wilson's operator on several devices has the bits of one, by every way that halos take", "[joined]") {
  if (DeviceMachine(true).chosen().empty()) SSCOPE_SKIP(test::kNoDevice);
  const auto sampling = test::Sampling::ofRun().named("dirac on devices");
  const auto rows = sampling.named("rows");
  for (const bool reach : {true, false}) {
    std::size_t number = 0;  // the same cases both ways, whose kernels are the same
    const DeviceMachine machine(reach);
    for (Engine* engine : machine.chosen())
      for (const Variant* row : machine.variants.rows("dirac", engine->info().kind)) {
        if (!row->prepareTogether) continue;
        ++number;                                       // of the row, with which the cases take turns
        if (!test::inShare(number, 4, rows)) continue;  // a quarter of the rows in each run
        for (const TogetherCase& one : kTogether)
          for (const bool adjoint : {false, true}) {
            if (!test::inShare(number + (adjoint ? 1 : 0), 2, sampling)) continue;
            if (!test::inShare(number + static_cast<std::size_t>(&one - kTogether), 3, sampling)) continue;
            WilsonParameters wilson = one.wilson;
            wilson.adjoint = adjoint;
            const auto field = std::make_shared<GaugeField>(hotStart(Lattice(one.extents), 7));
            const DiracWorkload workload(field, wilson);
            INFO(engine->info().id << " " << row->name << " " << field->lattice().text() << " on " << one.devices
                                   << (reach ? "" : ", by the host") << (adjoint ? ", adjoint" : "") << ", "
                                   << test::Sampling::howToRepeat());
            const SpinorField psi = hashSource(field->lattice(), 3);
            RunReport report;
            const auto alone = machine.variants.prepare(*engine, workload, row->name, {}, {});
            const SpinorField expected = appliedTogether(*alone, field->lattice(), psi, report);
            const auto plan =
                machine.variants.prepare(machine.together(*engine, one.devices), workload, row->name, {}, {});
            CHECK_THAT(plan->description(), ContainsSubstring("the inside while the halo is on its way"));
            requireBuffers(*plan, engine->info(), one.devices);
            CHECK(alone->buffers().size() > 3);
            // Again, with what the first run left behind.
            for (int run = 0; run < 2; ++run)
              CHECK(equalOnDevices(appliedTogether(*plan, field->lattice(), psi, report), expected));
            // Two slices of half spinors from each, or of whole ones where they are rounded before they are projected.
            const std::int64_t numbers = row->name == "tuned-mixed" ? 24 : 12, size = row->lower ? 4 : 8;
            CHECK(report.launch.at("halo bytes") ==
                  static_cast<double>(2 * one.devices * field->lattice().spatialVolume() * numbers * size));
            CHECK(sharesIn(report.launch, report.engine).size() == static_cast<std::size_t>(one.devices));
            CHECK(report.phases.kernel > 0);
          }
      }
  }
}

TEST_CASE("the conjugate residual on several devices has the bits of one, for every variant that stays there",
          "[joined]") {
  if (DeviceMachine(true).chosen().empty()) SSCOPE_SKIP(test::kNoDevice);
  const auto sampling = test::Sampling::ofRun().named("cr on devices");
  const auto rows = sampling.named("rows");
  for (const bool reach : {true, false}) {
    std::size_t number = 0;  // the same cases both ways, whose kernels are the same
    const DeviceMachine machine(reach);
    for (Engine* engine : machine.chosen())
      for (const Variant* row : machine.variants.rows("cr", engine->info().kind)) {
        if (!row->prepareTogether) continue;
        ++number;
        if (!test::inShare(number, 4, rows)) continue;
        // So that one of them can be chosen where tools make kernels slow.
        DYNAMIC_SECTION(engine->info().id << " " << row->name << (reach ? "" : ", by the host"))
        for (const TogetherCase& one : kTogether) {
          if (!test::inShare(number + static_cast<std::size_t>(&one - kTogether), 3, sampling)) continue;
          const Lattice lattice(one.extents);
          const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {one.wilson, 12, one.twist});
          INFO(lattice.text() << " on " << one.devices << ", " << test::Sampling::howToRepeat());
          const SpinorField source = hashSource(lattice, 5);
          const auto alone = preparedTogether(machine, *engine, row->name, workload);
          const auto plan = preparedTogether(machine, machine.together(*engine, one.devices), row->name, workload);
          requireBuffers(*plan, engine->info(), one.devices);
          // All iterations; and to a tolerance, which mixed precision reaches by true residuals.
          for (const double tolerance : {0.0, 1e-9}) {
            int told = 0;
            const CrRequest request{tolerance > 0 ? 300 : 12, tolerance,
                                    [&](int iteration, double) { CHECK(iteration == ++told); }, nullptr};
            SpinorField expected, solution;
            const CrOutcome single = test::solved(*alone, lattice, source, expected, request);
            told = 0;
            const CrOutcome outcome = test::solved(*plan, lattice, source, solution, request);
            CHECK(told == outcome.iterations);
            CHECK(differenceBetween(outcome, single) == "");
            CHECK(equalOnDevices(solution, expected));
            CHECK(outcome.report.operations == single.report.operations);
            CHECK(outcome.report.executedOperations == single.report.executedOperations);
          }
        }
      }
  }
}

TEST_CASE("the conjugate residual on several devices tells of kernels, ends where it breaks down, and can be canceled",
          "[joined]") {
  const DeviceMachine machine(true);
  if (machine.chosen().empty()) SSCOPE_SKIP(test::kNoDevice);
  for (Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    if (machine.variants.rows("cr", engine->info().kind).empty()) continue;
    const Lattice lattice({4, 2, 2, 6});
    Engine& both = machine.together(*engine, 2);
    // kappa = 1/8 on unit links with periodic time: constant spinors are mapped to zero. The same of other links, so
    // that the kernels are the same.
    const WilsonParameters wilson{0.125, 1, false};
    const auto singular =
        preparedTogether(machine, both, "", CrWorkload(std::make_shared<GaugeField>(lattice), {wilson, 50, 0}));
    SpinorField solution;
    const SpinorField constant(static_cast<std::size_t>(lattice.volume() * kSpinorElements), Complex(1));
    const CrOutcome broken = test::solved(*singular, lattice, constant, solution, {50, 1e-10, {}, nullptr});
    CHECK((broken.end == CrEnd::ZeroImage || broken.end == CrEnd::ZeroProduct));
    const SpinorField zero(constant.size());
    CHECK(test::solved(*singular, lattice, zero, solution, {50, 1e-10, {}, nullptr}).residuals.back() == 0);
    CHECK(solution == zero);

    const CrWorkload workload(std::make_shared<GaugeField>(hotStart(lattice, 7)), {wilson, 100000, 0});
    const auto plan = preparedTogether(machine, both, "", workload);
    const SpinorField source = hashSource(lattice, 3);
    std::stop_source stop;
    CrRequest request{100000, 0,
                      [&](int iteration, double) {
                        if (iteration == 3) stop.request_stop();
                      },
                      nullptr};
    solution.assign(source.size(), Complex(0));
    const ConstArrayView from = test::viewOf(lattice, source);
    const ArrayView to = test::viewOf(lattice, solution);
    CHECK_THROWS_AS(plan->solve({{&from, 1}, 0}, {&to, 1}, request, {stop.get_token(), {}}), Canceled);

    KernelTrace trace;
    request = {10, 0, {}, &trace};
    const CrOutcome traced = test::solved(*plan, lattice, source, solution, request);
    SpinorField expected;
    const auto alone = preparedTogether(machine, *engine, "", workload);
    CHECK(differenceBetween(traced, test::solved(*alone, lattice, source, expected, {10, 0, {}, nullptr})) == "");
    CHECK(equalOnDevices(solution, expected));
    REQUIRE(trace.spans.size() > 60);
    CHECK(trace.spans.back().iteration == 10);
    for (const KernelSpan& span : trace.spans) CHECK(span.end >= span.start);
  }
}

}  // namespace sscope
