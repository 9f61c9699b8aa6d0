#include "core/parts/slab_pipe.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "core/base/error.h"

namespace sscope::reach {

namespace {

// Slabs between the thread that computes them and those that take each output away. One thread puts slabs, in order; as
// many as there are takers call next() with their own number. After fail(), and once the caller's token asks for it,
// every call that would wait throws Canceled.
class SlabQueue {
 public:
  SlabQueue(std::size_t takers, const std::stop_token& caller) : passedOn_(caller, PassOn{stop_}), takers_(takers) {}

  // Waits until another slab may be computed: two are in memory at most, with the one that is computed next.
  void awaitRoom() {
    constexpr std::size_t kMost = 2;
    std::unique_lock lock(mutex_);
    wait(lock, [this] { return slabs_.size() + 1 <= kMost; });
  }
  // One volume for each taker.
  void put(std::vector<Volume> outputs) {
    const std::lock_guard lock(mutex_);
    slabs_.push_back(std::move(outputs));
    changed_.notify_all();
  }
  // There are no more slabs.
  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }

  // The taker's part of its next slab, valid until its next call. Empty at the end, which comes for all takers at once:
  // when each is done with everything.
  [[nodiscard]] std::span<const std::byte> next(std::size_t number) {
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
  // The taker does not come back. Throws std::logic_error if it has not seen the end.
  void leave(std::size_t number) const {
    const std::lock_guard lock(mutex_);
    if (!takers_.at(number).ended) throw std::logic_error("a volume that was not taken to its end");
  }

  // Keeps the first error, which is the cause of those that follow, and stops all threads.
  void fail(std::exception_ptr error) {
    {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::move(error);
    }
    stop_.request_stop();
  }
  void rethrow() const {
    const std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
  }
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

 private:
  struct Taker {
    std::size_t next = 0;  // number of the slab that it takes next, or holds
    bool holds = false, ended = false;
  };
  struct PassOn {
    std::stop_source& stop;
    void operator()() const { stop.request_stop(); }
  };

  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
    if (!changed_.wait(lock, stop_.get_token(), condition)) throw Canceled();
  }
  // Frees the slabs that no taker needs any more.
  void dropTaken() {
    const std::size_t needed = std::ranges::min_element(takers_, {}, &Taker::next)->next;
    for (; first_ < needed; ++first_) slabs_.pop_front();
    changed_.notify_all();
  }

  std::stop_source stop_;
  std::stop_callback<PassOn> passedOn_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::vector<Volume>> slabs_;
  std::size_t first_ = 0;  // number of the slab in front
  std::vector<Taker> takers_;
  bool finished_ = false;
  std::exception_ptr error_;
};

void computeAll(const SlabPipe& pipe, SlabQueue& queue) {
  for (std::size_t slab = 0; slab < pipe.slabs; ++slab) {
    Control control = pipe.controlOf(slab);
    control.stop = queue.stop();
    pipe.awaitInput(slab, control);
    if (!pipe.takers.empty()) queue.awaitRoom();
    std::vector<Volume> results = pipe.compute(slab, control);
    if (!pipe.takers.empty()) queue.put(std::move(results));
  }
  if (pipe.computed) pipe.computed();
  queue.finish();
}

}  // namespace

void runPipe(const SlabPipe& pipe, const Control& control) {
  SlabQueue queue(pipe.takers.size(), control.stop);
  std::vector<std::jthread> threads;
  try {
    for (std::size_t t = 0; t < pipe.takers.size(); ++t)
      threads.emplace_back([&queue, &take = pipe.takers[t], t] {
        try {
          take([&queue, t] { return queue.next(t); }, Control{queue.stop(), {}});
          queue.leave(t);
        } catch (...) {
          queue.fail(std::current_exception());
        }
      });
    computeAll(pipe, queue);
  } catch (...) {
    queue.fail(std::current_exception());
  }
  threads.clear();  // waits for them
  queue.rethrow();
}

void Pace::report(std::size_t part, double fraction, const Control& control) const {
  constexpr double kSettled = 0.5;  // seconds before a rate means anything
  constexpr double kMiB = 1 << 20;
  const double share = (static_cast<double>(part) + fraction) / static_cast<double>(parts_);
  const double seconds = watch_.seconds();
  std::string text = fmt::format("{} {} of {}", called_, part + 1, parts_);
  if (share > 0 && seconds > kSettled)
    text += fmt::format(", {:.0f} MiB/s, {:.0f} s left", bytes_ * share / kMiB / seconds,
                        std::ceil(seconds / share - seconds));
  control.report(share, text);
}

}  // namespace sscope::reach
