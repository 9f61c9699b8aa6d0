#pragma once
// The Ladders room: the rungs of a paper's ladder, timed on every engine.

#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

#include "ui/base/toolbox.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/ladder/ladder_model.h"
#include "ui/rooms/room.h"

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace sscope {

class FigureBoard;
class LadderSetup;
class LadderTable;
class RungDetails;

// The page of the room: setup on the left, figures in the middle, below them the rows and the explanation of a rung.
class LadderPage : public QWidget {
  Q_OBJECT
 public:
  LadderPage(const Toolbox& toolbox, LadderModel& model, QWidget* parent = nullptr);

  void run();
  // Opens the ladder of this workload.
  void choose(const std::string& workload);
  [[nodiscard]] LadderSetup& setup() { return *setup_; }
  [[nodiscard]] FigureBoard& board() { return *board_; }
  // CSV, JSON and the report of all rows, then PNG and CSV of each figure. `scale`: pixels per logical pixel.
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) const;
  [[nodiscard]] QString exportStem() const;

 Q_SIGNALS:
  void exportRequested(const QString& suffix);  // of an offer
  void offersChanged();

 private:
  QWidget* buildEmpty();
  void showEmpty();
  void refresh();
  void showMeasurement(const Measurement& measurement);

  const Toolbox& toolbox_;
  LadderModel& model_;
  std::string workload_;
  LadderSetup* setup_;
  QStackedWidget* middle_;
  QLabel* empty_;
  FigureBoard* board_;
  QTabWidget* tabs_;
  LadderTable* table_;
  RungDetails* details_;
  QTimer redraw_;  // combines rows that end together into one redraw
};

// The Ladders room: the rungs of a paper's ladder, timed on every engine.
class LadderRoom : public Room {
  Q_OBJECT
 public:
  static constexpr const char* kKey = "ladders";
  explicit LadderRoom(const Desk& desk, QObject* parent = nullptr);

  [[nodiscard]] LadderModel& model() { return model_; }
  [[nodiscard]] LadderPage& ladderPage() { return *page_; }

  [[nodiscard]] RoomSign sign() const override;
  [[nodiscard]] QWidget& page() override;
  [[nodiscard]] RoomPanels panels() const override;
  void setShown(bool shown) override;
  [[nodiscard]] bool computing() const override { return model_.busy(); }
  [[nodiscard]] bool timing() const override { return model_.busy(); }
  [[nodiscard]] bool alone() const override { return model_.busy(); }
  void runAgain() override;
  void cancel() override { model_.cancel(); }
  [[nodiscard]] std::vector<ExportOffer> exportOffers(double scale) override;
  [[nodiscard]] QString exportStem() const override;
  void takeFocus() override;
  [[nodiscard]] QString document() const override { return sign().title; }
  void keep() override;
  void restore(const Session& session) override;
  void remember() const override;

 private:
  void tellProgress();
  void followSettings();

  Desk desk_;
  LadderModel model_;
  LadderPage* page_;
  QString outcome_;  // of the last ladder
};

}  // namespace sscope
