#pragma once
// The filter bank: its filters, the parameters of the selected one, boundary and output type.

#include <QWidget>

#include "ui/model/session_model.h"

class QComboBox;

namespace sscope {

class FilterList;
class Notice;
class NumberBox;
class RecipeEditor;

class BankPanel : public QWidget {
  Q_OBJECT
 public:
  explicit BankPanel(SessionModel& model, QWidget* parent = nullptr);
  [[nodiscard]] FilterList& filters() { return *list_; }
  // An error of the run that the bank's settings caused; empty clears it.
  void showError(const QString& message);

 private:
  QWidget* buildBankOptions();
  void refreshBankOptions();
  void followSelection(int row, bool byUser);
  void followShownFilter();
  void tellCorrection(const QString& reason);

  SessionModel& model_;
  FilterList* list_;
  RecipeEditor* recipe_;
  Notice* notice_;
  QComboBox* boundary_;
  NumberBox* constant_;
  QComboBox* output_;
};

}  // namespace sscope
