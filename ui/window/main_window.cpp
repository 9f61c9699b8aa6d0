#include "ui/window/main_window.h"

#include <QFileInfo>
#include <QKeyEvent>
#include <QStatusBar>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/histogram_view.h"
#include "ui/rooms/filter/bank_panel.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/lattice/field_setup.h"
#include "ui/rooms/lattice/lattice_page.h"
#include "ui/rooms/lattice/lattice_setup.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/wavelet/wavelet_page.h"
#include "ui/rooms/wavelet/wavelet_setup.h"
#include "ui/views/volume_views.h"
#include "ui/rooms/filter/filter_page.h"
#include "ui/window/export_dialog.h"
#include "ui/window/status_line.h"
#include "ui/model/write_guard.h"

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
      figures_(toolbox_, model_, live_, std::move(instruments.ceilings)),
      wavelets_(toolbox_, model_),
      lattices_(toolbox_),
      ladders_(toolbox_) {
  setWindowIcon(applicationIcon());
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  guard_ = new WriteGuard([this] { return openFiles(); }, this);
  center_ = new FilterPage(toolbox_, model_, live_, loader_, this);
  waveletPage_ = new WaveletPage(toolbox_, model_, wavelets_, loader_, this);
  latticePage_ = new LatticePage(toolbox_, lattices_, this);
  ladderPage_ = new LadderPage(toolbox_, ladders_, this);
  buildPanels(instruments.busy);
  buildRooms();
  buildStatus();
  followLadders();
  followWavelets();
  followLattices();
  followSolve();
  buildMenus();

  connect(center_, &FilterPage::openRequested, this, &MainWindow::chooseFile);
  connect(waveletPage_, &WaveletPage::openRequested, this, &MainWindow::chooseFile);
  connect(data_, &DataPanel::openRequested, this, &MainWindow::chooseFile);
  connect(&loader_, &DataLoader::opened, &recent_, &RecentFiles::add);
  connect(&loader_, &DataLoader::loaded, this, &MainWindow::showTitle);
  connect(&loader_, &DataLoader::wouldReplace, this, &MainWindow::askToReplace);
  connect(&loader_, &DataLoader::loaded, this, &MainWindow::enterShownRoom);
  followOpening();
  connect(&loader_, &DataLoader::sessionOpened, this, &MainWindow::restoreLattice);
  connect(&model_, &SessionModel::dirtyChanged, this, &MainWindow::showTitle);
  connect(&model_, &SessionModel::dataChanged, this, &MainWindow::showTitle);
  connect(&lattices_, &LatticeController::configurationChanged, this, &MainWindow::showTitle);
  connect(&live_, &LiveController::leftOutChanged, bank_, &BankPanel::showLeftOut);
  connect(&live_, &LiveController::failed, bank_, &BankPanel::showError);
  connect(&live_, &LiveController::wholeReady, this, [this] { bank_->showError({}); });
  connect(&saving_, &BackgroundTask::failed, this, [this](const QString& message) {
    giveUpSaving();
    data_->notice().showMessage(Notice::Kind::Error, message);
  });
  connect(&loader_, &DataLoader::loaded, this, &MainWindow::focusPictures);
  showTitle();
  restoreLayout();
  orderFocus();
}

// The widgets, and what they run in the background, use the models: they go first.
MainWindow::~MainWindow() {
  running_.reset();
  filterActions_.clear();  // closing panels would switch them
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
}

VolumeViews& MainWindow::views() { return center_->views(); }

void MainWindow::buildPanels(const std::function<std::vector<double>()>& busy) {
  data_ = new DataPanel(toolbox_, model_, loader_, recent_, this);
  bank_ = new BankPanel(model_, this);
  engines_ = new EnginesPanel(toolbox_, model_, live_, figures_, busy, this);
  auto* dataPanel = new Panel(tr("Data"), QStringLiteral("panel-data"), data_, this);
  auto* bankPanel = new Panel(tr("Filter bank"), QStringLiteral("panel-bank"), bank_, this);
  auto* waveletPanel = new Panel(tr("Transform"), QStringLiteral("panel-wavelet"),
                                 new WaveletSetup(toolbox_, model_, wavelets_, this), this);
  latticeSetup_ = new LatticeSetup(lattices_, recent_, this);
  auto* latticePanel = new Panel(tr("Configuration"), QStringLiteral("panel-lattice"), latticeSetup_, this);
  auto* fieldSetup = new FieldSetup(lattices_, latticePage_->fields(), this);
  auto* fieldPanel = new Panel(tr("Field"), QStringLiteral("panel-field"), fieldSetup, this);
  connect(fieldSetup, &FieldSetup::sendRequested, this, &MainWindow::sendField);
  connect(fieldSetup, &FieldSetup::exportRequested, this, [this] { showExport(); });
  auto* enginesPanel = new Panel(tr("Engines"), QStringLiteral("panel-engines"), engines_, this);
  panels_ = {dataPanel, bankPanel, waveletPanel, latticePanel, fieldPanel, enginesPanel};

  // The histogram moves the window of the source.
  HistogramView& histogram = data_->histogram();
  connect(&views(), &VolumeViews::windowChanged, this, [this, &histogram](bool result, double low, double high) {
    if (!result) histogram.setWindow(ValueWindow{low, high});
  });
  connect(&histogram, &HistogramView::windowEdited, this, [this](double low, double high) {
    ViewState view = model_.view();
    view.sourceWindow = ValueWindow{low, high};
    model_.setView(view);
  });
  // The context menu of a chart leads to the export dialog; see showExport() for the order.
  const auto exportFrom = [this](int png, int csv) {
    return [this, png, csv](bool wantsPng) { showExport(wantsPng ? png : csv); };
  };
  connect(&engines_->timeChart(), &EngineChart::exportRequested, this, exportFrom(3, 4));
  connect(&engines_->throughputChart(), &EngineChart::exportRequested, this, exportFrom(5, 6));
  connect(&histogram, &HistogramView::exportRequested, this, exportFrom(7, 8));
}

std::vector<ExportOffer> MainWindow::filterOffers() {
  std::vector<ExportOffer> offers{{tr("Picture of the views (PNG)"), QStringLiteral("-view.png"),
                                   [this] { return writeImage(views().renderToImage()); }},
                                  {tr("Session"), QStringLiteral("-session.json"), [this] {
                                     return [session = wholeSession()](const std::filesystem::path& path) {
                                       writeSession(path.string(), session);
                                     };
                                   }}};
  const auto chart = [&offers](const QString& name, const QString& suffix, const auto& widget) {
    offers.push_back({tr("Chart: %1 (PNG)").arg(name), suffix + QStringLiteral(".png"),
                      [&widget] { return writeImage(widget.picture(kExportScale)); }});
    offers.push_back({tr("Chart: %1 (CSV)").arg(name), suffix + QStringLiteral(".csv"),
                      [&widget] { return writeText(widget.csv()); }});
  };
  chart(tr("time per run"), QStringLiteral("-time"), engines_->timeChart());
  chart(tr("throughput"), QStringLiteral("-throughput"), engines_->throughputChart());
  chart(tr("histogram"), QStringLiteral("-histogram"), data_->histogram());
  return offers;
}

void MainWindow::offerExports() {
  if (!export_) return;
  if (room_ == kWaveletRoom) {
    export_->setOffers(waveletPage_->exportOffers(kExportScale), false);
  } else if (room_ == kLatticeRoom) {
    export_->setOffers(latticePage_->exportOffers(kExportScale), false, latticePage_->exportStem());
  } else if (room_ == kLadderRoom) {
    export_->setOffers(ladderPage_->exportOffers(kExportScale), false, ladderPage_->exportStem());
  } else {
    export_->setOffers(filterOffers(), true);
  }
}

ExportDialog& MainWindow::showExport(int what) {
  if (!export_) export_ = new ExportDialog(toolbox_, model_, live_, *guard_, this);
  offerExports();
  export_->choose(what);
  export_->show();
  export_->raise();
  export_->activateWindow();
  return *export_;
}

void MainWindow::cancelAll() {
  loader_.cancel();
  live_.cancel();
  wavelets_.cancel();
  lattices_.cancel();
  latticePage_->solve().cancel();
  figures_.measuring().cancel();
  ladders_.cancel();
}

void MainWindow::showTitle() {
  QString name;
  if (!model_.path().isEmpty()) {
    name = QFileInfo(model_.path()).fileName();
  } else if (room_ == kLatticeRoom) {
    if (lattices_.configuration()) name = lattices_.name();
  } else if (room_ == kLadderRoom) {
    name = rooms_[kLadderRoom].title;
  } else if (model_.hasData()) {
    name = dataTitle(model_.data());
  }
  setWindowTitle(name.isEmpty() ? QStringLiteral("Stencilscope")
                                : tr("%1%2 — Stencilscope").arg(name, model_.dirty() ? tr("*") : QString()));
}

void MainWindow::toggleSource() {
  ViewState view = model_.view();
  std::string& show = room_ == kWaveletRoom ? view.waveletShow : view.show;
  show = show == "source" ? "result" : "source";
  model_.setView(view);
}

void MainWindow::showLayout(const char* layout) {
  ViewState view = model_.view();
  std::string& shown = room_ == kWaveletRoom ? view.waveletLayout : view.layout;
  shown = shown == layout ? "all" : layout;  // the same key again goes back to all
  model_.setView(view);
}

// Along the axis of the maximized view; along z in the others.
void MainWindow::stepSlice(int by) {
  if (!model_.hasData()) return;
  ViewState view = model_.view();
  view.crosshair = model_.crosshair();
  const VolumeShape& shape = model_.data().volume->shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  const std::string& layout = room_ == kWaveletRoom ? view.waveletLayout : view.layout;
  const std::size_t axis = layout == "sagittal" ? 0 : layout == "coronal" ? 1 : 2;
  view.crosshair[axis] = std::clamp<std::int64_t>(view.crosshair[axis] + by, 0, extent[axis] - 1);
  model_.setView(view);
}

// Keys that no control under the focus wanted.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    cancelAll();
    return;
  }
  if (room_ == kLatticeRoom && latticePage_->takeKey(event->key())) return;
  if (!showsData()) {
    QMainWindow::keyPressEvent(event);
    return;
  }
  switch (event->key()) {
    case Qt::Key_Space: toggleSource(); return;
    case Qt::Key_1: showLayout("axial"); return;
    case Qt::Key_2: showLayout("coronal"); return;
    case Qt::Key_3: showLayout("sagittal"); return;
    case Qt::Key_4: showLayout("volume"); return;
    case Qt::Key_0: showLayout("all"); return;
    case Qt::Key_Up:
    case Qt::Key_Right: stepSlice(1); return;
    case Qt::Key_Down:
    case Qt::Key_Left: stepSlice(-1); return;
    case Qt::Key_PageUp: stepSlice(10); return;
    case Qt::Key_PageDown: stepSlice(-10); return;
    default: QMainWindow::keyPressEvent(event);
  }
}

}  // namespace sscope
