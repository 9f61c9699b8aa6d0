#pragma once
// Chooses the ladder, devices, sweep and rungs; with the Run button.

#include <QStringList>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/ladder/ladder_settings.h"
#include "ui/base/toolbox.h"
#include "ui/rooms/ladder/ladder_model.h"

class QCheckBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace sscope {

class Notice;
class SettingControls;

class LadderSetup : public QWidget {
  Q_OBJECT
 public:
  LadderSetup(const Toolbox& toolbox, LadderModel& model, QWidget* parent = nullptr);

  [[nodiscard]] LadderChoice choice() const;
  void setWorkload(const std::string& name);
  void setEngines(const std::vector<std::string>& ids);
  void setSize(LadderSize size);
  [[nodiscard]] LadderSettings settings() const;
  // Ignores unknown devices, rungs and workloads.
  void restore(const LadderSettings& settings);
  // Saves the choices in the user's settings for the next start.
  void remember() const;
  // Runs the chosen ladder, or shows why it cannot.
  void run();

 Q_SIGNALS:
  void edited();   // the user changed settings()
  void settled();  // one of the functions above changed settings()
  void workloadChanged(const QString& name);
  void rungPointed(const QString& rung);   // for its explanation
  void rungSelected(const QString& rung);  // by click or key

 private:
  QWidget* buildLadder();
  QWidget* buildDevices();
  QWidget* buildSweep();
  QWidget* buildRungs();
  QWidget* buildRun();
  void restoreLast();
  void reportEdited();
  // Makes changes without emitting edited().
  template <class Change>
  void quietly(const Change& change);
  void followEdits();
  void take(const LadderSettings& settings);
  // Shows the settings of controls_, and the rungs of another ladder.
  void showChosen(const LadderSettings& settings);
  [[nodiscard]] const LadderSettings& chosen() const;  // the settings of controls_
  [[nodiscard]] std::vector<std::string> checkedEngines() const;
  // The rungs whose check box has this state.
  [[nodiscard]] QStringList rungsThatAre(Qt::CheckState state) const;
  void applyChosen(const LadderSettings& settings);
  void showWorkload();
  void showRungs();
  void showBusy();
  [[nodiscard]] bool hasRows(const std::string& rung) const;

  const Toolbox& toolbox_;
  LadderModel& model_;
  SettingControls* controls_;
  QLabel* explanation_ = nullptr;
  QLabel* source_ = nullptr;
  struct Device {
    EngineInfo info;
    QCheckBox* check;
  };
  std::vector<Device> devices_;
  QListWidget* rungs_ = nullptr;
  std::map<std::string, QStringList> unchecked_;  // rungs, by ladder
  QPushButton* run_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLabel* progressText_ = nullptr;
  Notice* notice_ = nullptr;
  bool quiet_ = false;
};

}  // namespace sscope
