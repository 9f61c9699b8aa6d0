#include "ui/controls/option_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/volume/geometry.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"

namespace sscope {

namespace {
constexpr double kFewSteps = 8;
// A bound for typing only: the taps bound lengths in voxels.
constexpr double kLongestMillimeters = 1e5;
}  // namespace

OptionEditor::OptionEditor(Option option, LengthUnits units, QWidget* parent)
    : QWidget(parent), option_(std::move(option)), value_(option_.fallback), units_(units) {
  auto* column = bareLayout<QVBoxLayout>(this, 0);
  row_ = new QHBoxLayout;
  row_->setSpacing(em(this, 0.35));
  column->addLayout(row_);
  setToolTip(toQt(option_.help));
  if (option_.type == OptionType::Boolean) {
    buildCheck();
  } else {
    label_ = new QLabel(toQt(option_.label), this);
    label_->setMinimumWidth(std::max(em(this, 3.9), label_->sizeHint().width()));
    label_->installEventFilter(this);
    label_->setToolTip(
        tr("%1\nDouble-click for the default, %2.").arg(toQt(option_.help), toQt(formatOption(option_.fallback))));
    row_->addWidget(label_);
    option_.type == OptionType::Choice ? buildChoice() : buildNumber();
  }
  gesture_ = new Gesture(slider_ ? static_cast<QWidget*>(slider_) : this);
  setValue(option_.fallback);
}

void OptionEditor::buildNumber() {
  const QString name = toQt(option_.label);
  slider_ = new ValueSlider(tr("%1 slider").arg(name), this);
  slider_->setObjectName(toQt(option_.name + ".slider"));
  slider_->setMinimumWidth(em(this, 4));
  box_ = new NumberBox(name, this);
  box_->setObjectName(toQt(option_.name + ".box"));
  box_->setWhole(option_.type == OptionType::Integer);
  box_->setStep([this](double value, int steps) {
    // Above the slider's range the box steps by hundredths of the value.
    const bool inside = value < slider_->stepped(1e300, 0) || steps < 0;
    if (inside) return slider_->stepped(value, steps * static_cast<int>(option_.step));
    return option_.type == OptionType::Integer ? value + steps * static_cast<double>(option_.step)
                                               : withoutTail(value * (1 + 0.01 * steps));
  });
  // A slider with few positions shares the line with the label; others get the whole width.
  const bool ownLine = option_.type != OptionType::Integer || option_.sliderMaximum - option_.sliderMinimum > kFewSteps;
  if (ownLine) {
    row_->addStretch(1);
    qobject_cast<QVBoxLayout*>(layout())->addWidget(slider_);
  } else {
    row_->addWidget(slider_, 1);
  }
  row_->addWidget(box_);
  if (option_.type == OptionType::Length) {
    unit_ = new QToolButton(this);
    unit_->setObjectName(toQt(option_.name + ".unit"));
    unit_->setAccessibleName(tr("%1 unit").arg(name));
    connect(unit_, &QToolButton::clicked, this, &OptionEditor::switchUnit);
    box_->setUnits({QStringLiteral("pm"), QStringLiteral("Å"), QStringLiteral("angstrom"), QStringLiteral("nm"),
                    QStringLiteral("um"), QStringLiteral("µm"), QStringLiteral("mm"), QStringLiteral("cm"),
                    QStringLiteral("m"), QStringLiteral("vox"), QStringLiteral("voxel"), QStringLiteral("voxels"),
                    QStringLiteral("px"), QStringLiteral("pixel"), QStringLiteral("pixels")});
    connect(box_, &NumberBox::unitTyped, this, [this](const QString& typed) { takeUnit(lengthUnit(fromQt(typed))); });
    row_->addWidget(unit_);
    unit_->setFixedWidth(em(this, 2.1));
  } else {
    auto* unit =
        quietLabel(option_.unit == "voxels" ? stepName() : toQt(option_.unit == "sigma" ? "σ" : option_.unit), this);
    unit->setFixedWidth(em(this, 2.1));
    unit->setAlignment(Qt::AlignCenter);
    row_->addWidget(unit);
  }
  connect(slider_, &ValueSlider::realValueEdited, this, [this](double value) {
    Q_EMIT corrected({}, box_->accessibleName());
    editNumber(value);
  });
  connect(slider_, &QSlider::sliderPressed, this, [this] { Q_EMIT heldChanged(true); });
  connect(slider_, &QSlider::sliderReleased, this, [this] { Q_EMIT heldChanged(false); });
  connect(slider_, &ValueSlider::stepTaken, this, &OptionEditor::stepTaken);
  connect(box_, &NumberBox::stepTaken, this, &OptionEditor::stepTaken);
  connect(box_, &NumberBox::valueEdited, this, &OptionEditor::editNumber);
  connect(box_, &NumberBox::corrected, this, &OptionEditor::corrected);
}

void OptionEditor::buildCheck() {
  check_ = new QCheckBox(toQt(option_.label), this);
  check_->setObjectName(toQt(option_.name + ".check"));
  focusByTabOnly(check_);
  row_->addWidget(check_);
  connect(check_, &QCheckBox::toggled, this, [this](bool on) {
    gesture_->begin();
    edit(on);
  });
}

void OptionEditor::buildChoice() {
  choice_ = new QComboBox(this);
  choice_->setObjectName(toQt(option_.name + ".choice"));
  choice_->setAccessibleName(toQt(option_.label));
  focusByTabOnly(choice_);
  for (const std::string& choice : option_.choices) choice_->addItem(toQt(choice));
  choice_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  row_->addWidget(choice_);
  const auto take = [this] {
    gesture_->begin();
    edit(fromQt(choice_->currentText()));
  };
  choice_->setEditable(option_.choices.empty());
  if (choice_->isEditable()) {  // not with every letter
    connect(choice_->lineEdit(), &QLineEdit::editingFinished, this, take);
  } else {
    connect(choice_, &QComboBox::currentTextChanged, this, take);
  }
}

void OptionEditor::setValue(const OptionValue& value) {
  const bool changed = value != value_;
  value_ = value;
  if (check_) {
    const QSignalBlocker block(check_);
    check_->setChecked(std::get<bool>(value_));
  } else if (choice_) {
    const QSignalBlocker block(choice_);
    choice_->setCurrentText(toQt(std::get<std::string>(value_)));
  } else {
    applyUnit();
    showNumber();
    if (changed) slider_->setRealValue(number());  // also while it is held: undo, or another control, changed it
  }
}

void OptionEditor::applyUnit() {
  const double factor = millimeters() ? shown(units_.millimetersPerStep) : 1;
  slider_->setScale(withoutTail(option_.sliderMinimum * factor), withoutTail(option_.sliderMaximum * factor),
                    option_.logarithmic, option_.type == OptionType::Integer);
  if (millimeters()) {
    box_->setRange(0, shown(kLongestMillimeters));
  } else {
    box_->setRange(option_.minimum, option_.maximum);
  }
  const QString steps = units_.pixels ? tr("pixels") : tr("voxels");
  const QString unit = unitText(units_.unit);
  box_->setUnit(millimeters() ? unit : option_.unit == "voxels" ? steps : toQt(option_.unit));
  if (!unit_) return;
  unit_->setText(millimeters() ? unit : stepName());
  // A session may hold millimeters where the data have no unit; switching to steps remains possible.
  unit_->setEnabled(units_.physical || millimeters());
  unit_->setToolTip(units_.physical ? tr("Switch between %1 and %2").arg(steps, unit)
                                    : tr("In %1: the data have no unit of length").arg(steps));
}

QString OptionEditor::stepName() const { return units_.pixels ? tr("px") : tr("vox"); }

void OptionEditor::showNumber() {
  // While the slider is held, the mouse moves its handle.
  if (!slider_->isSliderDown()) slider_->setRealValue(number());
  box_->setValue(number());
}

double OptionEditor::number() const {
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  if (const auto* whole = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*whole);
  const Length& length = std::get<Length>(value_);
  return length.millimeters ? shown(length.value) : length.value;
}

double OptionEditor::shown(double millimeters) const { return convertLength(millimeters, "mm", units_.unit); }

double OptionEditor::kept(double shown) const { return convertLength(shown, units_.unit, "mm"); }

bool OptionEditor::millimeters() const {
  const auto* length = std::get_if<Length>(&value_);
  return length != nullptr && length->millimeters;
}

void OptionEditor::switchUnit() {
  Length length = std::get<Length>(value_);
  const double step = units_.millimetersPerStep;
  // Rounded to the five digits that the box shows.
  const auto rounded = [](double value) { return QString::number(value, 'g', 5).toDouble(); };
  length.value = length.millimeters ? rounded(length.value / step) : kept(rounded(shown(length.value * step)));
  length.millimeters = !length.millimeters;
  if (!length.millimeters) length.value = std::clamp(length.value, option_.minimum, option_.maximum);
  gesture_->begin();
  Q_EMIT corrected({}, box_->accessibleName());
  edit(length);
  setValue(value_);
}

// Empty: voxels. valueEdited() with the typed number follows.
void OptionEditor::takeUnit(const std::string& unit) {
  Length length = std::get<Length>(value_);
  const bool physical = millimetersIn(unit).has_value();
  if (physical) units_.unit = unit;  // shown in the typed unit
  if (length.millimeters != physical) {
    gesture_->begin();
    length.value =
        withoutTail(physical ? length.value * units_.millimetersPerStep : length.value / units_.millimetersPerStep);
    if (!physical) length.value = std::clamp(length.value, option_.minimum, option_.maximum);
    edit(Length{length.value, physical});
  }
  setValue(value_);
}

// The nearest whole number that the option accepts. Where that is the present one, the next: a step of the slider
// always changes the value.
std::int64_t OptionEditor::accepted(double wanted) const {
  const auto step = static_cast<double>(option_.step);
  const double now = number(), above = (wanted - option_.minimum) / step;
  double steps = std::round(above);
  if (option_.minimum + steps * step == now && std::abs(wanted - now) >= 0.5)
    steps = wanted > now ? std::floor(above) + 1 : std::ceil(above) - 1;
  return std::llround(std::clamp(option_.minimum + steps * step, option_.minimum, option_.maximum));
}

void OptionEditor::editNumber(double number) {
  switch (option_.type) {
    case OptionType::Integer: edit(accepted(number)); break;
    case OptionType::Length: edit(Length{millimeters() ? kept(number) : number, millimeters()}); break;
    default: edit(number);
  }
  showNumber();
}

void OptionEditor::edit(OptionValue value) {
  if (value == value_) return;
  value_ = std::move(value);
  Q_EMIT edited(value_, gesture_->now());
}

bool OptionEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == label_ && event->type() == QEvent::MouseButtonDblClick) {
    gesture_->begin();
    if (box_) Q_EMIT corrected({}, box_->accessibleName());
    edit(option_.fallback);
    setValue(value_);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace sscope

#include "moc_option_editor.cpp"
