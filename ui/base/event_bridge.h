#pragma once
// Delivers a worker thread's events on the window's thread, in order, through the event loop. Of queued progress events
// only the last is kept and delivered about 30 times per second, or before the next other event.

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace sscope {

inline constexpr int kProgressMilliseconds = 33;

// Belongs to the thread that creates it. `isProgress(event)` is true for events that the next one may replace.
// Nothing is delivered after its destruction.
template <class Event>
class EventBridge {
 public:
  using Receive = std::function<void(const Event&)>;

  explicit EventBridge(Receive receive) {
    shared_->receive = std::move(receive);
    shared_->context = &context_;
    shared_->deliver = [this] { deliver(); };
    shared_->showProgress = [this] { showProgress(); };
    pace_.setSingleShot(true);
    QObject::connect(&pace_, &QTimer::timeout, &context_, [this] { showProgress(); });
  }
  ~EventBridge() {
    const std::lock_guard lock(shared_->mutex);
    shared_->context = nullptr;
  }
  EventBridge(const EventBridge&) = delete;
  EventBridge& operator=(const EventBridge&) = delete;

  // The function for the worker to call; may outlive the bridge.
  [[nodiscard]] std::function<void(Event)> entrance() const {
    return [shared = shared_](Event&& event) { shared->post(std::move(event)); };
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::deque<Event> waiting;
    QObject* context = nullptr;  // null after the bridge is destroyed
    Receive receive;
    std::function<void()> deliver, showProgress;

    void post(Event&& event) {
      const std::lock_guard lock(mutex);
      if (context == nullptr) return;
      const bool progress = isProgress(event);
      if (progress && !waiting.empty() && isProgress(waiting.back())) {
        waiting.back() = std::move(event);  // a delivery is already pending
        return;
      }
      waiting.push_back(std::move(event));
      QMetaObject::invokeMethod(context, progress ? showProgress : deliver, Qt::QueuedConnection);
    }
    // The next event; none if the queue is empty, if `onlyProgress` and the next is no progress, or if the bridge is
    // destroyed.
    std::optional<Event> take(bool onlyProgress) {
      const std::lock_guard lock(mutex);
      if (context == nullptr || waiting.empty() || (onlyProgress && !isProgress(waiting.front()))) return std::nullopt;
      std::optional<Event> event(std::move(waiting.front()));
      waiting.pop_front();
      return event;
    }
  };

  // Delivers one event and the progress before it. The receiver may start an event loop or destroy the bridge.
  void deliver() {
    const std::shared_ptr<Shared> shared = shared_;
    while (std::optional<Event> event = shared->take(false)) {
      const bool progress = isProgress(*event);
      if (progress) sinceProgress_.start();
      shared->receive(*event);
      if (!progress) return;
    }
  }

  void showProgress() {
    const qint64 since = sinceProgress_.isValid() ? sinceProgress_.elapsed() : kProgressMilliseconds;
    if (since < kProgressMilliseconds) {
      if (!pace_.isActive()) pace_.start(kProgressMilliseconds - static_cast<int>(since));
      return;
    }
    const std::shared_ptr<Shared> shared = shared_;
    const std::optional<Event> progress = shared->take(true);
    if (!progress) return;
    sinceProgress_.start();
    shared->receive(*progress);
  }

  QObject context_;
  QTimer pace_;
  QElapsedTimer sinceProgress_;
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
};

}  // namespace sscope
