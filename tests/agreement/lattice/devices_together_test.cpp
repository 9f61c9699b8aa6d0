// The lattice on several devices at once: the bits of one of them, whether they copy halos to each other or the host
// carries them.
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

TEST_CASE("Wilson's operator on several devices has the bits of one, by every way that halos take") {
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
            const SpinorField expected = test::applied(*alone, field->lattice(), psi);
            const auto plan =
                machine.variants.prepare(machine.together(*engine, one.devices), workload, row->name, {}, {});
            CHECK_THAT(plan->description(), ContainsSubstring("the inside while the halo is on its way"));
            requireBuffers(*plan, engine->info(), one.devices);
            CHECK(alone->buffers().size() > 3);
            // Again, with what the first run left behind.
            for (int run = 0; run < 2; ++run)
              CHECK(test::sameBits(test::applied(*plan, field->lattice(), psi, &report), expected));
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

TEST_CASE("the conjugate residual on several devices has the bits of one, for every variant that stays there") {
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
          const auto alone = test::prepared(*engine, *row, workload);
          const auto plan = test::asCrPlan(
              machine.variants.prepare(machine.together(*engine, one.devices), workload, row->name, {}, {}));
          requireBuffers(*plan, engine->info(), one.devices);
          test::requireSame(*plan, *alone, lattice, source, 12, true);
        }
      }
  }
}

TEST_CASE(
    "the conjugate residual on several devices tells of kernels, ends where it breaks down, and can be canceled") {
  const DeviceMachine machine(true);
  if (machine.chosen().empty()) SSCOPE_SKIP(test::kNoDevice);
  for (Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    if (machine.variants.rows("cr", engine->info().kind).empty()) continue;
    const Lattice lattice({4, 2, 2, 6});
    const auto both = [&](const CrWorkload& workload) {
      return test::asCrPlan(machine.variants.prepare(machine.together(*engine, 2), workload, "", {}, {}));
    };
    const auto singular = both(test::singularOn(lattice));
    test::requireBreakdown(*singular, lattice);
    test::requireZero(*singular, lattice);

    const CrWorkload workload = test::likeSingularOn(lattice, 100000);
    const auto plan = both(workload);
    const SpinorField source = hashSource(lattice, 3);
    test::requireCanceled(*plan, lattice, source);
    SpinorField expected, solution;
    const CrOutcome traced = test::requireTrace(*plan, lattice, source, solution, 10);
    const auto alone = test::asCrPlan(machine.variants.prepare(*engine, workload, "", {}, {}));
    CHECK(test::differenceOf(traced, test::solved(*alone, lattice, source, expected, {10, 0, {}, nullptr})) == "");
    CHECK(test::sameBits(solution, expected));
  }
}

}  // namespace sscope
