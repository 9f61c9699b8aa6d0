#pragma once
// The filter bank: its filters, the parameters of the selected one, boundary and output type.

#include <QWidget>
#include <map>
#include <string>
#include <vector>

#include "core/filter/job/fitting_bank.h"
#include "core/filter/job/live_runner.h"
#include "ui/model/session_model.h"
#include "ui/rooms/filter/taps_files.h"

class QComboBox;
class QLabel;

namespace sscope {

class FilterList;
class Notice;
class NumberBox;
class RecipeEditor;

class BankPanel : public QWidget {
  Q_OBJECT
 public:
  BankPanel(SessionModel& model, const FileTools& files, QWidget* parent = nullptr);
  [[nodiscard]] FilterList& filters() { return *list_; }
  // Shows an error caused by the bank; empty clears it.
  void showError(const QString& message);
  // Shows which filters are left out because they do not fit the data.
  void showLeftOut(const std::vector<LeftOut>& leftOut);
  // Shows how much the last step of each iterating filter changed.
  void showLastSteps(const LiveWhole& whole);

 private:
  QWidget* buildBankOptions();
  void refreshBankOptions();
  void followSelection(int row);
  void followShownFilter();
  void showRemarks();

  SessionModel& model_;
  FilterList* list_;
  RecipeEditor* recipe_;
  Notice* notice_;
  QLabel* remarks_;  // about filters that are left out, have no effect on these data, or iterate
  std::vector<LeftOut> leftOut_;
  std::map<std::string, double> steps_;  // relative change of the last step, by filter
  QComboBox* boundary_;
  NumberBox* constant_;
  QComboBox* output_;
};

}  // namespace sscope
