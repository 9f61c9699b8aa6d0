#pragma once
// A bank whose results are computed part by part, each with the bits of the whole, because the whole is nowhere: results
// by slabs of data that arrive, from file to file, and slices of data larger than memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/job/filter_job.h"
#include "core/measure/judged_parts.h"
#include "core/volume/volume_pool.h"

namespace sscope {

// What is known of all parts together.
struct FilterSums {
  RunReport report;  // its total leaves out the time in which nothing was computed
  std::vector<std::string> names;
  std::int64_t nonFinite = 0;        // elements of the outputs that are NaN or infinite
  std::vector<StepNorms> lastSteps;  // as FilterResult's
  std::optional<Verification> verification;
};

class FilterParts {
 public:
  // Both outlive this.
  FilterParts(const EngineSet& engines, const VariantTable& variants) : engines_(engines), variants_(variants) {}

  // Computes one more part, of a job with a region, in memory that earlier parts do not use any more. Of the input only
  // what the part reads has to be there. Throws as PreparedFilter and its run.
  [[nodiscard]] FilterResult run(const FilterJob& job, const Volume& input, const Control& control);
  // Compares that result with the reference, and throws Error(Device) if it is wrong and `strict`.
  void verify(const FilterJob& job, const Volume& input, const FilterResult& part, const VerifyOptions& options,
              bool strict, const Control& control);
  // `parts`: how many there are, "slabs" or what they are called.
  [[nodiscard]] FilterSums sums(std::size_t parts, const std::string& called) const;
  [[nodiscard]] const RunReport& report() const { return sums_.report; }

 private:
  const EngineSet& engines_;
  const VariantTable& variants_;
  VolumePool pool_;
  FilterSums sums_;
  JudgedParts judged_;
};

}  // namespace sscope
