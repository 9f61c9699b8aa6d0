#pragma once
// A page of the Compare room: why a lane ran as it did, where its time went, and where its data are.

#include <QWidget>
#include <vector>

#include "core/compare/lane_explanation.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/compare/race_model.h"

class QComboBox;
class QTableWidget;

namespace sscope {

class TimelineChart;

class ExplainPage : public QWidget {
  Q_OBJECT
 public:
  // Shows the lanes of the last race.
  explicit ExplainPage(RaceModel& race, QWidget* parent = nullptr);

  [[nodiscard]] TimelineChart& timeline() { return *timeline_; }
  void addOffers(std::vector<ExportOffer>& offers, double scale) const;

 Q_SIGNALS:
  void exportRequested(const QString& suffix);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  // The lanes that have ended.
  [[nodiscard]] std::vector<compare::Lane> lanes() const;
  void refresh();
  void show(int lane);
  void fillMemory(const compare::LaneExplanation& explanation);

  RaceModel& race_;
  QComboBox* lane_;
  QTableWidget *rows_, *memory_;
  TimelineChart* timeline_;
};

}  // namespace sscope
