#include "core/parts/slab_queue.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"

namespace sscope::reach {

SlabQueue::SlabQueue(std::size_t takers, const std::stop_token& caller)
    : passedOn_(caller, PassOn{stop_}), takers_(takers) {}

template <class Condition>
void SlabQueue::wait(std::unique_lock<std::mutex>& lock, Condition condition) {
  if (!changed_.wait(lock, stop_.get_token(), condition)) throw Canceled();
}

void SlabQueue::awaitRoom() {
  constexpr std::size_t kMost = 2;
  std::unique_lock lock(mutex_);
  wait(lock, [this] { return slabs_.size() + 1 <= kMost; });
}

void SlabQueue::put(std::vector<Volume> outputs) {
  const std::lock_guard lock(mutex_);
  slabs_.push_back(std::move(outputs));
  changed_.notify_all();
}

void SlabQueue::finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

// Frees the slabs that nobody needs any more.
void SlabQueue::dropTaken() {
  const std::size_t needed = std::ranges::min_element(takers_, {}, &Taker::next)->next;
  for (; first_ < needed; ++first_) slabs_.pop_front();
  changed_.notify_all();
}

std::span<const std::byte> SlabQueue::next(std::size_t number) {
  std::unique_lock lock(mutex_);
  Taker& taker = takers_.at(number);
  if (std::exchange(taker.holds, false)) {
    ++taker.next;
    dropTaken();
  }
  const auto here = [&] { return taker.next < first_ + slabs_.size(); };
  wait(lock, [&] { return here() || (finished_ && slabs_.empty()); });
  taker.ended = !here();
  if (taker.ended) return {};
  taker.holds = true;
  const Volume& part = slabs_[taker.next - first_].at(number);
  return {part.data(), static_cast<std::size_t>(part.bytes())};
}

void SlabQueue::leave(std::size_t number) const {
  const std::lock_guard lock(mutex_);
  if (!takers_.at(number).ended) throw std::logic_error("a volume that was not taken to its end");
}

void SlabQueue::fail(std::exception_ptr error) {
  {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
  }
  stop_.request_stop();
}

void SlabQueue::rethrow() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

}  // namespace sscope::reach
