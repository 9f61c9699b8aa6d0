#pragma once
// A number in a text field: arrow keys and wheel step it; invalid input is corrected with a message.

#include <QLineEdit>
#include <functional>

namespace sscope {

class NumberBox : public QLineEdit {
  Q_OBJECT
 public:
  NumberBox(const QString& accessibleName, QWidget* parent = nullptr);

  void setRange(double minimum, double maximum);
  // Whole numbers only; setStep() comes after this.
  void setWhole(bool whole);
  // The value `steps` fine steps away, for arrow keys and wheel; by default 1 % of the value, at least one unit of the
  // third digit.
  void setStep(std::function<double(double value, int steps)> step) { step_ = std::move(step); }
  // Wide enough for any number with exponent, else for typical numbers.
  void setWide(bool wide);
  void setUnit(const QString& unit) { unit_ = unit; }  // for messages
  // Units accepted after the number: "0.8 mm"; unitTyped() is emitted before the number is used.
  void setUnits(const QStringList& units) { units_ = units; }
  void setValue(double value);  // emits nothing
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void stepTaken();                // by a key or the wheel; before valueEdited()
  void valueEdited(double value);  // by the user, within range
  // Empty once the input is valid; `control` is the accessible name, so that one box does not clear another's message.
  void corrected(const QString& reason, const QString& control);
  void unitTyped(const QString& unit);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  void accept();
  void showCorrection(const QString& reason) { Q_EMIT corrected(reason, accessibleName()); }
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

// A box for whole numbers.
[[nodiscard]] NumberBox* wholeBox(const QString& accessibleName, double minimum, double maximum, double value,
                                  QWidget* parent);

}  // namespace sscope
