#pragma once
// A page of the Compare room: which engine wins at which size and parameter.

#include <QWidget>
#include <string>
#include <vector>

#include "ui/model/export_offer.h"
#include "ui/rooms/compare/look_models.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace sscope {

class GridChart;
class SegmentRow;

class BreakEvenPage : public QWidget {
  Q_OBJECT
 public:
  explicit BreakEvenPage(BreakEvenModel& model, QWidget* parent = nullptr);

  // The present case: its parameters that can vary, with proposed values. Typed values stay while the case is the same.
  void setRecipe(const compare::CaseRecipe& recipe);
  // Throws Error(Usage) for a wrong input.
  [[nodiscard]] compare::BreakEvenAxes axes() const;
  [[nodiscard]] GridChart& chart() { return *chart_; }
  void followBusy();
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;

 Q_SIGNALS:
  void fillRequested(bool measure);
  void cancelRequested();
  void raceRequested(const sscope::compare::BreakEvenCell& cell);
  void exportRequested(const QString& suffix);

 private:
  QWidget* buildBar();
  void proposeValues();
  void show();
  [[nodiscard]] compare::CellTimes timesOf(const compare::BreakEvenCell& cell) const;

  BreakEvenModel& model_;
  compare::CaseRecipe recipe_;
  QLineEdit *edges_ = nullptr, *values_ = nullptr;
  QComboBox* parameter_ = nullptr;
  SegmentRow* times_ = nullptr;
  QPushButton *predict_ = nullptr, *measure_ = nullptr;
  GridChart* chart_;
  bool transfers_ = true;  // whether times include transfers
};

}  // namespace sscope
