#pragma once
// The page of the Compare room: the bar, and the lanes below it.

#include <QWidget>
#include <vector>

#include "ui/model/data_loader.h"
#include "ui/model/export_offer.h"
#include "ui/model/session_model.h"
#include "ui/rooms/compare/capsule_shelf.h"
#include "ui/rooms/compare/race_model.h"
#include "ui/toolbox.h"

class QLabel;
class QScrollArea;
class QStackedLayout;
class QTabWidget;

namespace sscope {

class LaneBoard;
class RaceBar;
class RaceSetup;
class RooflineChart;
class SampleGallery;

class ComparePage : public QWidget {
  Q_OBJECT
 public:
  // All of them outlive it.
  struct Parts {
    const Toolbox& toolbox;
    SessionModel& model;
    DataLoader& loader;
    RaceModel& race;
    RaceSetup& setup;
  };
  ComparePage(const Parts& parts, QWidget* parent = nullptr);

  [[nodiscard]] LaneBoard& board() { return *board_; }
  [[nodiscard]] RooflineChart& roofline() { return *roofline_; }
  [[nodiscard]] CapsuleShelf& shelf() { return *shelf_; }
  // The lanes are of an earlier setting.
  void setStale(bool stale);
  // Says in the panel what keeps the race from starting; empty: nothing.
  void showError(const QString& message);
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) const;

 Q_SIGNALS:
  void raceRequested();
  void openRequested();
  void exportRequested(const QString& suffix);
  void offersChanged();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void buildEmpty();
  void refresh();
  void refreshRoofline();
  void showStack();
  [[nodiscard]] QStringList sentences() const;
  // Those of the open capsules that are of what was raced at; all of them before anything was.
  [[nodiscard]] std::vector<const compare::Comparison*> drawnCapsules() const;
  [[nodiscard]] std::vector<compare::Comparison> others() const;

  Parts parts_;
  RaceBar* bar_;
  QStackedLayout* stack_;
  QLabel* empty_;
  QTabWidget* tabs_;
  LaneBoard* board_;
  RooflineChart* roofline_;
  QScrollArea* scroll_;
  CapsuleShelf* shelf_;
  SampleGallery* gallery_ = nullptr;
  bool stale_ = false;
};

}  // namespace sscope
