#pragma once
// Keeps the window still while something is timed, and says so where it could not: painting pauses, and the gate is
// held while the window has to do something all the same, such as answering the mouse.

#include <QObject>
#include <QTimer>
#include <memory>

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

}  // namespace sscope
