#include "app/mpi/outcome.h"

#include <utility>

namespace sscope::mpi {

void Outcome::fail(Failure failure) {
  const std::lock_guard lock(mutex_);
  if (failure_) return;
  failure_ = std::move(failure);
  failed_ = true;
  if (listener_) listener_(*failure_);
}

void Outcome::listen(std::function<void(const Failure&)> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
  if (failure_ && listener_) listener_(*failure_);
}

std::optional<Failure> Outcome::failure() const {
  if (!failed_) return {};
  const std::lock_guard lock(mutex_);
  return failure_;
}

void Outcome::check(const Control& control) const {
  if (const std::optional<Failure> known = failure()) {
    if (known->lost) throw Error(known->kind, known->sentence);
    throw Canceled();
  }
  control.check();
}

}  // namespace sscope::mpi
