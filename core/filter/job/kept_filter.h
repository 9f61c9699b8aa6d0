#pragma once
// What is kept of running a bank from one setting to the next, while a slider moves: the plan with its buffers, tables
// and compiled kernels, as long as only weights change, and the memory of results that nobody shows any more. The input
// stays on the device by itself (Inputs::identity).

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

  // As runFilter, to the bit, for any job after any other.
  [[nodiscard]] FilterResult run(const FilterJob& job, const Volume& input, const Control& control);
  // The same results where they are computed.
  [[nodiscard]] ResidentFilterResult runResident(const FilterJob& job, const Volume& input, const Control& control);
  // The same if the plan is there already, so that nothing has to be prepared or compiled first; else nothing is done.
  [[nodiscard]] std::optional<ResidentFilterResult> runIfReady(const FilterJob& job, const Volume& input,
                                                               const Control& control);
  // Keeps nothing any more.
  void release();
  // Host memory that is kept unused, in bytes.
  [[nodiscard]] std::int64_t keptBytes() const;

 private:
  template <class Make>
  auto guarded(Make&& make);
  // False: there is a new plan, for whose outputs there is room.
  bool adopted(const FilterJob& job, const Volume& input, const Control& control);

  const EngineSet& engines_;
  const VariantTable& variants_;
  VolumePool pool_;
  std::unique_ptr<PreparedFilter> prepared_;
};

}  // namespace sscope
