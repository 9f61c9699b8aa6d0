#include "ui/window/main_window.h"

#include <QFileInfo>
#include <QKeyEvent>

#include "ui/base/icons.h"
#include "ui/base/keyboard.h"
#include "ui/base/language.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/model/saving.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/picture_room.h"
#include "ui/window/export_dialog.h"
#include "ui/window/status_line.h"

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
  keepDecimalPoint();  // whoever made the application
  new Mnemonics(this);
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  guard_ = new WriteGuard([this] { return openFiles(); }, this);
  buildPanels(instruments.busy);
  // Before the rooms hear of it: they are where they will be seen then.
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

// The widgets, and what they run in the background, use the models: they go first. Nobody listens to the rooms then,
// nor they to widgets.
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

// Keys that no control under the focus wanted.
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

}  // namespace sscope

#include "moc_main_window.cpp"
