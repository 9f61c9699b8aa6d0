// CPU engines against the reference on awkward shapes.

#include <array>

#include <nlohmann/json.hpp>

#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Case {
  VolumeShape shape;
  std::array<std::int64_t, 3> size, anchor;
};

const Case kCases[] = {
    {{1, 1, 1, 1}, {3, 3, 3}, {1, 1, 1}},    {{2, 3, 1, 1}, {7, 5, 9}, {3, 2, 4}},
    {{37, 23, 11, 1}, {7, 7, 7}, {3, 3, 3}}, {{70, 19, 6, 1}, {4, 2, 6}, {2, 1, 3}},
    {{133, 5, 3, 1}, {1, 9, 1}, {0, 0, 0}},  {{3, 90, 41, 1}, {5, 3, 1}, {4, 2, 0}},
    {{21, 18, 9, 3}, {3, 4, 5}, {0, 3, 2}},  {{129, 67, 1, 1}, {15, 15, 1}, {7, 7, 0}},
    {{17, 9, 33, 1}, {1, 1, 17}, {0, 0, 8}}, {{40, 12, 8, 2}, {2, 3, 2}, {5, -2, 0}},
    {{129, 67, 1, 3}, {9, 7, 1}, {4, 3, 0}}, {{43, 40, 2, 4}, {4, 6, 1}, {1, 7, 0}},
    {{50, 8, 3, 16}, {3, 1, 3}, {-1, 0, 1}}, {{34, 33, 2, 17}, {5, 3, 1}, {2, 1, 0}},
};

// The filters of a case on data, of f32.
FilterWorkload workloadOf(const Case& c, Boundary boundary, ElementType output) {
  return {{denseFilter(c.size, c.anchor), separableFilter(c.size, c.anchor)},
          boundary,
          0.75,
          {ElementType::f32, {c.shape.nx, c.shape.ny, c.shape.nz, c.shape.components}},
          output};
}

void expectAgreement(const CpuMachine& machine, const Engine& engine, const Variant& variant,
                     const FilterWorkload& workload, const Volume& input) {
  const CpuRun run = runOnCpu(machine, engine.info().id, variant.name, workload, input);
  const Verification verification = check(workload, input, run);
  INFO(engine.info().id << " " << variant.name << " " << input.shape().text() << " to "
                        << toString(workload.outputType()) << " " << toString(workload.boundary()) << " "
                        << workload.parameters().dump() << ", " << Sampling::howToRepeat());
  CHECK(verification.failure.empty());
  CHECK(verification.full);
  CHECK(run.report.engine == engine.info().id);
  CHECK(run.scratchBytes < (64 << 20));
}

}  // namespace

TEST_CASE("CPU engines agree with the reference on odd shapes and every boundary") {
  const CpuMachine machine;
  const auto engines = machine.engines.available();
  const auto rows = machine.variants.rows("filter", EngineKind::Cpu);
  constexpr std::array kOutputs{ElementType::f32, ElementType::f64};
  const Allowed allowed = [&](const Combination& one) {
    const FilterWorkload workload = workloadOf(kCases[one[0]], kBoundaries[one[1]], kOutputs[one[2]]);
    return rows[one[4]]->unsupported(engines[one[3]]->info(), workload).empty();
  };
  const auto array =
      coveringArray({std::size(kCases), std::size(kBoundaries), kOutputs.size(), engines.size(), rows.size()},
                    Sampling::ofRun().named("odd shapes"), allowed);
  CHECK(array.size() >= std::size(kCases) * engines.size());
  for (const Combination& one : array) {
    const Case& c = kCases[one[0]];
    expectAgreement(machine, *engines[one[3]], *rows[one[4]], workloadOf(c, kBoundaries[one[1]], kOutputs[one[2]]),
                    randomVolume(c.shape, ElementType::f32, 7));
  }
}
