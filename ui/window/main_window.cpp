// The main window, and the arrangement of its panels: beside the pages in a wide window, as tabs at the left in a
// narrow one.

#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFileInfo>
#include <QKeyEvent>
#include <QResizeEvent>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/keyboard.h"
#include "ui/base/language.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/model/saving.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/picture_room.h"
#include "ui/window/bars.h"
#include "ui/window/export_dialog.h"

namespace sscope {

namespace {

// Pixels of an exported chart for each logical one.
constexpr double kExportScale = 2;
}  // namespace

MainWindow::MainWindow(Toolbox toolbox, Instruments instruments, QWidget* parent)
    : QMainWindow(parent),
      toolbox_(std::move(toolbox)),
      live_(toolbox_, model_),
      loader_(toolbox_, model_),
      frames_(toolbox_, model_, loader_),
      figures_(toolbox_, model_, live_, std::move(instruments.ceilings)) {
  keepDecimalPoint();
  new Mnemonics(this);
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  guard_ = new WriteGuard([this] { return openFiles(); }, this);
  buildPanels(instruments.busy);
  // Connected before the rooms, so that the right one is shown when they take the data.
  connect(&loader_, &DataLoader::loaded, this, &MainWindow::enterShownRoom);
  buildRooms(std::move(instruments.deviceLoad));
  buildStatus();
  buildMenus();

  connect(&loader_, &DataLoader::opened, &recent_, &RecentFiles::add);
  connect(&loader_, &DataLoader::loaded, this, &MainWindow::showTitle);
  connect(&loader_, &DataLoader::wouldReplace, this, &MainWindow::askToReplace);
  connect(&loader_, &DataLoader::loaded, this, [this] {
    if (room_->pictures()) room_->takeFocus();
  });
  connect(&loader_, &DataLoader::sessionOpened, this, &MainWindow::restoreRooms);
  connect(&model_, &SessionModel::dirtyChanged, this, &MainWindow::showTitle);
  connect(&model_, &SessionModel::dataChanged, this, &MainWindow::showTitle);
  connect(&model_, &SessionModel::pathChanged, this, &MainWindow::showTitle);
  connect(&frames_, &FrameLoader::failed, this,
          [this](const QString& message) { data_->notice().showMessage(Notice::Kind::Error, message); });
  showTitle();
  restoreLayout();
  returnFocusByMouse();
}

// The widgets and their background tasks use the models, so they are destroyed first. Rooms and widgets are
// disconnected before that.
MainWindow::~MainWindow() {
  running_.reset();
  timeActions_.clear();
  for (const auto& room : rooms_) {
    room->disconnect(this);
    for (QObject* each : findChildren<QObject*>()) each->disconnect(room.get());
  }
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

void MainWindow::buildPanels(const std::function<std::vector<double>()>& busy) {
  giveEngineColors(toolbox_.engines->infos());
  data_ = new DataPanel(toolbox_, model_, loader_, recent_, this);
  connect(data_, &DataPanel::openRequested, this, &MainWindow::chooseFile);
  engines_ = new EnginesPanel(toolbox_, model_, live_, figures_, busy, this);
  dataPanel_ = new Panel(tr("Data"), QStringLiteral("panel-data"), data_, this);
  enginesPanel_ = new Panel(tr("Engines"), QStringLiteral("panel-engines"), engines_, this);
  panels_ = {dataPanel_};
}

void MainWindow::offerExports() {
  if (!export_) return;
  std::vector<ExportOffer> offers = room_->exportOffers(kExportScale);
  offers.push_back({tr("Session"), QStringLiteral("-session.json"), [this] {
                      return [session = wholeSession()](const std::filesystem::path& path, const Control& control) {
                        control.check();
                        writeSession(path.string(), session);
                      };
                    }});
  export_->setOffers(std::move(offers), room_->exportsFiltered(), room_->exportStem());
}

ExportDialog& MainWindow::showExport(const QString& suffix) {
  if (!export_) export_ = new ExportDialog(toolbox_, model_, live_, *guard_, this);
  offerExports();
  export_->choose(suffix);
  export_->show();
  export_->raise();
  export_->activateWindow();
  return *export_;
}

void MainWindow::cancelAll() {
  loader_.cancel();
  frames_.cancel();
  figures_.measuring().cancel();
  for (const auto& room : rooms_) room->cancel();
}

void MainWindow::showTitle() {
  const QString name = model_.path().isEmpty() ? room_->document() : QFileInfo(model_.path()).fileName();
  setWindowTitle(name.isEmpty() ? QStringLiteral("Stencilscope")
                                : tr("%1%2 — Stencilscope").arg(name, model_.dirty() ? tr("*") : QString()));
}

// Keys that the control with the focus did not handle.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    cancelAll();
  } else if (room_->pictures() && event->key() == Qt::Key_Period) {
    frames_.step(1);
  } else if (room_->pictures() && event->key() == Qt::Key_Comma) {
    frames_.step(-1);
  } else if (!room_->takeKey(event->key())) {
    QMainWindow::keyPressEvent(event);
  }
}

namespace {

// Changes when stored arrangements no longer fit the panels.
constexpr int kLayoutVersion = 3;
// Widths and heights in lines of text. A window that is narrower than kWide has no space for panels at both sides.
constexpr double kWide = 66, kSmallestWidth = 42, kSmallestHeight = 26;
const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state/");
const QString kNarrowKey = QStringLiteral("window/narrow/");
const QString kFoldedKey = QStringLiteral("window/folded/");

}  // namespace

QString MainWindow::stateKey() const { return (narrow_ ? kNarrowKey : kStateKey) + room(); }

void MainWindow::rememberRoom() const { QSettings().setValue(stateKey(), saveState(kLayoutVersion)); }

// Restores the panels as they were in this room. Panels of other rooms are hidden.
void MainWindow::arrangeRoom() {
  const RoomPanels room = room_->panels();
  const bool known = restoreState(QSettings().value(stateKey()).toByteArray(), kLayoutVersion);
  if (!known) placePanels();
  for (Panel* panel : panels_) {
    const auto place = static_cast<std::size_t>(std::ranges::find(room.panels, panel) - room.panels.begin());
    const bool mine = place < room.panels.size();
    panel->toggleViewAction()->setEnabled(mine);
    if (!mine || !known) panel->setVisible(mine && place < room.openAtFirst);
    if (narrow_) panel->setCollapsed(false);  // only one tab is shown anyway
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

// The default arrangement.
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
  // Later, because the layout is being changed now.
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

// Lists and buttons that are used by mouse leave the keyboard focus to the pictures.
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
  if (narrow_) return;
  for (const Panel* panel : panels_) settings.setValue(kFoldedKey + panel->objectName(), panel->collapsed());
}

void MainWindow::restoreLayout() {
  const QSettings settings;
  // Otherwise the panels of a wide window would not allow a narrow one.
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

#include "moc_main_window.cpp"
