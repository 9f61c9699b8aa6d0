#pragma once
// A number in a line of text: arrow keys and wheel step it, wrong input is corrected and the reason is told.

#include <QLineEdit>
#include <functional>

namespace sscope {

class NumberBox : public QLineEdit {
  Q_OBJECT
 public:
  NumberBox(const QString& accessibleName, QWidget* parent = nullptr);

  void setRange(double minimum, double maximum);
  void setWhole(bool whole) { whole_ = whole; }  // whole numbers only
  // The value `steps` fine steps away, for arrow keys and wheel; default: 1 % of the value, at least one unit in
  // the third digit.
  void setStep(std::function<double(double value, int steps)> step) { step_ = std::move(step); }
  // Room for any number, exponent included; else for those of usual size.
  void setWide(bool wide);
  void setUnit(const QString& unit) { unit_ = unit; }  // for messages
  // Units that may be typed behind the number: "0.8 mm"; unitTyped() tells which, before the number is taken.
  void setUnits(const QStringList& units) { units_ = units; }
  void setValue(double value);  // emits nothing
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void valueEdited(double value);  // by the user, within range
  // Empty once the input is right; `control` is the accessible name, so that one box does not take back what is said of
  // another.
  void corrected(const QString& reason, const QString& control);
  void unitTyped(const QString& unit);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void accept();
  void tell(const QString& reason) { Q_EMIT corrected(reason, accessibleName()); }
  void stepBy(int steps);
  void change(double value);

  double value_ = 0;
  double minimum_ = -1e300, maximum_ = 1e300;
  bool whole_ = false;
  bool wide_ = false;
  int wheelRest_ = 0;
  QString unit_;
  QStringList units_;
  std::function<double(double, int)> step_;
};

}  // namespace sscope
