#pragma once
// The page of the Compare room: the bar, and tabs below it with the lanes, the roofline and the analyses.

#include <QWidget>
#include <vector>

#include "ui/base/toolbox.h"
#include "ui/controls/two_row_bar.h"
#include "ui/model/data_loader.h"
#include "ui/model/export_offer.h"
#include "ui/model/session_model.h"
#include "ui/rooms/compare/capsule_shelf.h"
#include "ui/rooms/compare/look_runner.h"
#include "ui/rooms/compare/race_model.h"

class QScrollArea;
class QStackedLayout;
class QStackedWidget;
class QTabWidget;
class QPushButton;
class QToolButton;

namespace sscope {

class ElidedLabel;
class SettingControls;

class RaceBar : public TwoRowBar {
  Q_OBJECT
 public:
  // `controls` has the switch for racing again.
  RaceBar(SettingControls& controls, QWidget* parent);

  void showBusy(bool busy);
  void showDoing(const QString& text);
  void showCapsules(int count);

 Q_SIGNALS:
  void raceClicked();  // or Cancel, while a race runs
  void addRequested();
  void clearRequested();
  void exportRequested();

 private:
  QToolButton* button(const char* iconName, const QString& text, const QString& tip, const char* name);

  QPushButton* race_;
  ElidedLabel* doing_;
  QToolButton* clear_;
};

class LaneBoard;
class LoadMonitor;
class LookPages;
class RaceBar;
class RaceSetup;
class Notice;
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
    LookRunner& looks;
    LoadMonitor& load;
    RaceSetup& setup;
  };
  ComparePage(const Parts& parts, QWidget* parent = nullptr);

  [[nodiscard]] LaneBoard& board() { return *board_; }
  [[nodiscard]] RooflineChart& roofline() { return *roofline_; }
  [[nodiscard]] LookPages& looks() { return *looks_; }
  [[nodiscard]] CapsuleShelf& shelf() { return *shelf_; }
  // Marks the lanes as those of an earlier setting.
  void setStale(bool stale);
  // Shows in the panel why the race cannot start; empty: it can.
  void showError(const QString& message);
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) const;

 Q_SIGNALS:
  void raceRequested();
  void raceAtRequested(const sscope::RaceJob& job);  // a job other than the setup's
  void openRequested();
  void exportRequested(const QString& suffix);
  void offersChanged();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildEmpty();
  QWidget* buildLanes();
  void follow();
  void refresh();
  void refreshRoofline();
  void showStack();
  [[nodiscard]] QStringList sentences() const;
  // The open capsules of the case that was raced at; before a race, all of them.
  [[nodiscard]] std::vector<const compare::Comparison*> drawnCapsules() const;
  [[nodiscard]] std::vector<compare::Comparison> others() const;

  Parts parts_;
  RaceBar* bar_;
  QStackedLayout* stack_;  // the tabs, or the samples
  QTabWidget* tabs_;
  QStackedWidget* lanes_;  // the text before a race, or the board
  LaneBoard* board_;
  RooflineChart* roofline_;
  Notice* notice_ = nullptr;  // above the tabs, near the buttons
  LookPages* looks_;
  QScrollArea* scroll_;
  CapsuleShelf* shelf_;
  SampleGallery* gallery_ = nullptr;
  bool stale_ = false;
};

}  // namespace sscope
