#include "ui/controls/setting_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"

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

// Only rich text has lines of its own making.
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

// What the choice says of itself.
QString ChoiceField::ownTip() const {
  const QString ofChoice = box_->currentData(Qt::ToolTipRole).toString();
  return ofChoice.isEmpty() ? SettingField::ownTip() : ofChoice;
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
  // Do not take the text away from under someone who types.
  if (!(box_->hasFocus() && box_->isModified())) box_->setText(toQt(formatOption(value())));
}

// As in a NumberBox: only what is being typed is the line's to undo.
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

}  // namespace sscope

#include "moc_setting_field.cpp"
