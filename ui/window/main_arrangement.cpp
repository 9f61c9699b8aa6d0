// How the panels of a room are arranged, and that it is remembered: beside the pictures in a wide window, as tabs at
// the left in a narrow one.

#include <QAbstractButton>
#include <QComboBox>
#include <QResizeEvent>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>

#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/panels/panel.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace sscope {

namespace {

// Raised when panels change so much that a remembered arrangement no longer fits.
constexpr int kLayoutVersion = 3;
// In lines of text. Below the first, panels at both sides would leave too little between them; the last two are the
// least that every room can be used in.
constexpr double kWide = 66, kSmallestWidth = 42, kSmallestHeight = 26;
const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state/");
const QString kNarrowKey = QStringLiteral("window/narrow/");
const QString kFoldedKey = QStringLiteral("window/folded/");

}  // namespace

QString MainWindow::stateKey() const { return (narrow_ ? kNarrowKey : kStateKey) + room(); }

void MainWindow::rememberRoom() const { QSettings().setValue(stateKey(), saveState(kLayoutVersion)); }

// Panels as they were when the room was left; those that it does not have are closed.
void MainWindow::arrangeRoom() {
  const RoomPanels room = room_->panels();
  const bool known = restoreState(QSettings().value(stateKey()).toByteArray(), kLayoutVersion);
  if (!known) placePanels();
  for (Panel* panel : panels_) {
    const auto place = static_cast<std::size_t>(std::ranges::find(room.panels, panel) - room.panels.begin());
    const bool mine = place < room.panels.size();
    panel->toggleViewAction()->setEnabled(mine);
    if (!mine || !known) panel->setVisible(mine && place < room.openAtFirst);
    if (narrow_) panel->setCollapsed(false);  // of tabs there is one to see
  }
  if (narrow_ && !known) room.panels.front()->raise();
  if (known || narrow_ || room.heights.empty()) return;
  QList<QDockWidget*> docks;
  QList<int> heights;
  for (std::size_t i = 0; i < room.heights.size(); ++i) {
    docks << room.panels[i];
    heights << em(this, room.heights[i]);
  }
  resizeDocks(docks, heights, Qt::Vertical);
}

// As nobody has moved them yet.
void MainWindow::placePanels() {
  Panel* first = nullptr;
  for (Panel* panel : panels_) {
    const bool right = panel == enginesPanel_ && !narrow_;
    addDockWidget(right ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea, panel);
    if (narrow_ && first) tabifyDockWidget(first, panel);
    if (!first) first = panel;
  }
  if (!narrow_) resizeDocks({dataPanel_, enginesPanel_}, {em(this, 18), em(this, 18)}, Qt::Horizontal);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  // Not inside the layout that is being changed.
  if ((width() < em(this, kWide)) != narrow_)
    QMetaObject::invokeMethod(this, &MainWindow::followWidth, Qt::QueuedConnection);
}

void MainWindow::followWidth() {
  const bool narrow = width() < em(this, kWide);
  if (narrow == narrow_) return;
  rememberRoom();
  narrow_ = narrow;
  arrangeRoom();
}

bool MainWindow::focusNextPrevChild(bool next) { return passFocus(this, next); }

// The mouse chooses in lists and presses buttons without taking the keys away from the pictures.
void MainWindow::returnFocusByMouse() {
  for (QComboBox* box : findChildren<QComboBox*>())
    if (!box->isEditable()) focusByTabOnly(box);
  for (QAbstractButton* button : findChildren<QAbstractButton*>())
    if (button->focusPolicy() == Qt::StrongFocus) focusByTabOnly(button);
}

void MainWindow::rememberLayout() const {
  QSettings settings;
  settings.setValue(kGeometryKey, saveGeometry());
  rememberRoom();
  for (const auto& room : rooms_) room->remember();
  if (narrow_) return;  // tabs are not folded
  for (const Panel* panel : panels_) settings.setValue(kFoldedKey + panel->objectName(), panel->collapsed());
}

void MainWindow::restoreLayout() {
  const QSettings settings;
  // Else the panels of a wide window would not let it become narrow.
  setMinimumSize(em(this, kSmallestWidth), em(this, kSmallestHeight));
  if (!restoreGeometry(settings.value(kGeometryKey).toByteArray())) {
    const QSize available = screen() ? screen()->availableGeometry().size() : QSize(1280, 800);
    resize((available * 0.92).boundedTo({em(this, 150), em(this, 95)}));
  }
  narrow_ = width() < em(this, kWide);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  arrangeRoom();
  for (Panel* panel : panels_)
    panel->setCollapsed(!narrow_ && settings.value(kFoldedKey + panel->objectName()).toBool());
}

}  // namespace sscope
