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
#include "tests/support/support.h"

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

// In a test: runs it once for every device; null where there is none.
inline Engine* eachDevice() { return GENERATE_REF(Catch::Generators::from_range(GpuBench::instance().devices())); }

struct GpuRun {
  std::vector<Volume> outputs;
  RunReport report;
};

// Prepares and runs; outputs start out poisoned, and so does all memory of the device unless an `identity` is given.
[[nodiscard]] GpuRun runOn(Engine& engine, const Workload& workload, const Volume& input, const std::string& variant,
                           const PrepareOptions& options = {}, std::uint64_t identity = 0, const Control& control = {});
// Fails the test when the outputs are not the reference's; of a row: as the row is judged.
void requireRight(const Workload& workload, const Volume& input, const GpuRun& run);
void requireRight(const Variant& row, const Workload& workload, const Volume& input, const GpuRun& run);
[[nodiscard]] bool sameBytes(const Volume& a, const Volume& b);
// Voxels of `part`, the result for a region, that are not those of the whole result there; of one component.
[[nodiscard]] std::int64_t differentVoxels(const Volume& part, const Volume& whole, const Box& region);

// Noise of 40x30x20 f32 with NaN inside, Inf at an edge and -Inf in a corner.
[[nodiscard]] Volume noiseWithNanAndInf();

// Deterministic taps that are no product of lines, of any size and anchor.
[[nodiscard]] Stencil denseFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor);
// A sum of terms with lines of the given lengths.
[[nodiscard]] Stencil separableFilter(const std::vector<std::array<std::int64_t, 3>>& sizes);

}  // namespace sscope::test
