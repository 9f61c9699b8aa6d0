#pragma once
// A slider for real numbers, linear or logarithmic; the handle jumps to the mouse.

#include <QSlider>
#include <QString>
#include <QTimer>
#include <cstdint>

namespace sscope {

class ValueSlider : public QSlider {
  Q_OBJECT
 public:
  ValueSlider(const QString& accessibleName, QWidget* parent = nullptr);

  // maximum > minimum; logarithmic needs minimum > 0 and falls back to linear otherwise. whole: one position per
  // integer.
  void setScale(double minimum, double maximum, bool logarithmic, bool whole);
  void setRealValue(double value);  // emits nothing; clamps to the range
  [[nodiscard]] double realValue() const;
  // The value `steps` fine steps (wheel, arrow keys) from `value`, inside the slider's range.
  [[nodiscard]] double stepped(double value, int steps) const;

 Q_SIGNALS:
  void stepTaken();                    // by a key or the wheel; before realValueEdited()
  void realValueEdited(double value);  // moved by the user

 protected:
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] double valueAt(int position) const;
  [[nodiscard]] int positionOf(double value) const;
  void stepBy(int steps);

  double minimum_ = 0, maximum_ = 1;
  bool logarithmic_ = false, whole_ = false;
  double value_ = 0;
  int wheelRest_ = 0;
};

// Groups edits into one user action: all edits while a slider is held, and edits in quick succession.
class Gesture : public QObject {
 public:
  // Owned by the widget. If it is a slider, pressing and releasing it begin new actions.
  explicit Gesture(QWidget* widget);
  // The next edit is another action.
  void begin();
  // The action that an edit made now belongs to; unique in the program.
  [[nodiscard]] QString now();

 private:
  QTimer rest_;
  std::uint64_t number_ = 0;
};

}  // namespace sscope
