// The rooms of the main window: which one is open, its panels, and what it tells.

#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/filter/filter_page.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/offer_bar.h"
#include "ui/window/room_bar.h"
#include "ui/window/status_line.h"

namespace sscope {

void MainWindow::buildRooms() {
  Panel *dataPanel = panels_[0], *bankPanel = panels_[1], *waveletPanel = panels_[2], *latticePanel = panels_[3],
        *fieldPanel = panels_[4], *enginesPanel = panels_[5];
  rooms_ = {{QStringLiteral("filter"),
             tr("Filter"),
             "filter",
             tr("Filter images and volumes on every engine (Alt+1)"),
             center_,
             {dataPanel, bankPanel, enginesPanel}},
            {QStringLiteral("wavelet"),
             tr("Wavelet"),
             "wavelet",
             tr("Wavelet transforms and the magic filter: coefficients, thresholds, curves (Alt+2)"),
             waveletPage_,
             {dataPanel, waveletPanel, enginesPanel}},
            {QStringLiteral("lattice"),
             tr("Lattice"),
             "lattice",
             tr("Gauge configurations of lattice QCD: fields, flow, solvers (Alt+3)"),
             latticePage_,
             {latticePanel, fieldPanel, enginesPanel},
             2,
             {22, 26}},
            {QStringLiteral("ladders"),
             tr("Ladders"),
             "ladders",
             tr("Time the rungs of a paper\u2019s ladder on every engine (Alt+4)"),
             ladderPage_,
             {enginesPanel},
             0}};
  roomBar_ = new RoomBar(this);
  pages_ = new QStackedWidget(this);
  for (const Room& room : rooms_) {
    roomBar_->addRoom(room.title, room.icon, room.tip);
    pages_->addWidget(room.page);
  }
  buildOffers();
  auto* middle = new QWidget(this);
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(leftOffer_);
  column->addWidget(missingOffer_);
  column->addWidget(pages_, 1);
  setCentralWidget(middle);
  addToolBar(Qt::LeftToolBarArea, roomBar_);
  connect(roomBar_, &RoomBar::roomChosen, this, &MainWindow::enterRoom);
  // Only the page that is seen says how small the window can be.
  const auto size = [this] {
    for (int i = 0; i < pages_->count(); ++i) {
      const auto policy = i == pages_->currentIndex() ? QSizePolicy::Expanding : QSizePolicy::Ignored;
      pages_->widget(i)->setSizePolicy(policy, policy);
    }
  };
  connect(pages_, &QStackedWidget::currentChanged, this, size);
  size();
}

void MainWindow::enterRoom(int room) {
  if (room == room_ || room < 0 || room >= static_cast<int>(rooms_.size())) return;
  rememberRoom();
  room_ = room;
  roomBar_->setRoom(room);
  pages_->setCurrentIndex(room);
  arrangeRoom();
  for (QAction* action : dataActions_) action->setEnabled(showsData());
  closeData_->setEnabled(showsData());
  enableFilterActions();
  if (room == kLadderRoom) ladderPage_->setFocus();
  focusPictures();
  if (showsData()) {
    ViewState view = model_.view();
    view.room = fromQt(rooms_[static_cast<std::size_t>(room)].key);
    model_.setView(view);
  }
  pauseRooms();
  engines_->follow(room == kWaveletRoom ? [this] { return wavelets_.rows(); }
                                        : std::function<std::vector<EngineRow>()>());
  offerExports();
  status_->followFiltering(room == kFilterRoom);
  status_->setBarElsewhere(room == kLadderRoom);
  showTitle();
  tellRoom();
}

void MainWindow::tellRoom() {
  if (ladders_.busy() || latticePage_->solve().controller().busy()) return;  // they tell their progress in every room
  switch (room_) {
    case kLadderRoom: status_->endWork(ladderOutcome_.isEmpty() ? tr("no ladder was run yet") : ladderOutcome_); break;
    case kLatticeRoom: tellLattices(); break;
    case kWaveletRoom:
      if (!wavelets_.busy() && wavelets_.result())
        tellWavelets();
      else
        status_->endWork(model_.hasData() ? tr("the transform is being computed") : tr("no data is open"));
      break;
    default: status_->showFiltering();
  }
}

void MainWindow::buildStatus() {
  status_ = new StatusLine(live_, this);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  statusBar()->addWidget(status_, 1);
  connect(status_, &StatusLine::cancelRequested, this, &MainWindow::cancelAll);
  connect(engines_, &EnginesPanel::repeatRequested, this, &MainWindow::repeatTiming);
}

// While a ladder is timed nothing else of the window computes.
void MainWindow::followLadders() {
  connect(&ladders_, &LadderModel::started, this, [this] {
    figures_.measuring().cancel();
    engines_->holdMeasuring(true);
    pauseRooms();
  });
  connect(&ladders_, &LadderModel::progressed, this,
          [this] { status_->showWork(ladders_.progressText(), ladders_.progress()); });
  connect(&ladders_, &LadderModel::ended, this, [this](const QString& outcome) {
    ladderOutcome_ = outcome;
    status_->endWork(outcome);
    engines_->holdMeasuring(false);
    pauseRooms();
  });
  connect(ladderPage_, &LadderPage::exportRequested, this, [this](int offer) { showExport(offer); });
  connect(ladderPage_, &LadderPage::offersChanged, this, [this] {
    if (room_ == kLadderRoom) offerExports();
  });
}

void MainWindow::pauseRooms() {
  live_.setPaused(ladders_.busy() || room_ == kWaveletRoom || room_ == kLatticeRoom);
  wavelets_.setPaused(ladders_.busy());
  wavelets_.setActive(room_ == kWaveletRoom);
  lattices_.setPaused(ladders_.busy());
  if (ladders_.busy()) latticePage_->solve().cancel();
}

// The room that the session names; a session without one is the Filter room's.
void MainWindow::enterShownRoom() {
  enterRoom(fromQt(rooms_[kWaveletRoom].key) == model_.view().room ? kWaveletRoom : kFilterRoom);
}

void MainWindow::followWavelets() {
  connect(&model_, &SessionModel::viewChanged, this, [this] {
    if (showsData()) enterShownRoom();
  });
  connect(&wavelets_, &WaveletController::started, this, [this] { transforming_.start(); });
  connect(&wavelets_, &WaveletController::progressed, this, [this](double fraction, const QString& stage) {
    if (transforming_.elapsed() > kQuietMilliseconds) status_->showWork(stage, fraction);
  });
  connect(&wavelets_, &WaveletController::ready, this, &MainWindow::tellWavelets);
  connect(&wavelets_, &WaveletController::verified, this, &MainWindow::tellWavelets);
  connect(&wavelets_, &WaveletController::compared, engines_, &EnginesPanel::refreshCharts);
  connect(engines_, &EnginesPanel::comparedChanged, this, [this] { wavelets_.setCompare(engines_->compared()); });
  wavelets_.setCompare(engines_->compared());
  connect(&wavelets_, &WaveletController::failed, this, [this](const QString& message) { status_->endWork(message); });
  connect(&wavelets_, &WaveletController::canceled, this,
          [this] { status_->endWork(tr("canceled \u00b7 the result shown is of an earlier setting")); });
  connect(&wavelets_, &WaveletController::emptied, this, [this] { status_->endWork(tr("no data is open")); });
  connect(waveletPage_, &WaveletPage::exportRequested, this, [this](int offer) { showExport(offer); });
  connect(waveletPage_, &WaveletPage::offersChanged, this, [this] {
    if (room_ == kWaveletRoom) offerExports();
  });
}

// "ran on cpu:avx512, 2 threads · sym4, 3 levels · forward 12.4 ms · inverse 13.1 ms · total 60 ms · error 2e-3".
void MainWindow::tellWavelets() {
  if (room_ != kWaveletRoom) return;
  engines_->refreshCharts();
  const WaveletResult& result = *wavelets_.result();
  const RunReport& report = result.inverse;
  QStringList parts{tr("ran on %1").arg(toQt(report.engine))};
  if (report.engine.starts_with("cpu:"))
    parts.back() += report.threads == 1 ? tr(", 1 thread") : tr(", %1 threads").arg(report.threads);
  parts << toQt(report.variant);
  if (result.coefficients) parts << tr("%1, %2 levels").arg(toQt(model_.wavelet().wavelet)).arg(result.layout.levels);
  parts << tr("forward %1").arg(secondsText(result.forward.phases.total)) +
               (result.forwardReused ? tr(" (kept)") : QString());
  parts << tr("inverse %1").arg(secondsText(report.phases.total)) << tr("total %1").arg(secondsText(result.seconds));
  const Verification* verification = wavelets_.verification();
  parts << (verification ? toQt(verificationText(*verification)) : tr("error: being verified"));
  status_->endWork(parts.join(QStringLiteral(" \u00b7 ")));
}

void MainWindow::runRoom() {
  switch (room_) {
    case kLadderRoom: ladderPage_->run(); break;
    case kWaveletRoom: wavelets_.runAgain(); break;
    default: live_.runAgain();
  }
}

// Of the engines, for the charts of the open room.
void MainWindow::repeatTiming() {
  if (room_ == kFilterRoom) live_.repeatComparison();
  if (room_ == kWaveletRoom) wavelets_.runAgain();
}

}  // namespace sscope
