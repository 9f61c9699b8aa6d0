#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/base/typed_number.h"
#include "ui/controls/gesture.h"
#include "ui/controls/number_box.h"
#include "ui/controls/setting_field.h"
#include "ui/controls/value_slider.h"

namespace sscope {

namespace {

// What a box of doubles holds exactly.
constexpr double kMostWhole = 9007199254740992.0;

double roundedTo(double value, double step) { return withoutTail(std::round(value / step) * step); }

}  // namespace

NumberField::NumberField(const SettingRow& row, const QString& name, QWidget* parent)
    : SettingField(row, parent),
      box_(new NumberBox(spoken(), this)),
      low_(row.option->minimum),
      high_(row.option->maximum) {
  const bool whole = row.option->type == OptionType::Integer;
  if (whole) low_ = std::max(low_, -kMostWhole), high_ = std::min(high_, kMostWhole);
  if (row.look.slider) buildSlider(name + QStringLiteral("Slider"));
  line().addWidget(box_);
  box_->setWhole(whole);
  box_->setRange(low_, high_);
  const QString unit = toQt(row.option->unit);
  box_->setUnit(unit);
  if (whole || row.look.boxStep > 0 || row.option->logarithmic)
    box_->setStep([this](double value, int steps) { return stepped(value, steps); });
  if (!unit.isEmpty()) line().addWidget(quietLabel(unit, this));
  if (!slider_) line().addStretch(1);
  setControl(box_, name);
  if (slider_) slider_->setToolTip(box_->toolTip());
  connect(box_, &NumberBox::valueEdited, this, &NumberField::editNumber);
  connect(box_, &NumberBox::corrected, this, &NumberField::corrected);
  showValue();
}

void NumberField::buildSlider(const QString& name) {
  slider_ = new ValueSlider(spoken(), this);
  slider_->setObjectName(name);
  slider_->setScale(option().sliderMinimum, option().sliderMaximum, option().logarithmic,
                    option().type == OptionType::Integer);
  slider_->installEventFilter(this);
  gesture_ = new Gesture(slider_);
  line().addWidget(slider_, 1);
  connect(slider_, &QSlider::sliderReleased, this, &NumberField::showValue);  // which may have been undone meanwhile
  connect(slider_, &ValueSlider::realValueEdited, this, [this](double value) {
    const double step = look().sliderStep;
    Q_EMIT corrected({}, box_->accessibleName());
    editNumber(step > 0 ? roundedTo(value, step) : value);
  });
}

void NumberField::setLimits(double low, double high) {
  low_ = low;
  high_ = std::max(low, high);
  box_->setRange(low_, high_);
  showValue();
}

void NumberField::setDigits(int digits) {
  box_->setFixedWidth(box_->fontMetrics().horizontalAdvance(QString(digits + 1, u'0')) + em(box_, 0.7));
}

double NumberField::stepped(double value, int steps) const {
  if (option().logarithmic) return withoutTail(std::pow(10.0, std::round(std::log10(value) + steps)));
  const double step = look().boxStep > 0 ? look().boxStep : static_cast<double>(option().step);
  return roundedTo(value + steps * step, step * 1e-3);
}

void NumberField::showValue() {
  const auto* whole = std::get_if<std::int64_t>(&value());
  const double number = std::clamp(whole ? static_cast<double>(*whole) : std::get<double>(value()), low_, high_);
  // While the slider is held its handle belongs to the mouse.
  if (slider_ && !slider_->isSliderDown()) slider_->setRealValue(number);
  box_->setValue(number);
}

void NumberField::editNumber(double number) {
  const OptionValue wanted =
      option().type == OptionType::Integer ? OptionValue(std::int64_t{std::llround(number)}) : OptionValue(number);
  edit(wanted, gesture_ ? gesture_->now() : QString());
  showValue();  // also of what the settings made of it
}

bool NumberField::eventFilter(QObject* watched, QEvent* event) {
  if (watched == slider_ && event->type() == QEvent::MouseButtonDblClick) {
    edit(option().fallback, gesture_->now());
    showValue();
    return true;
  }
  return SettingField::eventFilter(watched, event);
}

}  // namespace sscope
