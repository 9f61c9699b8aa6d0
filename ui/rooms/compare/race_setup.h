#pragma once
// The Race panel: the case, its parameters, and the contenders.

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/compare/case.h"
#include "core/compare/compare_settings.h"
#include "core/measure/bench.h"
#include "ui/base/toolbox.h"
#include "ui/model/session_model.h"

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;
class QVBoxLayout;

namespace sscope {

class Notice;
class OptionEditor;
class SettingControls;

class RaceSetup : public QWidget {
  Q_OBJECT
 public:
  RaceSetup(const Toolbox& toolbox, SessionModel& model, QWidget* parent = nullptr);

  // A hidden room follows changes elsewhere once it is shown.
  void setShown(bool shown);
  // The checked contenders, in the order of the list.
  [[nodiscard]] std::vector<BenchRow> contenders() const;
  // Names of the job's outputs, at least one, and the one that is shown.
  [[nodiscard]] const std::vector<std::string>& outputs() const { return outputs_; }
  [[nodiscard]] std::size_t shownOutput() const { return shownOutput_; }
  // The recipe of the job; empty where there is nothing to compare.
  [[nodiscard]] const std::optional<compare::CaseRecipe>& recipe() const { return recipe_; }
  // The workload whose variants are listed: "filter".
  [[nodiscard]] const std::string& workload() const { return workload_; }
  [[nodiscard]] SettingControls& controls() { return *controls_; }

 Q_SIGNALS:
  void refreshed();  // the job or the contenders may have changed

 private:
  void follow();
  QWidget* buildJob();
  QWidget* buildContenders();
  void refresh();
  void refreshJob();
  void refreshParameters();
  [[nodiscard]] std::vector<std::string> joinedEngines() const;
  void fillContenders();
  void showContenders();
  void addEngine(const EngineInfo& info);
  void takeContenders();
  void checkAll(bool all);
  [[nodiscard]] const CompareSettings& settings() const { return model_.settings<CompareSettings>(); }
  void eachItem(const std::function<void(QTreeWidgetItem&)>& what) const;

  const Toolbox& toolbox_;
  SessionModel& model_;
  SettingControls* controls_;
  QLabel* words_ = nullptr;  // about the job
  QWidget* parameters_ = nullptr;
  QVBoxLayout* parameterColumn_ = nullptr;
  std::string parametersOf_;  // the workload of the editors
  std::vector<OptionEditor*> editors_;
  QTreeWidget* list_ = nullptr;
  std::string workload_ = "filter";
  std::vector<std::string> outputs_{""};
  std::size_t shownOutput_ = 0;
  std::optional<compare::CaseRecipe> recipe_;
  std::vector<std::string> joined_;  // ids of joined engines that are listed
  Notice* notice_ = nullptr;
  bool filling_ = false;
  bool shown_ = false, outdated_ = false;
};

}  // namespace sscope
