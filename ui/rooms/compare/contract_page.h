#pragma once
// A page of the Compare room: probes by contenders, with green or the voxel that differs.

#include <QWidget>
#include <vector>

#include "ui/model/export_offer.h"
#include "ui/rooms/compare/look_models.h"

class QLabel;
class QPushButton;

namespace sscope {

class GridChart;

class ContractPage : public QWidget {
  Q_OBJECT
 public:
  explicit ContractPage(ContractModel& model, QWidget* parent = nullptr);

  [[nodiscard]] GridChart& chart() { return *chart_; }
  void followBusy();
  // The case that would be probed now; empty: there is none.
  void setNow(std::optional<compare::CaseRecipe> now);
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;

 Q_SIGNALS:
  void probeRequested();
  void cancelRequested();
  void exportRequested(const QString& suffix);

 private:
  void show();
  void showVerdict();
  void tell(std::size_t lane, std::size_t probe);

  ContractModel& model_;
  QPushButton* start_;
  QLabel* verdict_;
  GridChart* chart_;
  QLabel* details_;  // about the chosen cell
  std::optional<compare::CaseRecipe> now_;
};

}  // namespace sscope
