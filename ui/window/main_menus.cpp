// The menus of the main window: everything the mouse can do has an entry here.

#include <QActionGroup>
#include <QApplication>
#include <QFileInfo>
#include <QMenuBar>
#include <QSettings>
#include <QUndoStack>

#include "core/filter/family.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/model/session_commands.h"
#include "ui/rooms/filter/bank_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/rooms/filter/filter_list.h"
#include "ui/panels/panel.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_pictures.h"
#include "ui/views/volume_views.h"
#include "ui/rooms/filter/filter_page.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"

namespace sscope {

namespace {

const QString kAppearanceKey = QStringLiteral("appearance");

// Keys that controls under the focus may want first are handled by keyPressEvent(); the menu only shows them.
QString withKey(const QString& text, const QString& key) { return text + QLatin1Char('\t') + key; }

}  // namespace

void MainWindow::buildMenus() {
  buildFileMenu();
  buildEditMenu();
  buildViewMenu();
  buildRunMenu();
  buildHelpMenu();
}

void MainWindow::buildFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  menu->addAction(icon("open"), tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFile);
  menu->addAction(tr("Open a &folder of slices…"), QKeySequence(tr("Ctrl+Shift+O")), this, &MainWindow::chooseFolder);
  QMenu* recent = menu->addMenu(tr("Open &recent"));
  connect(recent, &QMenu::aboutToShow, this, [this, recent] {
    recent->clear();
    for (const QString& path : recent_.paths()) recent->addAction(path, &loader_, [this, path] { loader_.open(path); });
    recent->addSeparator();
    recent->addAction(tr("Clear the list"), &recent_, &RecentFiles::clear)->setEnabled(!recent_.paths().isEmpty());
  });
  QMenu* samples = menu->addMenu(icon("sample"), tr("S&amples"));
  for (const SampleOffer& offer : toolbox_.samples)
    samples->addAction(toQt(offer.label), &loader_, [this, name = offer.name] { loader_.openSample(name); });
  menu->addSeparator();
  menu->addAction(icon("save"), tr("&Save session"), QKeySequence::Save, this, &MainWindow::save);
  menu->addAction(tr("Save session &as…"), QKeySequence::SaveAs, this, &MainWindow::saveAs);
  menu->addAction(icon("export"), tr("&Export…"), QKeySequence(tr("Ctrl+E")), this, [this] { showExport(0); });
  menu->addSeparator();
  closeData_ = menu->addAction(tr("&Close data"), QKeySequence(tr("Ctrl+W")), this, [this] { model_.setData({}); });
  menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::buildEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = model_.undoStack().createUndoAction(this, tr("Undo"));
  undo->setShortcut(QKeySequence::Undo);
  undo->setIcon(icon("undo"));
  QAction* redo = model_.undoStack().createRedoAction(this, tr("Redo"));
  redo->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
  redo->setIcon(icon("redo"));
  // After the stack has moved.
  connect(undo, &QAction::triggered, this, [this] { showStep(model_.undoStack().index()); });
  connect(redo, &QAction::triggered, this, [this] { showStep(model_.undoStack().index() - 1); });
  menu->addAction(undo);
  menu->addAction(redo);
  menu->addSeparator();
  const qsizetype before = menu->actions().size();
  QMenu* add = menu->addMenu(icon("add"), tr("&Add filter"));
  for (const FilterFamily& family : filterFamilies())
    add->addAction(toQt(family.label), this, [this, name = family.name] { bank_->filters().addFilter(name); });
  FilterList& filters = bank_->filters();
  menu->addAction(icon("duplicate"), tr("&Duplicate filter"), QKeySequence(tr("Ctrl+D")), &filters,
                  &FilterList::duplicateSelected);
  menu->addAction(icon("remove"), tr("&Remove filter"), QKeySequence(tr("Ctrl+Del")), &filters,
                  &FilterList::removeSelected);
  menu->addAction(icon("up"), tr("Move filter &up"), QKeySequence(tr("Ctrl+Up")), &filters,
                  [&filters] { filters.moveSelected(-1); });
  menu->addAction(icon("down"), tr("Move filter do&wn"), QKeySequence(tr("Ctrl+Down")), &filters,
                  [&filters] { filters.moveSelected(1); });
  const QList<QAction*> entries = menu->actions();
  filterActions_.assign(entries.begin() + before, entries.end());
  for (QAction* action : add->actions()) filterActions_.push_back(action);
  connect(panels_[1], &QDockWidget::visibilityChanged, this, &MainWindow::enableFilterActions);
  enableFilterActions();
}

void MainWindow::enableFilterActions() {
  const bool seen = room_ == kFilterRoom && !panels_[1]->isHidden();
  for (QAction* action : filterActions_) action->setEnabled(seen);
}

// A step that changed what another room shows is not undone unseen: the window goes there.
void MainWindow::showStep(int index) {
  const QUndoCommand* step = model_.undoStack().command(index);
  if (!step) return;
  if (step->id() == kBankStep) enterRoom(kFilterRoom);
  if (step->id() == kWaveletStep) enterRoom(kWaveletRoom);
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  for (int i = 0; i < static_cast<int>(rooms_.size()); ++i) {
    const Room& room = rooms_[static_cast<std::size_t>(i)];
    menu->addAction(icon(room.icon), tr("Room: %1").arg(room.title), QKeySequence(Qt::ALT | (Qt::Key_1 + i)), this,
                    [this, i] { enterRoom(i); });
  }
  menu->addSeparator();
  const auto roomEntries = menu->actions().size();
  menu->addAction(withKey(tr("Source / result"), tr("Space")), this, &MainWindow::toggleSource);
  menu->addAction(tr("Source and result &both"), this, [this] {
    ViewState view = model_.view();
    (room_ == kWaveletRoom ? view.waveletShow : view.show) = "both";
    model_.setView(view);
  });
  menu->addSeparator();
  menu->addAction(icon("axial"), withKey(tr("&Axial alone"), tr("1")), this, [this] { showLayout("axial"); });
  menu->addAction(icon("coronal"), withKey(tr("&Coronal alone"), tr("2")), this, [this] { showLayout("coronal"); });
  menu->addAction(icon("sagittal"), withKey(tr("&Sagittal alone"), tr("3")), this, [this] { showLayout("sagittal"); });
  menu->addAction(icon("volume"), withKey(tr("&3D alone"), tr("4")), this, [this] { showLayout("volume"); });
  menu->addAction(icon("layout-all"), withKey(tr("All &four"), tr("0")), this, [this] { showLayout("all"); });
  menu->addSeparator();
  // Up and Down do the same in the slices; in the 3D view they turn it, and in a list they choose.
  menu->addAction(tr("&Next slice"), QKeySequence(tr("Alt+Up")), this, [this] { stepSlice(1); });
  menu->addAction(tr("Pre&vious slice"), QKeySequence(tr("Alt+Down")), this, [this] { stepSlice(-1); });
  menu->addAction(tr("&Reset cameras"), QKeySequence(tr("Ctrl+0")), this, [this] {
    for (VolumeViews* each : {&views(), &waveletPage_->pictures().picture(), &waveletPage_->pictures().pyramid()})
      each->resetCameras();
  });
  QAction* smooth = menu->addAction(tr("S&mooth pixels"), this, [this](bool on) {
    views().setInterpolation(on);
    waveletPage_->pictures().picture().setInterpolation(on);
  });
  smooth->setCheckable(true);
  smooth->setChecked(views().interpolation());
  const QList<QAction*> entries = menu->actions();
  dataActions_.assign(entries.begin() + roomEntries, entries.end());
  menu->addSeparator();
  for (Panel* panel : panels_) menu->addAction(panel->toggleViewAction());
  QMenu* appearance = menu->addMenu(tr("A&ppearance"));
  auto* group = new QActionGroup(appearance);
  const QString names[] = {tr("As the system"), tr("Light"), tr("Dark")};
  const int now = QSettings().value(kAppearanceKey).toInt();
  for (int i = 0; i < 3; ++i) {
    QAction* action = appearance->addAction(names[i], this, [i] {
      QSettings().setValue(kAppearanceKey, i);
      applyAppearance(*qApp, static_cast<Appearance>(i));
    });
    action->setCheckable(true);
    action->setChecked(i == now);
    group->addAction(action);
  }
}

void MainWindow::buildRunMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Run"));
  menu->addAction(tr("Run &again"), QKeySequence(tr("F5")), this, &MainWindow::runRoom);
  menu->addAction(tr("Repeat the &timing"), QKeySequence(tr("Shift+F5")), this, &MainWindow::repeatTiming);
  menu->addAction(withKey(tr("&Cancel"), tr("Esc")), this, &MainWindow::cancelAll);
  menu->addSeparator();
  menu->addAction(icon("gauge"), tr("&Measure ceilings"), engines_, &EnginesPanel::measureCeilings);
}

}  // namespace sscope
