#pragma once
// The controls of the rows of a table, and the settings that they show. A room places them by groups, and may replace
// the control of a row by a widget of its own.

#include <QObject>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/options/settings.h"
#include "ui/controls/setting_field.h"

class QFormLayout;
class QLabel;

namespace sscope {

class SessionModel;

class SettingControls : public QObject {
  Q_OBJECT
 public:
  // With the prefix "solve", the object name of the control of "solve.kappa" is "solveKappa". `panel` owns the controls
  // until they are placed.
  SettingControls(Settings settings, QString prefix, QWidget* panel);

  [[nodiscard]] const Settings& settings() const { return settings_; }
  template <HasSettingsTable S>
  [[nodiscard]] const S& as() const {
    return settings_.as<S>();
  }
  void setSettings(const Settings& settings);  // of the same table; emits nothing
  // Keeps the settings equal to the model's in both directions; an edit is a step of undo.
  void follow(SessionModel& model);

  // The control of a row; the room or addGroup() places it.
  SettingField& field(std::string_view row);
  // Makes the control of a row a list of these choices: for text, or for choices that change.
  void offer(std::string_view row, const std::vector<SettingChoice>& choices);
  // Replaces the control of a row by a widget of the room; join() puts several controls on one line.
  void use(std::string_view row, QWidget* own, const QString& label);
  void join(const std::vector<std::string>& rows, const QString& label);
  // Adds all rows of the group that have a control or a widget of the room, in the order of the table and of the Tab
  // key, each with its label; a row without a label gets the whole width.
  void addGroup(QFormLayout* form, std::string_view group);
  // Narrower limits of a number.
  void setLimits(std::string_view row, double low, double high);
  // Shows or hides a row that addGroup() placed, with its label.
  void setVisible(std::string_view row, bool visible);

  // Further changes in the same step as an edit of this row.
  template <HasSettingsTable S>
  void along(std::string_view row, std::function<void(S&)> change) {
    along_[std::string(row)] = [change = std::move(change)](Settings& settings) {
      S own = settings.as<S>();
      change(own);
      settings = own;
    };
  }
  // The rows that have controls made from them.
  [[nodiscard]] std::vector<std::string> rows() const;

 Q_SIGNALS:
  // The user changed settings(). Edits with the same nonempty gesture are one step of undo.
  void edited(const QString& row, const QString& gesture);
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 private:
  struct Place {
    QWidget* widget = nullptr;
    QWidget* label = nullptr;  // null: none
    QString labelText;
  };
  SettingField& make(const SettingRow& row, bool list);
  [[nodiscard]] const SettingRow& rowNamed(std::string_view row) const;
  void take(const SettingRow& row, const OptionValue& value, const QString& gesture);

  Settings settings_;
  QString prefix_;
  QWidget* panel_;
  std::map<std::string, SettingField*, std::less<>> fields_;
  std::map<std::string, Place, std::less<>> places_;
  std::map<std::string, std::function<void(Settings&)>, std::less<>> along_;
};

}  // namespace sscope
