#include "ui/controls/setting_controls.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/model/session_model.h"

namespace sscope {

SettingControls::SettingControls(Settings settings, QString prefix, QWidget* panel)
    : QObject(panel), settings_(std::move(settings)), prefix_(std::move(prefix)), panel_(panel) {}

void SettingControls::setSettings(const Settings& settings) {
  settings_ = settings;
  for (const auto& [row, field] : fields_) field->setValue(settings_.at(row));
}

void SettingControls::follow(SessionModel& model) {
  const SettingsTable* own = &settings_.table();
  const auto take = [this, &model] { setSettings(model.session().settings(settings_.table())); };
  connect(&model, &SessionModel::settingsChanged, this, [own, take](const SettingsTable* table) {
    if (table == own) take();
  });
  connect(&model, &SessionModel::replaced, this, take);
  connect(this, &SettingControls::edited, &model,
          [this, &model](const QString& /*row*/, const QString& gesture) { model.edit(settings_, gesture); });
  take();
}

const SettingRow& SettingControls::rowNamed(std::string_view row) const {
  const SettingRow* found = settings_.table().find(row);
  if (found == nullptr || !found->option) qFatal("there is no control for the setting %s", std::string(row).c_str());
  return *found;
}

SettingField& SettingControls::make(const SettingRow& row, bool list) {
  const std::string last = row.name.substr(row.name.rfind('.') + 1);  // npos + 1 is 0
  auto* field = SettingField::make(row, prefix_ + toQt(capitalized(last)), list, panel_);
  fields_[row.name] = field;
  field->setValue(settings_.at(row.name));
  connect(field, &SettingField::edited, this,
          [this, &row](const OptionValue& value, const QString& gesture) { take(row, value, gesture); });
  connect(field, &SettingField::corrected, this, &SettingControls::corrected);
  return *field;
}

SettingField& SettingControls::field(std::string_view row) {
  const auto found = fields_.find(row);
  return found != fields_.end() ? *found->second : make(rowNamed(row), false);
}

void SettingControls::offer(std::string_view row, const std::vector<SettingChoice>& choices) {
  const auto found = fields_.find(row);
  SettingField& field = found != fields_.end() ? *found->second : make(rowNamed(row), true);
  if (auto* list = qobject_cast<ChoiceField*>(&field)) list->setChoices(choices);
}

void SettingControls::take(const SettingRow& row, const OptionValue& value, const QString& gesture) {
  SettingField& field = *fields_.at(row.name);
  Settings next = settings_;
  try {
    next.set(row.name, value);
  } catch (const Error& error) {
    field.setValue(settings_.at(row.name));
    Q_EMIT corrected(toQt(error.what()), field.control()->accessibleName());
    return;
  }
  if (const auto also = along_.find(row.name); also != along_.end()) also->second(next);
  setSettings(next);
  Q_EMIT edited(toQt(row.name), gesture);
}

void SettingControls::use(std::string_view row, QWidget* own, const QString& label) {
  places_[std::string(row)] = {own, nullptr, label};
}

void SettingControls::join(const std::vector<std::string>& rows, const QString& label) {
  auto* widget = new QWidget(panel_);
  auto* line = bareLayout<QHBoxLayout>(widget, em(panel_, 0.2));
  for (const std::string& row : rows) {
    line->addWidget(&field(row));
    use(row, widget, label);
  }
  line->addStretch(1);
}

void SettingControls::addGroup(QFormLayout* form, std::string_view group) {
  const QWidget* last = nullptr;
  for (const SettingRow& row : settings_.table().rows) {
    if (row.look.group != group) continue;
    auto place = places_.find(row.name);
    if (place == places_.end()) {
      if (!row.option) continue;
      SettingField& made = field(row.name);
      place = places_.emplace(row.name, Place{&made, nullptr, made.label()}).first;
    }
    Place& at = place->second;
    if (at.widget != last) {
      at.labelText.isEmpty() ? form->addRow(at.widget) : form->addRow(at.labelText, at.widget);
      last = at.widget;
    }
    at.label = form->labelForField(at.widget);
  }
}

void SettingControls::setLimits(std::string_view row, double low, double high) {
  if (auto* number = qobject_cast<NumberField*>(&field(row))) number->setLimits(low, high);
}

void SettingControls::setVisible(std::string_view row, bool visible) {
  const Place& at = places_.find(row)->second;
  at.widget->setVisible(visible);
  if (at.label) at.label->setVisible(visible);
}

std::vector<std::string> SettingControls::rows() const {
  std::vector<std::string> names;
  for (const auto& [row, field] : fields_) names.push_back(row);
  return names;
}

}  // namespace sscope

#include "moc_setting_controls.cpp"
