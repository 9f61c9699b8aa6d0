#include "core/parts/thread_ranks.h"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/parts/rank_error.h"
#include "core/parts/thread_mail.h"

namespace sscope::reach {

class ThreadRanks::Shared {
 public:
  // What a rank brings to a meeting of all.
  struct Brought {
    const char* call = "";
    std::vector<double> values;
    std::vector<std::byte> bytes;
    std::optional<RankError> error;
  };
  using Meeting = std::vector<Brought>;  // by rank

  explicit Shared(int ranks) : size(ranks) {
    if (ranks < 1) throw std::logic_error("there must be a rank");
    left_.assign(static_cast<std::size_t>(size), false);
    meeting_.resize(static_cast<std::size_t>(size));
    for (int rank = 1; rank < size; ++rank)
      threads_.emplace_back([this, rank](const std::stop_token& ending) { loop(rank, ending); });
  }

  void run(const Control& control, const Body& body) {
    {
      const std::lock_guard lock(mutex_);
      if (body_ != nullptr) throw std::logic_error("the ranks are running already");
      body_ = &body;
      failure_ = nullptr;
      failed_ = -1;
      left_.assign(left_.size(), false);
      mail_.clear();
      brought_ = 0;
      stop_ = std::stop_source();
      running_ = size;
      ++turn_;
    }
    changed_.notify_all();
    const std::stop_callback stopAll(control.stop, [this] { stop_.request_stop(); });
    work(0, {stop_.get_token(), control.progress});
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return running_ == 0; });
    body_ = nullptr;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  [[nodiscard]] std::vector<MessagePointer> post(int rank, std::span<const Send> sends,
                                                 std::span<const Receive> receives) {
    std::vector<MessagePointer> messages;
    try {
      const std::lock_guard lock(mutex_);
      for (const Send& send : sends) messages.push_back(mail_.send(rank, send));
      for (const Receive& receive : receives) messages.push_back(mail_.receive(rank, receive));
    } catch (...) {
      giveUp(rank, messages);
      throw;
    }
    changed_.notify_all();
    return messages;
  }

  // Copies whatever this rank sends or receives, so that no two ranks wait for each other's copies.
  void deliver(int rank, const std::vector<MessagePointer>& awaited, const Control& control) {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (const MessagePointer message = mail_.readyFor(rank)) {
        copy(message, lock);
        continue;
      }
      bool all = true;
      for (const MessagePointer& message : awaited) all = all && message->arrived;
      if (all) return;
      const auto lost = [&] {
        for (const MessagePointer& message : awaited) {
          const int other = message->from == rank ? message->to : message->from;
          if (!message->arrived && !message->copying && hasLeft(other)) return other;
        }
        return -1;
      };
      wait(lock, control, lost, [&] {
        if (mail_.readyFor(rank)) return true;
        for (const MessagePointer& message : awaited)
          if (!message->arrived) return false;
        return true;
      });
    }
  }

  void giveUp(int rank, const std::vector<MessagePointer>& messages) {
    std::unique_lock lock(mutex_);
    for (const MessagePointer& message : messages) {
      changed_.wait(lock, [&] { return !message->copying; });
      if (message->arrived) continue;
      if (message->from == rank) message->sent = false;
      if (message->to == rank) message->wanted = false;
      if (!message->sent && !message->wanted) mail_.forget(message);
    }
  }

  // Waits until all ranks have called it; gives what they brought.
  [[nodiscard]] std::shared_ptr<const Meeting> meet(int rank, Brought brought, const Control& control) {
    std::unique_lock lock(mutex_);
    meeting_[static_cast<std::size_t>(rank)] = std::move(brought);
    if (++brought_ == size) {
      held_ = std::make_shared<const Meeting>(std::exchange(meeting_, Meeting(left_.size())));
      brought_ = 0;
      ++meetings_;
      changed_.notify_all();
    } else {
      const auto lost = [&] {
        for (int other = 0; other < size; ++other)
          if (hasLeft(other)) return other;
        return -1;
      };
      const std::uint64_t before = meetings_;
      try {
        wait(lock, control, lost, [&] { return meetings_ != before; });
      } catch (...) {
        --brought_;
        throw;
      }
    }
    // The next one cannot end before this rank comes to it.
    for (const Brought& one : *held_)
      if (std::strcmp(one.call, held_->front().call) != 0)
        throw std::logic_error(std::string("ranks meet in ") + one.call + " and in " + held_->front().call);
    return held_;
  }

  const int size;

 private:
  void loop(int rank, const std::stop_token& ending) {
    std::uint64_t done = 0;
    for (;;) {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, ending, [&] { return turn_ != done; })) return;
      done = turn_;
      const Control control{stop_.get_token(), {}};
      lock.unlock();
      work(rank, control);
    }
  }

  void work(int rank, const Control& control);

  [[nodiscard]] bool hasLeft(int rank) const { return left_[static_cast<std::size_t>(rank)]; }

  // `lost`: a rank without which this wait has no end, or -1.
  template <class Lost, class Until>
  void wait(std::unique_lock<std::mutex>& lock, const Control& control, const Lost& lost, const Until& until) {
    changed_.wait(lock, control.stop, [&] { return failed_ >= 0 || lost() >= 0 || until(); });
    if (until()) return;
    if (failed_ >= 0) throw Error(ErrorKind::Io, "rank " + std::to_string(failed_) + " has failed");
    control.check();
    throw Error(ErrorKind::Io, "rank " + std::to_string(lost()) + " has ended while another one waits for it");
  }

  void copy(const MessagePointer& message, std::unique_lock<std::mutex>& lock) {
    message->copying = true;
    lock.unlock();
    if (!message->source.empty()) std::memcpy(message->target.data(), message->source.data(), message->source.size());
    lock.lock();
    message->copying = false;
    message->arrived = true;
    mail_.forget(message);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Of the run.
  const Body* body_ = nullptr;
  std::uint64_t turn_ = 0;
  int running_ = 0;
  std::stop_source stop_;
  std::exception_ptr failure_;  // the first one
  int failed_ = -1;             // its rank
  std::vector<bool> left_;      // ranks that have ended
  ThreadMail mail_;
  Meeting meeting_;  // of those that have come
  int brought_ = 0;
  std::uint64_t meetings_ = 0;
  std::shared_ptr<const Meeting> held_;  // the last one that was complete
  std::vector<std::jthread> threads_;    // end first
};

// One rank as its thread sees it.
class ThreadRanks::Rank final : public Communicator {
  using Brought = Shared::Brought;

 public:
  Rank(Shared& shared, int rank) : shared_(shared), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return shared_.size; }
  [[nodiscard]] int localRank() const override { return rank_; }
  [[nodiscard]] int localSize() const override { return shared_.size; }

  [[nodiscard]] std::unique_ptr<Exchange> begin(std::span<const Send> sends, std::span<const Receive> receives,
                                                std::shared_ptr<const void> /*keeps*/) override {
    for (const Send& send : sends) requireRank(send.rank);
    for (const Receive& receive : receives) requireRank(receive.rank);
    return std::make_unique<OnTheWay>(*this, shared_.post(rank_, sends, receives));
  }
  [[nodiscard]] std::vector<double> gather(std::span<const double> values, const Control& control) override {
    std::vector<double> all;
    for (const Brought& one : *meet({"gather", {values.begin(), values.end()}, {}, {}}, control))
      all.insert(all.end(), one.values.begin(), one.values.end());
    return all;
  }
  void broadcast(std::span<std::byte> bytes, int root, const Control& control) override {
    requireRank(root);
    Brought brought{"broadcast", {}, {}, {}};
    if (rank_ == root) brought.bytes.assign(bytes.begin(), bytes.end());
    const auto meeting = meet(std::move(brought), control);
    const std::vector<std::byte>& sent = (*meeting)[static_cast<std::size_t>(root)].bytes;
    if (sent.size() != bytes.size()) throw std::logic_error("ranks give other numbers of bytes to broadcast");
    if (rank_ != root && !sent.empty()) std::memcpy(bytes.data(), sent.data(), sent.size());
  }
  void barrier(const Control& control) override { static_cast<void>(meet({"barrier", {}, {}, {}}, control)); }
  void agree(const std::exception_ptr& own, const Control& control) override {
    try {
      for (const Brought& one : *meet({"agree", {}, {}, errorOf(own)}, control))
        if (one.error) raise(*one.error);
    } catch (const Canceled&) {
      if (own) std::rethrow_exception(own);
      throw;
    }
  }

 private:
  class OnTheWay final : public Exchange {
   public:
    OnTheWay(Rank& rank, std::vector<MessagePointer> messages) : rank_(rank), messages_(std::move(messages)) {}
    ~OnTheWay() override { rank_.shared_.giveUp(rank_.rank_, messages_); }
    OnTheWay(const OnTheWay&) = delete;
    OnTheWay& operator=(const OnTheWay&) = delete;
    void end(const Control& control) override {
      control.check();
      rank_.shared_.deliver(rank_.rank_, messages_, control);
      messages_.clear();
    }

   private:
    Rank& rank_;
    std::vector<MessagePointer> messages_;
  };

  [[nodiscard]] std::shared_ptr<const Shared::Meeting> meet(Brought brought, const Control& control) {
    control.check();
    return shared_.meet(rank_, std::move(brought), control);
  }
  void requireRank(int rank) const {
    if (rank < 0 || rank >= shared_.size) throw std::logic_error("there is no rank " + std::to_string(rank));
  }

  Shared& shared_;
  int rank_;
};

void ThreadRanks::Shared::work(int rank, const Control& control) {
  std::exception_ptr thrown;
  try {
    Rank communicator(*this, rank);
    (*body_)(communicator, control);
  } catch (...) {
    thrown = std::current_exception();
  }
  const bool failed = thrown != nullptr;
  std::stop_source all;  // of this run; the next one may begin at once
  {
    const std::lock_guard lock(mutex_);
    all = stop_;
    if (failed && !failure_) {
      failure_ = std::move(thrown);
      failed_ = rank;
    }
    left_[static_cast<std::size_t>(rank)] = true;
    --running_;
  }
  changed_.notify_all();
  if (failed) all.request_stop();
}

ThreadRanks::ThreadRanks(int size) : shared_(std::make_unique<Shared>(size)) {}
ThreadRanks::~ThreadRanks() = default;
int ThreadRanks::size() const { return shared_->size; }
void ThreadRanks::run(const Control& control, const Body& body) { shared_->run(control, body); }

}  // namespace sscope::reach
