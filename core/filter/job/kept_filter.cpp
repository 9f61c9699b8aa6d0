#include "core/filter/job/kept_filter.h"

#include "core/base/error.h"
#include "core/base/stopwatch.h"

namespace sscope {

bool KeptFilter::adopted(const FilterJob& job, const Volume& input, const Control& control) {
  if (prepared_ && prepared_->adopt(job, input, control)) return true;
  prepared_.reset();  // never two plans at once
  const auto make = [&] { return std::make_unique<PreparedFilter>(engines_, variants_, job, input, control); };
  try {
    prepared_ = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Memory || pool_.kept() == 0) throw;
    pool_.release();
    prepared_ = make();
  }
  return false;
}

// A result that `make` gives; after a failure nothing is kept.
template <class Make>
auto KeptFilter::guarded(Make&& make) {
  try {
    return make();
  } catch (const Canceled&) {
    throw;  // what was stopped runs again as if nothing had been
  } catch (...) {
    release();
    throw;
  }
}

FilterResult KeptFilter::run(const FilterJob& job, const Volume& input, const Control& control) {
  const Stopwatch watch;
  return guarded([&] {
    if (adopted(job, input, control)) requireMemory(prepared_->outputBytes() - pool_.kept());
    FilterResult result = prepared_->makeRoom(pool_);
    prepared_->run(result, control);
    result.report.phases.total = watch.seconds();
    return result;
  });
}

ResidentFilterResult KeptFilter::runResident(const FilterJob& job, const Volume& input, const Control& control) {
  const Stopwatch watch;
  return guarded([&] {
    static_cast<void>(adopted(job, input, control));
    ResidentFilterResult result = prepared_->runResident(pool_, control);
    result.report.phases.total = watch.seconds();
    return result;
  });
}

std::optional<ResidentFilterResult> KeptFilter::runIfReady(const FilterJob& job, const Volume& input,
                                                           const Control& control) {
  const Stopwatch watch;
  return guarded([&]() -> std::optional<ResidentFilterResult> {
    if (prepared_ && !prepared_->adopt(job, input, control)) prepared_.reset();
    if (!prepared_) return std::nullopt;
    ResidentFilterResult result = prepared_->runResident(pool_, control);
    result.report.phases.total = watch.seconds();
    return result;
  });
}

void KeptFilter::release() {
  prepared_.reset();
  pool_.release();
}

std::int64_t KeptFilter::keptBytes() const { return pool_.kept() + (prepared_ ? prepared_->scratchBytes() : 0); }

}  // namespace sscope
