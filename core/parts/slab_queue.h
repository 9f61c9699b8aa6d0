#pragma once
// Slabs of results between the thread that computes them and those that take each output away.

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "core/volume/volume.h"

namespace sscope::reach {

// One thread puts slabs, in order; as many as there are takers call next() with their own number. After fail(), and
// once the caller's token asks for it, every call that would wait throws Canceled.
class SlabQueue {
 public:
  SlabQueue(std::size_t takers, const std::stop_token& caller);

  // Waits until another slab may be computed: two are in memory at most, with the one that is not yet here.
  void awaitRoom();
  // One volume for each taker.
  void put(std::vector<Volume> outputs);
  // There are no more slabs.
  void finish();

  // The taker's part of its next slab, valid until its next call. Empty at the end, which comes for all takers at once:
  // when each is done with everything.
  [[nodiscard]] std::span<const std::byte> next(std::size_t taker);
  // The taker will not come back. Throws std::logic_error if it has not seen the end.
  void leave(std::size_t taker) const;

  // Keeps the first error, which is the cause of those that follow, and stops everybody.
  void fail(std::exception_ptr error);
  void rethrow() const;
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
  void wait(std::unique_lock<std::mutex>& lock, Condition condition);
  void dropTaken();

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

}  // namespace sscope::reach
