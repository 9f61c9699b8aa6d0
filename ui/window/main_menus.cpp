// The menus of the main window, with an entry for everything that the mouse can do.

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QUndoStack>
#include <QUrl>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/model/session_model.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/picture_room.h"
#include "ui/views/volume_views.h"
#include "ui/window/dialogs.h"
#include "ui/window/export_dialog.h"
#include "ui/window/main_window.h"

namespace sscope {

namespace {

const QString kAppearanceKey = QStringLiteral("appearance");

// The menu only shows these keys. keyPressEvent() handles them, after the control with the focus.
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
  menu->addAction(icon("export"), tr("&Export…"), QKeySequence(tr("Ctrl+E")), this, [this] { showExport(); });
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
  // Connected after the stack's own slots, so that the index is the new one.
  connect(undo, &QAction::triggered, this, [this] { showStep(model_.undoStack().index()); });
  connect(redo, &QAction::triggered, this, [this] { showStep(model_.undoStack().index() - 1); });
  menu->addAction(undo);
  menu->addAction(redo);
  menu->addSeparator();
  for (const auto& room : rooms_) menu->addActions(room->editEntries());
}

void MainWindow::enableTimeActions() {
  const bool several = room_->pictures() && model_.hasData() && model_.data().frames() > 1;
  for (QAction* action : timeActions_) action->setEnabled(several);
}

// Enters the room that shows what the step changed, so that the change is seen.
void MainWindow::showStep(int index) {
  const auto* step = dynamic_cast<const SessionStep*>(model_.undoStack().command(index));
  if (step != nullptr && !room_->showsSettingsOf(step->room())) enterRoom(step->room());
}

void MainWindow::buildViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  for (const auto& room : rooms_) {
    const auto number = static_cast<int>(menu->actions().size());
    const RoomSign sign = room->sign();
    menu->addAction(icon(sign.icon), tr("Room: %1").arg(sign.title), QKeySequence(Qt::ALT | (Qt::Key_1 + number)), this,
                    [this, &room = *room] { enter(room); });
  }
  menu->addSeparator();
  const auto roomEntries = menu->actions().size();
  const auto act = [this](auto&& change) {
    return [this, change] {
      if (PictureRoom* pictures = room_->pictures()) change(*pictures);
    };
  };
  const auto layout = [act](const char* name) { return act([name](PictureRoom& room) { room.showLayout(name); }); };
  menu->addAction(withKey(tr("Source / result"), tr("Space")), this,
                  act([](PictureRoom& room) { room.toggleSource(); }));
  menu->addAction(tr("Source and result &both"), this, act([](PictureRoom& room) { room.showBoth(); }));
  for (const auto& room : rooms_) menu->addActions(room->viewEntries());
  menu->addSeparator();
  menu->addAction(icon("axial"), withKey(tr("&Axial alone"), tr("1")), this, layout("axial"));
  menu->addAction(icon("coronal"), withKey(tr("&Coronal alone"), tr("2")), this, layout("coronal"));
  menu->addAction(icon("sagittal"), withKey(tr("&Sagittal alone"), tr("3")), this, layout("sagittal"));
  menu->addAction(icon("volume"), withKey(tr("&3D alone"), tr("4")), this, layout("volume"));
  menu->addAction(icon("layout-all"), withKey(tr("All &four"), tr("0")), this, layout("all"));
  menu->addSeparator();
  // In the slices, Up and Down do the same; elsewhere they have other meanings.
  menu->addAction(tr("&Next slice"), QKeySequence(tr("Alt+Up")), this,
                  act([](PictureRoom& room) { room.stepSlice(1); }));
  menu->addAction(tr("Pre&vious slice"), QKeySequence(tr("Alt+Down")), this,
                  act([](PictureRoom& room) { room.stepSlice(-1); }));
  const auto everyPicture = [this](auto&& change) {
    for (const auto& room : rooms_)
      if (PictureRoom* pictures = room->pictures()) change(*pictures);
  };
  menu->addAction(tr("&Reset cameras"), QKeySequence(tr("Ctrl+0")), this, [everyPicture] {
    everyPicture([](PictureRoom& room) {
      for (VolumeViews* each : room.allViews()) each->resetCameras();
    });
  });
  QAction* smooth = menu->addAction(tr("S&mooth pixels"), this, [everyPicture](bool on) {
    everyPicture([on](PictureRoom& room) { room.views().setInterpolation(on); });
  });
  smooth->setCheckable(true);
  smooth->setChecked(dataRoom().pictures()->views().interpolation());
  const QList<QAction*> entries = menu->actions();
  dataActions_.assign(entries.begin() + roomEntries, entries.end());
  timeActions_ = {menu->addAction(withKey(tr("Next &time point"), tr(".")), this, [this] { frames_.step(1); }),
                  menu->addAction(withKey(tr("Previous time point"), tr(",")), this, [this] { frames_.step(-1); }),
                  menu->addAction(tr("All time points at once"), this, [this] { frames_.show(std::nullopt); })};
  connect(&model_, &SessionModel::dataChanged, this, &MainWindow::enableTimeActions);
  enableTimeActions();
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
  menu->addAction(tr("Run &again"), QKeySequence(tr("F5")), this, [this] { room_->runAgain(); });
  menu->addAction(tr("Repeat the &timing"), QKeySequence(tr("Shift+F5")), this, [this] { room_->repeatTiming(); });
  menu->addAction(withKey(tr("&Cancel"), tr("Esc")), this, &MainWindow::cancelAll);
  menu->addSeparator();
  menu->addAction(icon("gauge"), tr("&Measure ceilings"), engines_, &EnginesPanel::measureCeilings);
}

}  // namespace sscope

namespace sscope {

namespace {

// The folder of the documentation: beside an installed program, or above one in its build folder. Empty: none.
QString documentation() {
  QDir folder(QCoreApplication::applicationDirPath());
  const QString installed = folder.absoluteFilePath(QStringLiteral("../share/doc/stencilscope"));
  if (QFileInfo::exists(installed)) return QDir::cleanPath(installed);
  constexpr int kMostLevels = 4;
  for (int level = 0; level < kMostLevels && folder.cdUp(); ++level)
    if (folder.exists(QStringLiteral("docs/dev/architecture.md"))) return folder.absolutePath();
  return {};
}

std::string cacheFolderText() {
  try {
    return cacheDirectory().string();
  } catch (const Error&) {
    return "$XDG_CACHE_HOME";  // it does not exist
  }
}

}  // namespace

void MainWindow::buildHelpMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Help"));
  menu->addAction(tr("&Keyboard shortcuts"), QKeySequence(tr("F1")), this, [this] {
    auto* dialog = new ShortcutDialog(*menuBar(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
  });
  menu->addAction(icon("info"), tr("&About Stencilscope"), this, &MainWindow::showAbout);
  for (const auto& room : rooms_)
    if (PictureRoom* pictures = room->pictures())
      connect(&pictures->views(), &VolumeViews::menuRequested, this, [this, pictures](auto view, const QPoint& at) {
        showPictureMenu(*pictures, view != VolumeViews::View::Volume, at);
      });
}

void MainWindow::showAbout() {
  auto* box = named(new QMessageBox(this), "about");
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setWindowTitle(tr("About Stencilscope"));
  box->setIconPixmap(applicationIcon().pixmap(em(this, 4)));
  box->setTextFormat(Qt::RichText);
  box->setText(tr("<b>Stencilscope %1</b><p>Load an image or a volume, design a bank of filters, and compute it on "
                  "every engine of "
                  "this machine, with timings and a check that they agree.</p>")
                   .arg(QStringLiteral(SSCOPE_VERSION)));
  const QString docs = documentation();
  const QString where =
      docs.isEmpty()
          ? tr("README.md and the folder docs of the source tree")
          : QStringLiteral("<a href='%1'>%2</a>").arg(QUrl::fromLocalFile(docs).toString(), docs.toHtmlEscaped());
  box->setInformativeText(
      tr("<p>License: Apache License 2.0.</p>"
         "<p>Documentation: %1. README.md has a five-minute tour, and the Help menu has a list of "
         "the keyboard shortcuts.</p>"
         "<p>Compiled kernels and measured ceilings are kept in %2; it can be deleted at any time.</p>")
          .arg(where, toQt(cacheFolderText()).toHtmlEscaped()));
  box->setModal(false);
  box->show();
}

// The entries of the View menu, and those for this picture only.
void MainWindow::showPictureMenu(PictureRoom& room, bool slices, const QPoint& at) {
  auto* menu = named(new QMenu(this), "pictureMenu");
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  room.addToMenu(*menu, slices);
  if (!menu->isEmpty()) menu->addSeparator();
  for (QAction* action : dataActions_) menu->addAction(action);
  menu->addSeparator();
  if (slices)
    menu->addAction(tr("Aut&omatic window"), this, [this] {
      model_.changeView([](ViewState& view) {
        view.sourceWindow.reset();
        view.resultWindow.reset();
      });
    });
  menu->addAction(tr("Copy the &pictures"), this,
                  [&room] { QApplication::clipboard()->setImage(room.views().renderToImage()); });
  menu->addAction(icon("export"), tr("&Export\u2026"), this, [this] { showExport(); });
  menu->popup(at);
}

}  // namespace sscope
