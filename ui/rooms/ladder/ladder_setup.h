#pragma once
// What to run: the ladder, the devices, the sweep, the rungs; and Run.

#include <QStringList>
#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/ladder/ladder_settings.h"
#include "ui/rooms/ladder/ladder_model.h"
#include "ui/toolbox.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace sscope {

class Notice;

class LadderSetup : public QWidget {
  Q_OBJECT
 public:
  LadderSetup(const Toolbox& toolbox, LadderModel& model, QWidget* parent = nullptr);

  [[nodiscard]] LadderChoice choice() const;
  void setWorkload(const std::string& name);
  void setEngines(const std::vector<std::string>& ids);
  void setSize(LadderSize size);
  [[nodiscard]] LadderSettings settings() const;
  // Devices, rungs and a workload that are not there are left as they are.
  void restore(const LadderSettings& settings);
  // Keeps the choices in the user's settings, for the next start.
  void remember() const;
  // Starts what is chosen, or says why it cannot.
  void run();

 Q_SIGNALS:
  void edited();   // settings() are others, by somebody's hand
  void settled();  // likewise, by one of the functions above
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
  void tellEdited();
  // What follows is one change, of which nobody is told before it ends.
  template <class Change>
  void quietly(const Change& change);
  void followEdits();
  void take(const LadderSettings& settings);
  void showWorkload();
  void showRungs();
  void showBusy();
  [[nodiscard]] bool hasRows(const std::string& rung) const;

  const Toolbox& toolbox_;
  LadderModel& model_;
  QComboBox* ladder_ = nullptr;
  QLabel* explanation_ = nullptr;
  QLabel* source_ = nullptr;
  struct Device {
    EngineInfo info;
    QCheckBox* check;
  };
  std::vector<Device> devices_;
  QComboBox* size_ = nullptr;
  QComboBox* points_ = nullptr;
  QCheckBox* tune_ = nullptr;
  QListWidget* rungs_ = nullptr;
  std::map<std::string, QStringList> unchecked_;  // rungs, by ladder
  QPushButton* run_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QLabel* progressText_ = nullptr;
  Notice* notice_ = nullptr;
  bool quiet_ = false;
};

}  // namespace sscope
