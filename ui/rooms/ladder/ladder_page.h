#pragma once
// The page of the Ladders room: setup on the left, figures in the middle, below them the rows and the explanation of a
// rung.

#include <QTimer>
#include <QWidget>
#include <string>
#include <vector>

#include "ui/base/toolbox.h"
#include "ui/model/export_offer.h"
#include "ui/rooms/ladder/ladder_model.h"

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace sscope {

class FigureBoard;
class LadderSetup;
class LadderTable;
class RungDetails;

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
  QTimer fresh_;  // combines rows that end together into one redraw
};

}  // namespace sscope
