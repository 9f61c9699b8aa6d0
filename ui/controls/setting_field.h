#pragma once
// The control of one row of a table of settings, made from the row: a list, a check box, a number with or without a
// slider, or a line of text.

#include <QWidget>
#include <vector>

#include "core/options/settings.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLineEdit;

namespace sscope {

class Gesture;
class NumberBox;
class ValueSlider;

class SettingField : public QWidget {
  Q_OBJECT
 public:
  // The row must have an option. `name` is the object name of control(). `list`: a list, whose values
  // ChoiceField::setChoices() sets later.
  [[nodiscard]] static SettingField* make(const SettingRow& row, const QString& name, bool list, QWidget* parent);

  void setValue(const OptionValue& value);  // emits nothing
  [[nodiscard]] const OptionValue& value() const { return value_; }
  // A tooltip in place of the row's help; empty: the help.
  void setTip(const QString& tip);
  // The text beside it; empty for a check box, which shows its own.
  [[nodiscard]] QString label() const;
  // The widget with the keyboard focus.
  [[nodiscard]] QWidget* control() const { return control_; }

 Q_SIGNALS:
  // By the user. Edits with the same nonempty gesture are one step of undo.
  void edited(const sscope::OptionValue& value, const QString& gesture);
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 protected:
  SettingField(const SettingRow& row, QWidget* parent);
  void setControl(QWidget* control, const QString& name);
  void edit(const OptionValue& value, const QString& gesture = {});
  virtual void showValue() = 0;
  [[nodiscard]] virtual QString ownTip() const;
  void showTip();
  [[nodiscard]] const Option& option() const { return *row_.option; }
  [[nodiscard]] const SettingLook& look() const { return row_.look; }
  [[nodiscard]] QString spoken() const;
  [[nodiscard]] QHBoxLayout& line() { return *line_; }

 private:
  const SettingRow& row_;
  OptionValue value_;
  QString tip_;
  QHBoxLayout* line_;
  QWidget* control_ = nullptr;
};

class ChoiceField : public SettingField {
  Q_OBJECT
 public:
  ChoiceField(const SettingRow& row, const QString& name, QWidget* parent);
  // A value that is none of them is shown as the choice with the empty value, if there is one.
  void setChoices(const std::vector<SettingChoice>& choices);

 private:
  void showValue() override;
  [[nodiscard]] QString ownTip() const override;

  QComboBox* box_;
};

class CheckField : public SettingField {
  Q_OBJECT
 public:
  CheckField(const SettingRow& row, const QString& name, QWidget* parent);

 private:
  void showValue() override;

  QCheckBox* box_;
};

class NumberField : public SettingField {
  Q_OBJECT
 public:
  NumberField(const SettingRow& row, const QString& name, QWidget* parent);
  // Narrower than the option's; a value outside is shown as the limit.
  void setLimits(double low, double high);
  // Wide enough for this number of digits.
  void setDigits(int digits);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildSlider(const QString& name);
  void showValue() override;
  void editNumber(double number);
  [[nodiscard]] double stepped(double value, int steps) const;

  ValueSlider* slider_ = nullptr;
  NumberBox* box_;
  Gesture* gesture_ = nullptr;
  double low_, high_;
};

class TextField : public SettingField {
  Q_OBJECT
 public:
  TextField(const SettingRow& row, const QString& name, QWidget* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showValue() override;
  void accept();

  QLineEdit* box_;
};

}  // namespace sscope
