#pragma once
// What the tests of the devices share: one set of engines (watched, see watched_device.h) a process, filters, and
// running with verification.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "tests/support/catch.h"
#include "tests/support/runs.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

// In a test: `engine` is each device in turn; ends the test where there is none.
#define SSCOPE_EACH_DEVICE(engine)                     \
  sscope::Engine* engine = sscope::test::eachDevice(); \
  if ((engine) == nullptr) SSCOPE_SKIP("there is no device")

namespace sscope::test {

// The engines of this machine, made for the first test that asks and gone when the last one ended (drivers do not like
// to be called while the process exits).
class GpuBench {
 public:
  static GpuBench& instance();
  static void close();

  // The device engines, one null if there is none. SSCOPE_TEST_ENGINES, the beginning of an id ("cuda"), leaves the
  // others out.
  [[nodiscard]] std::vector<Engine*> devices() const;
  [[nodiscard]] const EngineSet& engines() const { return engines_; }
  [[nodiscard]] const VariantTable& variants() const { return variants_; }

 private:
  GpuBench();
  static std::unique_ptr<GpuBench> bench;
  EngineSet engines_;
  VariantTable variants_;
};

inline Engine* eachDevice() { return GENERATE_REF(Catch::Generators::from_range(GpuBench::instance().devices())); }

// Prepares and runs; outputs start out poisoned, and so does all memory of the device unless an `identity` is given.
[[nodiscard]] PlanRun runOn(Engine& engine, const Workload& workload, const Volume& input, const std::string& variant,
                            const PrepareOptions& options = {}, std::uint64_t identity = 0,
                            const Control& control = {});
// Fails the test when the outputs are not the reference's; of a row: as the row is judged.
void requireRight(const Workload& workload, const Volume& input, const PlanRun& run);
void requireRight(const Variant& row, const Workload& workload, const Volume& input, const PlanRun& run);
// Noise of 40x30x20 f32 with NaN inside, Inf at an edge and -Inf in a corner.
[[nodiscard]] Volume noiseWithNanAndInf();

}  // namespace sscope::test
