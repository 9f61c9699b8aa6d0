#pragma once
// Controls of an option, made from its declaration: label, slider, number box and unit, or a check box, or a list.

#include <QString>
#include <QWidget>

#include "core/options/option.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace sscope {

class Gesture;
class NumberBox;
class ValueSlider;

// The units of lengths.
struct LengthUnits {
  double millimetersPerStep = 1;  // > 0; converts when the unit is switched
  bool physical = true;           // false: the data have no unit of length, only steps
  bool pixels = false;            // the data are an image
  std::string unit = "mm";        // in which physical lengths are shown and typed; they are stored in millimeters
};

class OptionEditor : public QWidget {
  Q_OBJECT
 public:
  OptionEditor(Option option, LengthUnits units, QWidget* parent = nullptr);

  void setValue(const OptionValue& value);  // emits nothing
  [[nodiscard]] const Option& option() const { return option_; }
  [[nodiscard]] const OptionValue& value() const { return value_; }

 Q_SIGNALS:
  // Edits with the same gesture are one user action.
  void edited(const sscope::OptionValue& value, const QString& gesture);
  void stepTaken();                                               // by a key or the wheel; before edited()
  void heldChanged(bool held);                                    // the slider is held down
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildNumber();
  void buildCheck();
  void buildChoice();
  void showNumber();
  void applyUnit();
  void switchUnit();
  void takeUnit(const std::string& unit);
  void editNumber(double number);
  [[nodiscard]] std::int64_t accepted(double wanted) const;
  void edit(OptionValue value);
  [[nodiscard]] double number() const;
  [[nodiscard]] bool millimeters() const;
  // Millimeters in the unit that is shown, and back.
  [[nodiscard]] double shown(double millimeters) const;
  [[nodiscard]] double kept(double shown) const;
  [[nodiscard]] QString stepName() const;  // "vox" or "px"

  Option option_;
  OptionValue value_;
  LengthUnits units_;
  QHBoxLayout* row_ = nullptr;
  QLabel* label_ = nullptr;
  ValueSlider* slider_ = nullptr;
  NumberBox* box_ = nullptr;
  QToolButton* unit_ = nullptr;
  QCheckBox* check_ = nullptr;
  QComboBox* choice_ = nullptr;
  Gesture* gesture_ = nullptr;
};

}  // namespace sscope
