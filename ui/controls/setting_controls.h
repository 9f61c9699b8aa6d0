#pragma once
// The controls of a table's rows, and the settings that they show. A room says where they stand, by groups; what it
// shows by hand of a row it places among them.

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
  // The control of "solve.kappa" is called "solveKappa" with the prefix "solve". `panel` owns them until they are
  // placed.
  SettingControls(Settings settings, QString prefix, QWidget* panel);

  [[nodiscard]] const Settings& settings() const { return settings_; }
  template <HasSettingsTable S>
  [[nodiscard]] const S& as() const {
    return settings_.as<S>();
  }
  void setSettings(const Settings& settings);  // of the same table; emits nothing
  // In step with the model's, both ways: an edit is a step of undo.
  void follow(SessionModel& model);

  // The control of a row; it stands where the room puts it, or where addGroup() does.
  SettingField& field(std::string_view row);
  // The values of a row that is text, or whose titles are not always the same; a list from now on.
  void offer(std::string_view row, const std::vector<SettingChoice>& choices);
  // A widget of the room's own for a row, or for several that share a line.
  void use(std::string_view row, QWidget* own, const QString& label);
  void join(const std::vector<std::string>& rows, const QString& label);
  // All rows of the group that have a control or a widget of the room's own, in the order of the table and of the Tab
  // key, each with its label; without one it has the whole width.
  void addGroup(QFormLayout* form, std::string_view group);
  // Of a number, narrower than the row's.
  void setLimits(std::string_view row, double low, double high);
  // With the label. A row that addGroup() placed.
  void setVisible(std::string_view row, bool visible);

  // What else changes with an edit of this row, in the same step.
  template <HasSettingsTable S>
  void along(std::string_view row, std::function<void(S&)> change) {
    along_[std::string(row)] = [change = std::move(change)](Settings& settings) {
      S own = settings.as<S>();
      change(own);
      settings = own;
    };
  }
  // The rows whose controls were made from them.
  [[nodiscard]] std::vector<std::string> rows() const;

 Q_SIGNALS:
  // settings() are others, by somebody's hand; edits with the same gesture, unless it is empty, are one act.
  void edited(const QString& row, const QString& gesture);
  void corrected(const QString& reason, const QString& control);  // as of a NumberBox

 private:
  struct Place {
    QWidget* widget = nullptr;
    QWidget* label = nullptr;  // null: none
    QString words;             // of the label
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
