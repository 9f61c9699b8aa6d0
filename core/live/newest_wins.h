#pragma once
// One worker thread that executes wishes. The newest wish wins: it replaces a waiting one and stops a running one,
// unless that may go on. The last wish is never dropped.

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace sscope {

template <class Wish>
class NewestWins {
 public:
  // Passed to the function that executes a wish.
  struct Turn {
    std::uint64_t number = 0;  // given by submit()
    std::stop_token stop;      // superseded or canceled
    std::stop_token canceled;  // canceled only, for short work that is finished although a newer wish waits
  };
  // Executes a wish on the worker thread. Must not throw.
  using Execute = std::function<void(const Wish& wish, const Turn& turn)>;
  // Whether the running wish may go on although `next` is waiting. Called on the submitting thread, under a lock.
  using GoesOn = std::function<bool(const Wish& running, const Wish& next)>;

  explicit NewestWins(Execute execute, GoesOn goesOn = {})
      : execute_(std::move(execute)),
        goesOn_(std::move(goesOn)),
        thread_([this](const std::stop_token& ending) { loop(ending); }) {}

  // Cancels and joins.
  ~NewestWins() {
    thread_.request_stop();
    const std::lock_guard lock(mutex_);
    stopAll();
  }
  NewestWins(const NewestWins&) = delete;
  NewestWins& operator=(const NewestWins&) = delete;

  // Returns the wish's number without waiting.
  std::uint64_t submit(Wish wish) {
    const std::lock_guard lock(mutex_);
    canceled_ = false;
    if (!(running_ && goesOn_ && goesOn_(*running_, wish))) stop_.request_stop();
    waiting_ = Numbered{++numbers_, std::move(wish)};
    wake_.notify_all();
    return numbers_;
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    canceled_ = true;
    stopAll();
    wake_.notify_all();  // the queue is empty now, so waitIdle() may return
  }

  // Whether cancel() was called after the last submit(): work that stops then was canceled, not superseded.
  [[nodiscard]] bool canceled() const {
    const std::lock_guard lock(mutex_);
    return canceled_;
  }
  [[nodiscard]] bool superseded() const {
    const std::lock_guard lock(mutex_);
    return waiting_.has_value();
  }
  [[nodiscard]] bool busy() const {
    const std::lock_guard lock(mutex_);
    return running_ || waiting_;
  }
  void waitIdle() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return !running_ && !waiting_; });
  }

 private:
  struct Numbered {
    std::uint64_t number = 0;
    Wish wish;
  };

  void stopAll() {
    waiting_.reset();
    stop_.request_stop();
    cancel_.request_stop();
  }

  void loop(const std::stop_token& ending) {
    while (true) {
      Turn turn;
      {
        std::unique_lock lock(mutex_);
        running_.reset();
        wake_.notify_all();
        if (!wake_.wait(lock, ending, [&] { return waiting_.has_value(); })) return;
        turn.number = waiting_->number;
        running_ = std::move(waiting_->wish);
        waiting_.reset();
        stop_ = std::stop_source();
        cancel_ = std::stop_source();
        turn.stop = stop_.get_token();
        turn.canceled = cancel_.get_token();
      }
      execute_(*running_, turn);  // only this thread changes it
    }
  }

  Execute execute_;
  GoesOn goesOn_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::optional<Numbered> waiting_;
  std::optional<Wish> running_;
  bool canceled_ = false;
  std::uint64_t numbers_ = 0;
  std::stop_source stop_, cancel_;  // of the running wish
  std::jthread thread_;
};

}  // namespace sscope
