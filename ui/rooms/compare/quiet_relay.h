#pragma once
// Between the thread on which something is timed and the window: while it is quiet there, the window stands still, but
// for a glance now and then between two repetitions.

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/compare/race.h"
#include "core/live/quiet_gate.h"

class QWidget;

namespace sscope {

class QuietWatch : public QObject {
  Q_OBJECT
 public:
  explicit QuietWatch(QWidget& window, QObject* parent = nullptr);

  // The gate is held until the window has painted what it has to. Then painting stops and the gate opens.
  void begin(std::shared_ptr<QuietGate> gate);
  // The same once more; who is timed holds the gate already.
  void breathe();
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

  // A new run; what earlier ones say does not count any more.
  void begin();
  // The gate of the new run, for its RaceTrack.
  [[nodiscard]] const std::shared_ptr<QuietGate>& gate() const { return gate_; }
  // To be called on the run's thread with each of its events.
  [[nodiscard]] std::function<void(const compare::RaceEvent&)> listener();
  // The run has ended; the window paints again.
  void end();
  [[nodiscard]] bool quiet() const { return watch_.active(); }

 Q_SIGNALS:
  void glance();  // the window paints next what is known so far
  void quietChanged(bool quiet);

 private:
  void beginQuiet(std::uint64_t run);
  void breathe(std::uint64_t run);
  void endQuiet(std::uint64_t run);

  QuietWatch watch_;
  std::shared_ptr<QuietGate> gate_ = std::make_shared<QuietGate>();
  std::uint64_t run_ = 0;
};

}  // namespace sscope
