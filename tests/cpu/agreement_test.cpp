// CPU engines against the reference on awkward shapes.

#include <nlohmann/json.hpp>

#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
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

void expectAgreement(const FilterWorkload& workload, const Volume& input) {
  static const CpuMachine machine;
  for (Engine* engine : machine.engines.available())
    for (const Variant* variant : machine.variants.rows("filter", EngineKind::Cpu)) {
      if (!variant->unsupported(engine->info(), workload).empty()) continue;
      const CpuRun run = runOnCpu(machine, engine->info().id, variant->name, workload, input);
      const Verification verification = check(workload, input, run);
      INFO(engine->info().id << " " << variant->name << " " << input.shape().text() << " " << toString(input.type())
                             << " to " << toString(workload.outputType()) << " " << toString(workload.boundary()) << " "
                             << workload.parameters().dump());
      CHECK(verification.failure.empty());
      CHECK(verification.full);
      CHECK(run.report.engine == engine->info().id);
      CHECK(run.scratchBytes < (64 << 20));
    }
}

}  // namespace

TEST_CASE("CPU engines agree with the reference on odd shapes and every boundary") {
  for (const Case& c : kCases)
    for (const Boundary boundary : kBoundaries) {
      const Volume input = randomVolume(c.shape, ElementType::f32, 7);
      const std::vector<Operator> filters{denseFilter(c.size, c.anchor), separableFilter(c.size, c.anchor)};
      expectAgreement({filters, boundary, 0.75, input.spec(), ElementType::f32}, input);
      expectAgreement({filters, boundary, 0.75, input.spec(), ElementType::f64}, input);
    }
}
