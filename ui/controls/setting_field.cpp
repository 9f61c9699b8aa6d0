#include "ui/controls/setting_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"

namespace sscope {

SettingField* SettingField::make(const SettingRow& row, const QString& name, bool list, QWidget* parent) {
  if (list || !row.look.choices.empty() || !row.option->choices.empty()) return new ChoiceField(row, name, parent);
  switch (row.option->type) {
    case OptionType::Boolean: return new CheckField(row, name, parent);
    case OptionType::Real:
    case OptionType::Integer: return new NumberField(row, name, parent);
    case OptionType::Choice:
    case OptionType::Length: break;
  }
  return new TextField(row, name, parent);
}

SettingField::SettingField(const SettingRow& row, QWidget* parent)
    : QWidget(parent), row_(row), value_(row.option->fallback), line_(new QHBoxLayout(this)) {
  line_->setContentsMargins(0, 0, 0, 0);
}

void SettingField::setControl(QWidget* control, const QString& name) {
  control_ = control;
  control->setObjectName(name);
  control->setAccessibleName(spoken());
  setFocusProxy(control);
  showTip();
}

void SettingField::setValue(const OptionValue& value) {
  value_ = value;
  showValue();
  showTip();
}

void SettingField::edit(const OptionValue& value, const QString& gesture) {
  if (value == value_) return;
  value_ = value;
  showTip();
  Q_EMIT edited(value, gesture);
}

void SettingField::setTip(const QString& tip) {
  tip_ = tip;
  showTip();
}

// Only rich text wraps.
void SettingField::showTip() {
  constexpr qsizetype kLine = 90;
  const QString tip = tip_.isEmpty() ? ownTip() : tip_;
  control_->setToolTip(tip.size() > kLine ? QStringLiteral("<p>%1</p>").arg(tip.toHtmlEscaped()) : tip);
}

QString SettingField::ownTip() const { return toQt(option().help); }

QString SettingField::label() const { return qobject_cast<QCheckBox*>(control_) ? QString() : toQt(option().label); }

QString SettingField::spoken() const { return toQt(look().spoken.empty() ? option().label : look().spoken); }

ChoiceField::ChoiceField(const SettingRow& row, const QString& name, QWidget* parent)
    : SettingField(row, parent), box_(new QComboBox(this)) {
  box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  line().addWidget(box_);
  setControl(box_, name);
  std::vector<SettingChoice> choices = row.look.choices;
  if (choices.empty())
    for (const std::string& value : row.option->choices) choices.push_back({value, value});
  setChoices(choices);
  connect(box_, &QComboBox::currentIndexChanged, this,
          [this] { edit(parseOption(option(), fromQt(box_->currentData().toString()))); });
}

void ChoiceField::setChoices(const std::vector<SettingChoice>& choices) {
  {
    const QSignalBlocker block(box_);
    box_->clear();
    // Wide enough for short words; panels are narrow.
    constexpr qsizetype kFewLetters = 8, kMostLetters = 12;
    qsizetype longest = kFewLetters;
    for (const SettingChoice& each : choices) longest = std::max(longest, toQt(each.title).size());
    box_->setMinimumContentsLength(static_cast<int>(std::min(longest, kMostLetters)));
    for (const SettingChoice& each : choices) {
      box_->addItem(toQt(each.title), toQt(each.value));
      box_->setItemData(box_->count() - 1, toQt(each.tip), Qt::ToolTipRole);
    }
  }
  setValue(value());
}

void ChoiceField::showValue() {
  const QSignalBlocker block(box_);
  const int index = box_->findData(toQt(formatOption(value())));
  box_->setCurrentIndex(index >= 0 ? index : box_->findData(QString()));
}

// The tooltip of the choice.
QString ChoiceField::ownTip() const {
  const QString tip = box_->currentData(Qt::ToolTipRole).toString();
  return tip.isEmpty() ? SettingField::ownTip() : tip;
}

CheckField::CheckField(const SettingRow& row, const QString& name, QWidget* parent)
    : SettingField(row, parent), box_(new QCheckBox(toQt(row.option->label), this)) {
  line().addWidget(box_);
  setControl(box_, name);
  connect(box_, &QCheckBox::toggled, this, [this](bool on) { edit(on); });
  showValue();
}

void CheckField::showValue() {
  const QSignalBlocker block(box_);
  box_->setChecked(std::get<bool>(value()));
}

TextField::TextField(const SettingRow& row, const QString& name, QWidget* parent)
    : SettingField(row, parent), box_(new QLineEdit(this)) {
  line().addWidget(box_);
  setControl(box_, name);
  box_->installEventFilter(this);
  connect(box_, &QLineEdit::editingFinished, this, &TextField::accept);
  showValue();
}

void TextField::showValue() {
  // Keeps a text that is being typed.
  if (!(box_->hasFocus() && box_->isModified())) box_->setText(toQt(formatOption(value())));
}

// As in a NumberBox: the undo keys undo only what is being typed.
bool TextField::eventFilter(QObject* watched, QEvent* event) {
  if (watched == box_ && event->type() == QEvent::ShortcutOverride && !box_->isModified()) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return true;
    }
  }
  return SettingField::eventFilter(watched, event);
}

void TextField::accept() {
  if (!box_->isModified()) return;
  box_->setModified(false);
  try {
    const OptionValue typed = parseOption(option(), fromQt(box_->text().trimmed()));
    Q_EMIT corrected({}, box_->accessibleName());
    edit(typed);
  } catch (const Error& error) {
    Q_EMIT corrected(toQt(error.what()), box_->accessibleName());
  }
  showValue();
}

namespace {

// The largest whole number that a double represents exactly with all smaller ones.
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
  connect(slider_, &QSlider::sliderReleased, this,
          &NumberField::showValue);  // the value may have been undone meanwhile
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
  // While the slider is held, the mouse moves its handle.
  if (slider_ && !slider_->isSliderDown()) slider_->setRealValue(number);
  box_->setValue(number);
}

void NumberField::editNumber(double number) {
  const OptionValue wanted =
      option().type == OptionType::Integer ? OptionValue(std::int64_t{std::llround(number)}) : OptionValue(number);
  edit(wanted, gesture_ ? gesture_->now() : QString());
  showValue();  // the settings may have changed the number
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

#include "moc_setting_field.cpp"
