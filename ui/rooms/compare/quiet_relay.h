#pragma once
// Keeps the window from painting while something is timed on another thread, except for a short pause between two
// repetitions now and then.

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/compare/race.h"
#include "core/live/quiet_gate.h"

class QWidget;

namespace sscope {

// Stops the window's painting and holds the gate while the window must work all the same, such as to answer the mouse.
class QuietWatch : public QObject {
  Q_OBJECT
 public:
  explicit QuietWatch(QWidget& window, QObject* parent = nullptr);

  // Holds the gate until pending painting is done, then stops painting and opens the gate.
  void begin(std::shared_ptr<QuietGate> gate);
  // The same again; the timed thread holds the gate already.
  void pause();
  // The window paints again.
  void end();
  [[nodiscard]] bool active() const { return gate_ != nullptr; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void settle();
  void hold(int milliseconds);

  QWidget& window_;
  std::shared_ptr<QuietGate> gate_;  // null: nothing is timed
  QTimer still_;                     // until the window counts as still
};

class QuietRelay : public QObject {
  Q_OBJECT
 public:
  explicit QuietRelay(QWidget& window, QObject* parent = nullptr);
  ~QuietRelay() override;

  // Begins a new run; events of earlier runs are ignored from now on.
  void begin();
  // The gate of the new run, for its RaceTrack.
  [[nodiscard]] const std::shared_ptr<QuietGate>& gate() const { return gate_; }
  // To be called on the run's thread with each of its events.
  [[nodiscard]] std::function<void(const compare::RaceEvent&)> listener();
  // The run has ended; the window paints again.
  void end();
  [[nodiscard]] bool quiet() const { return watch_.active(); }

 Q_SIGNALS:
  void paused();  // the window may paint the present state now
  void quietChanged(bool quiet);

 private:
  void beginQuiet(std::uint64_t run);
  void pause(std::uint64_t run);
  void endQuiet(std::uint64_t run);

  QuietWatch watch_;
  std::shared_ptr<QuietGate> gate_ = std::make_shared<QuietGate>();
  std::uint64_t run_ = 0;
};

}  // namespace sscope
