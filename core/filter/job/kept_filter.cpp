#include "core/filter/job/kept_filter.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"

namespace sscope {

void KeptFilter::prepare(const FilterJob& job, const Volume& input, const Control& control) {
  if (prepared_ && prepared_->adopt(job, input, control)) {
    requireMemory(prepared_->outputBytes() - pool_.kept());
    return;
  }
  prepared_.reset();  // never two plans at once
  const auto make = [&] { return std::make_unique<PreparedFilter>(engines_, variants_, job, input, control); };
  try {
    prepared_ = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Memory || pool_.kept() == 0) throw;
    pool_.release();
    prepared_ = make();
  }
}

// `run` makes the result with the prepared filter.
template <class Run>
auto KeptFilter::timed(const FilterJob& job, const Volume& input, const Control& control, Run&& run) {
  const Stopwatch watch;
  try {
    prepare(job, input, control);
    auto result = run();
    result.report.phases.total = watch.seconds();
    return result;
  } catch (const Canceled&) {
    throw;  // what was stopped runs again as if nothing had been
  } catch (...) {
    release();
    throw;
  }
}

FilterResult KeptFilter::run(const FilterJob& job, const Volume& input, const Control& control) {
  return timed(job, input, control, [&] {
    FilterResult result = prepared_->makeRoom(pool_);
    prepared_->run(result, control);
    return result;
  });
}

ResidentFilterResult KeptFilter::runResident(const FilterJob& job, const Volume& input, const Control& control) {
  return timed(job, input, control, [&] { return prepared_->runResident(pool_, control); });
}

void KeptFilter::release() {
  prepared_.reset();
  pool_.release();
}

std::int64_t KeptFilter::keptBytes() const { return pool_.kept() + (prepared_ ? prepared_->scratchBytes() : 0); }

}  // namespace sscope
