#pragma once
// A page of the Compare room: the machine's load in the last minute, on one time axis with the runs of the race.

#include <QWidget>
#include <vector>

#include "ui/charts/strip_chart.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/compare/load_monitor.h"

namespace sscope {

// The monitor's data as strips up to `now`.
[[nodiscard]] std::vector<Strip> loadStrips(const LoadMonitor& monitor, LoadMonitor::Clock::time_point now);

class UtilizationPage : public QWidget {
  Q_OBJECT
 public:
  explicit UtilizationPage(LoadMonitor& monitor, QWidget* parent = nullptr);

  [[nodiscard]] StripChart& chart() { return *chart_; }
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;

 Q_SIGNALS:
  void exportRequested(const QString& suffix);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();

  LoadMonitor& monitor_;
  StripChart* chart_;
};

}  // namespace sscope
