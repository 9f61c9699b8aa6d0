// The rooms of the main window: which one is open, its panels, and how they were arranged.

#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/ladder/ladder_page.h"
#include "ui/ladder/ladder_setup.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/window/center_area.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/room_bar.h"
#include "ui/window/status_line.h"

namespace sscope {

namespace {

// Raised when panels change so much that a remembered arrangement no longer fits.
constexpr int kLayoutVersion = 2;
const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state/");
const QString kFoldedKey = QStringLiteral("window/folded/");

bool has(const Room& room, const Panel* panel) {
  return std::find(room.panels.begin(), room.panels.end(), panel) != room.panels.end();
}

}  // namespace

void MainWindow::buildRooms() {
  Panel* enginesPanel = panels_.back();
  rooms_ = {{QStringLiteral("filter"), tr("Filter"), "filter", tr("Filter images and volumes on every engine (Alt+1)"),
             center_, panels_},
            {QStringLiteral("ladders"),
             tr("Ladders"),
             "ladders",
             tr("Time the rungs of a paper\u2019s ladder on every engine (Alt+2)"),
             ladderPage_,
             {enginesPanel},
             false}};
  roomBar_ = new RoomBar(this);
  pages_ = new QStackedWidget(this);
  for (const Room& room : rooms_) {
    roomBar_->addRoom(room.title, room.icon, room.tip);
    pages_->addWidget(room.page);
  }
  setCentralWidget(pages_);
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
  for (QAction* action : filterActions_) action->setEnabled(room == kFilterRoom);
  if (room == kLadderRoom) ladderPage_->setFocus();
  offerExports();
}

void MainWindow::rememberRoom() const {
  QSettings().setValue(kStateKey + rooms_[static_cast<std::size_t>(room_)].key, saveState(kLayoutVersion));
}

// Panels as they were when the room was left; those that it does not have are closed.
void MainWindow::arrangeRoom() {
  const Room& room = rooms_[static_cast<std::size_t>(room_)];
  const bool known = restoreState(QSettings().value(kStateKey + room.key).toByteArray(), kLayoutVersion);
  for (Panel* panel : panels_) {
    const bool mine = has(room, panel);
    panel->toggleViewAction()->setEnabled(mine);
    if (!mine || !known) panel->setVisible(mine && room.panelsAtFirst);
  }
}

void MainWindow::rememberLayout() const {
  QSettings settings;
  settings.setValue(kGeometryKey, saveGeometry());
  rememberRoom();
  ladderPage_->setup().remember();
  for (const Panel* panel : panels_) settings.setValue(kFoldedKey + panel->objectName(), panel->collapsed());
}

void MainWindow::restoreLayout() {
  const QSettings settings;
  if (!restoreGeometry(settings.value(kGeometryKey).toByteArray())) {
    const QSize available = screen() ? screen()->availableGeometry().size() : QSize(1280, 800);
    resize((available * 0.92).boundedTo({em(this, 150), em(this, 95)}));
  }
  arrangeRoom();
  for (Panel* panel : panels_) panel->setCollapsed(settings.value(kFoldedKey + panel->objectName()).toBool());
}

void MainWindow::buildStatus() {
  status_ = new StatusLine(live_, this);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  statusBar()->addWidget(status_, 1);
  connect(status_, &StatusLine::cancelRequested, this, &MainWindow::cancelAll);
}

// While a ladder is timed nothing else of the window computes.
void MainWindow::followLadders() {
  connect(&ladders_, &LadderModel::started, this, [this] {
    figures_.measuring().cancel();
    engines_->holdMeasuring(true);
    live_.setPaused(true);
  });
  connect(&ladders_, &LadderModel::progressed, this,
          [this] { status_->showWork(ladders_.progressText(), ladders_.progress()); });
  connect(&ladders_, &LadderModel::ended, this, [this](const QString& outcome) {
    status_->endWork(outcome);
    engines_->holdMeasuring(false);
    live_.setPaused(false);
  });
  connect(ladderPage_, &LadderPage::exportRequested, this, [this](int offer) { showExport(offer); });
  connect(ladderPage_, &LadderPage::offersChanged, this, [this] {
    if (room_ == kLadderRoom) offerExports();
  });
}

void MainWindow::runRoom() { room_ == kLadderRoom ? ladderPage_->run() : live_.runAgain(); }

}  // namespace sscope
