// Banks of separable filters in one kernel beside their results (tests/agreement/method_cases.cpp), on any device.

#include "core/volume/volume.h"
#include "tests/gpu/posing_engine.h"
#include "tests/support/catch.h"
#include "tests/support/taps.h"

namespace sscope::test {

TEST_CASE("banks in one kernel launch fewer kernels than their filters", "[fused-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({41, 20, 9, 1}, ElementType::f32, 1);
  const FilterWorkload workload(unlike(), Boundary::wrap, 0, input.spec(), ElementType::f32);
  const auto launches = [&](const char* row) {
    posing.counted.launched = 0;
    (void)runOn(*posing.engine, workload, input, row);
    return posing.counted.launched;
  };
  CHECK(launches("fused-bank") < launches("fused"));
}

// Outputs leave while later slabs are computed, more of them at once than there are spare buffers.
TEST_CASE("banks in one kernel leave in slabs", "[fused-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({96, 72, 80, 1}, ElementType::f32, 3);  // two slabs
  const FilterWorkload workload(gradient(3), Boundary::nearest, 0, input.spec(), ElementType::f32);
  const PlanRun bank = runOn(*posing.engine, workload, input, "fused-bank");
  requireRight(workload, input, bank);
  CHECK(bank.report.phases.overlap >= 0);
  const PlanRun apart = runOn(*posing.engine, workload, input, "fused");
  for (std::size_t f = 0; f < bank.outputs.size(); ++f) CHECK(sameBits(bank.outputs[f], apart.outputs[f]));
}

TEST_CASE("results of banks in one kernel stay on the device with the bits of filters apart", "[fused-bank]") {
  SSCOPE_POSING_ENGINE(posing);
  const Volume input = randomVolume({70, 30, 12, 1}, ElementType::f32, 2);
  const FilterWorkload workload(gradient(3), Boundary::reflect, 0, input.spec(), ElementType::f32);
  const auto plan = GpuBench::instance().variants().prepare(*posing.engine, workload, "fused-bank", {}, {});
  const ConstArrayView in = input.view();
  VolumePool memory;
  const ResidentRun kept = plan->runResident({{&in, 1}, 0}, workload.outputs(), memory, {});
  const PlanRun apart = runOn(*posing.engine, workload, input, "fused");
  REQUIRE(kept.outputs.size() == 3);
  for (std::size_t f = 0; f < 3; ++f) {
    Volume output(input.shape(), ElementType::f32);
    kept.outputs[f]->copyTo(output.view(), {});
    CHECK(sameBits(output, apart.outputs[f]));
  }
}

}  // namespace sscope::test
