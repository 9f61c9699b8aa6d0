#pragma once
// How long somebody who moves a slider waits for its pictures: from the event that changed it, as the program received
// it, to the frame with the last visible slice in the hands of the window system.

#include <QEvent>
#include <QObject>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "ui/charts/wait_chart.h"
#include "ui/model/live_controller.h"

namespace sscope {

class WaitClock : public QObject {
  Q_OBJECT
 public:
  explicit WaitClock(LiveController& live, QObject* parent = nullptr);

  // A slice was painted; its frame goes to the window system when the event that paints ends.
  void notePainted();
  // The step that took the median time, of the last ones on one engine.
  [[nodiscard]] std::optional<Wait> median() const;

 Q_SIGNALS:
  void waited(const sscope::Wait& wait);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  void noteSetting();
  void noteStarted();
  void notePreview(const LivePreview& preview);
  void noteFrame();

  LiveController& live_;
  std::optional<Time> input_;             // of the last event of mouse, wheel or keyboard
  std::optional<Time> changed_;           // of the event that changed what is not submitted yet
  std::map<std::uint64_t, Time> events_;  // by request
  // Pictures that are not on the screen yet.
  struct Shown {
    Time event, arrived;
    Wait wait;
  };
  std::optional<Shown> shown_;
  bool framePosted_ = false;
  std::deque<Wait> waits_;  // of one engine, oldest first
};

}  // namespace sscope
