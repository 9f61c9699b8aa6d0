#pragma once
// What the tests of the devices share: one set of engines a process, filters, and running with verification.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/measure/verify.h"
#include "core/workload/filter_workload.h"
#include "tests/support/support.h"

namespace sscope::test {

// The engines of this machine, made for the first test that asks and gone when the last one ended (drivers do not like
// to be called while the process exits).
class GpuBench {
 public:
  static GpuBench& instance();
  static void close();

  // The first device engine, or null.
  [[nodiscard]] Engine* device() const;
  [[nodiscard]] const EngineSet& engines() const { return engines_; }
  [[nodiscard]] const VariantTable& variants() const { return variants_; }

 private:
  GpuBench();
  static std::unique_ptr<GpuBench> bench;
  EngineSet engines_;
  VariantTable variants_;
};

struct GpuRun {
  std::vector<Volume> outputs;
  RunReport report;
};

// Prepares and runs; outputs start out poisoned.
[[nodiscard]] GpuRun runOn(Engine& engine, const FilterWorkload& workload, const Volume& input,
                           const std::string& variant, const PrepareOptions& options = {}, std::uint64_t identity = 0,
                           const Control& control = {});
// Fails the test when the outputs are not the reference's.
void requireRight(const FilterWorkload& workload, const Volume& input, const GpuRun& run);
[[nodiscard]] bool sameBytes(const Volume& a, const Volume& b);

// Deterministic taps that are no product of lines, of any size and anchor.
[[nodiscard]] Filter denseFilter(std::array<std::int64_t, 3> size, std::array<std::int64_t, 3> anchor);
// A sum of terms with lines of the given lengths.
[[nodiscard]] Filter separableFilter(const std::vector<std::array<std::int64_t, 3>>& sizes);

}  // namespace sscope::test
