#pragma once
// Runs a bank again and again while a slider moves. As long as only weights change, it keeps the plan with its buffers,
// tables and compiled kernels; it also keeps the memory of results that are no longer shown. The input stays on the
// device by itself (Inputs::identity).

#include <cstdint>
#include <memory>
#include <optional>

#include "core/filter/job/filter_job.h"
#include "core/volume/volume.h"

namespace sscope {

// To be used by one thread at a time.
class KeptFilter {
 public:
  // Both outlive it.
  KeptFilter(const EngineSet& engines, const VariantTable& variants) : engines_(engines), variants_(variants) {}

  // Gives the same bits as runFilter(), whatever job ran before.
  [[nodiscard]] FilterResult run(const FilterJob& job, const Volume& input, const Control& control);
  // The same, but the results stay where they are computed.
  [[nodiscard]] ResidentFilterResult runResident(const FilterJob& job, const Volume& input, const Control& control);
  // The same if the kept plan can take the job without preparing or compiling; otherwise drops the plan and returns
  // nothing.
  [[nodiscard]] std::optional<ResidentFilterResult> runIfReady(const FilterJob& job, const Volume& input,
                                                               const Control& control);
  // Drops the plan and all kept memory.
  void release();
  // Host memory that is kept unused, in bytes.
  [[nodiscard]] std::int64_t keptBytes() const;

 private:
  template <class Make>
  auto guarded(Make&& make);
  // True if the kept plan takes the job; false if a new plan was made, which has checked that its outputs fit in
  // memory.
  bool adopted(const FilterJob& job, const Volume& input, const Control& control);

  const EngineSet& engines_;
  const VariantTable& variants_;
  VolumePool pool_;
  std::unique_ptr<PreparedFilter> prepared_;
};

}  // namespace sscope
