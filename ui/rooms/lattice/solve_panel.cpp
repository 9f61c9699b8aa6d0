
#include "ui/rooms/lattice/solve_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/rooms/lattice/lattice_plots.h"
#include "ui/rooms/lattice/solve_setup.h"
#include "ui/rooms/lattice/solve_tabs.h"
#include "ui/rooms/lattice/solve_words.h"

namespace sscope {

namespace {

constexpr int kRedrawSolverMilliseconds = 40;
constexpr int kProgressSteps = 1000;

}  // namespace

SolvePanel::SolvePanel(const Toolbox& toolbox, QWidget* parent) : QWidget(parent), controller_(toolbox) {
  setAccessibleName(tr("Solve"));
  setup_ = new SolveSetup(toolbox, this);
  tabs_ = named(new QTabWidget(this), "solveTabs");
  tabs_->setDocumentMode(true);
  kernels_ = new SolveKernels(controller_);
  correlator_ = new SolveCorrelator(controller_);
  tabs_->addTab(buildResidual(), tr("Residual"));
  tabs_->addTab(kernels_, tr("Kernel time"));
  tabs_->addTab(correlator_, tr("Correlator"));
  tabs_->setCornerWidget(buildFieldsButton());
  auto* results = new QWidget;
  notice_ = named(new Notice(tr("Message about the solve"), results), "solveNotice");
  auto* resultColumn = bareLayout<QVBoxLayout>(results, 0);
  resultColumn->addWidget(tabs_, 1);
  resultColumn->addWidget(statusRow_ = buildStatus());
  auto* split = new QSplitter(Qt::Horizontal, this);
  QScrollArea* controls = upDownScroll(setup_, split);
  controls->setMinimumWidth(setup_->minimumSizeHint().width() + controls->verticalScrollBar()->sizeHint().width());
  split->addWidget(controls);
  split->addWidget(results);
  split->setStretchFactor(1, 1);
  split->setCollapsible(1, false);
  split->setSizes({controls->minimumWidth(), em(this, 45)});
  auto* column = bareLayout<QVBoxLayout>(this);
  column->addWidget(split);

  redraw_.setSingleShot(true);
  redraw_.setInterval(kRedrawSolverMilliseconds);
  connect(&redraw_, &QTimer::timeout, this, [this] {
    showResidual();
    showProgress();
  });
  connect(setup_, &SolveSetup::solveRequested, this, &SolvePanel::solve);
  connect(setup_, &SolveSetup::cancelRequested, this, &SolvePanel::cancel);
  connect(setup_, &SolveSetup::enginesRequested, this, &SolvePanel::enginesRequested);
  connect(setup_, &SolveSetup::corrected, notice_, &Notice::correct);
  connect(correlator_, &SolveCorrelator::offersChanged, this, &SolvePanel::offersChanged);
  connectController();
  for (Plot* chart : charts())
    connect(chart, &Plot::exportRequested, this,
            [this, chart](bool png) { Q_EMIT exportRequested(offerOf(*chart, png)); });
  showResidual();
  showRuns();
  setStatus(tr("Open or generate a configuration to solve on it."));
}

QSplitter& SolvePanel::split() const { return *findChild<QSplitter*>(QString(), Qt::FindDirectChildrenOnly); }

QSize SolvePanel::minimumSizeHint() const {
  const QWidget *controls = split().widget(0), *results = split().widget(1);
  return {std::max(controls->minimumWidth(), results->minimumSizeHint().width()), QWidget::minimumSizeHint().height()};
}

void SolvePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int beside =
      split().widget(0)->minimumWidth() + split().handleWidth() + split().widget(1)->minimumSizeHint().width();
  split().setOrientation(width() < beside ? Qt::Vertical : Qt::Horizontal);
}

QWidget* SolvePanel::buildResidual() {
  auto* split = new QSplitter(Qt::Vertical);
  residual_ = named(new CurveChart, "solveResidual");
  runs_ = named(new NumberTable(tr("What each engine took")), "solveRuns");
  split->addWidget(residual_);
  split->addWidget(runs_);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 1);
  split->setCollapsible(0, false);
  return split;
}

QWidget* SolvePanel::buildFieldsButton() {
  fields_ = named(new QPushButton(this), "solveFields");
  fields_->setText(tr("Show |ψ|²"));
  fields_->setAccessibleName(tr("Show the squared magnitude of a spinor field"));
  fields_->setToolTip(
      tr("Show the squared magnitude of the source, the solution or the residual as a field, once "
         "a solve is done"));
  auto* menu = new QMenu(fields_);
  const std::pair<SolveField, QString> fields[] = {{SolveField::Source, tr("of the &source")},
                                                   {SolveField::Solution, tr("of the s&olution")},
                                                   {SolveField::Residual, tr("of the &residual b - D x")}};
  for (const auto& [field, name] : fields)
    menu->addAction(name, this, [this, which = field] { Q_EMIT fieldRequested(which); });
  fields_->setMenu(menu);
  return fields_;
}

QWidget* SolvePanel::buildStatus() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(em(this, 0.45), em(this, 0.2), em(this, 0.45), em(this, 0.2));
  status_ = named(new QLabel(bar), "solveStatus");
  status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_ = new QProgressBar(bar);
  progress_->setAccessibleName(tr("Progress of the solve"));
  progress_->setRange(0, kProgressSteps);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(em(this, 5));
  progress_->hide();
  row->addWidget(status_, 1);
  row->addWidget(progress_);
  return bar;
}

void SolvePanel::connectController() {
  connect(&controller_, &SolveController::started, this, [this] {
    notice_->clear();
    setBusy(true);
    showResidual();
    showRuns();
  });
  connect(&controller_, &SolveController::stepped, this, [this] {
    showProgress();
    showRuns();
  });
  connect(&controller_, &SolveController::advanced, this, [this] {
    if (!redraw_.isActive()) redraw_.start();
  });
  connect(&controller_, &SolveController::solved, this, [this] {
    showResidual();
    showRuns();
    Q_EMIT offersChanged();
  });
  connect(&controller_, &SolveController::finished, this, [this] {
    setBusy(false);
    showEnd();
  });
  connect(&controller_, &SolveController::canceled, this, [this] {
    setBusy(false);
    showRuns();
    setStatus(canceledWords(controller_));
  });
  connect(&controller_, &SolveController::failed, this, [this](const QString& message) {
    setBusy(false);
    showRuns();
    notice_->showMessage(Notice::Kind::Error, message);
    setStatus(tr("not solved"));
  });
  connect(&controller_, &SolveController::cleared, this, [this] {
    notice_->clear();
    showResidual();
    showRuns();
  });
}

void SolvePanel::setConfiguration(std::shared_ptr<const lattice::Configuration> configuration) {
  if (configuration == configuration_) return;
  configuration_ = std::move(configuration);
  controller_.clear();
  const lattice::Lattice* sites = configuration_ ? &configuration_->field.lattice() : nullptr;
  setup_->setLattice(sites);
  setStatus(sites ? tr("Ready to solve on %1 sites.").arg(toQt(sites->text()))
                  : tr("Open or generate a configuration to solve on it."));
}

void SolvePanel::setEngines(const std::vector<std::string>& engines) { setup_->setEngines(engines); }

void SolvePanel::solve() {
  if (!configuration_) return;
  SolveJob job = setup_->job();
  // Shares ownership of the configuration.
  job.field = {configuration_, &configuration_->field};
  job.threads = threads_;
  controller_.solve(std::move(job), setup_->places());
}

void SolvePanel::cancel() { controller_.cancel(); }

double SolvePanel::progress() const { return solvedShare(controller_); }

void SolvePanel::hideStatus() { statusRow_->hide(); }

QString SolvePanel::statusText() const { return status_->text(); }

std::shared_ptr<const SolveDensities> SolvePanel::densities() const {
  for (const SolveLine& line : controller_.lines())
    if (line.run && line.run->densities) return line.run->densities;
  return nullptr;
}

void SolvePanel::setBusy(bool busy) {
  setup_->setBusy(busy);
  progress_->setVisible(busy);
  progress_->setValue(0);
  Q_EMIT busyChanged(busy);
}

void SolvePanel::showResidual() {
  CurvePlot plot = residualPlot(controller_.lines(), controller_.job().solver.tolerance);
  if (!plot.curves.empty()) plot.note = jobWords(controller_.job());
  residual_->setPlot(std::move(plot));
}

void SolvePanel::showRuns() {
  runs_->setRows(runColumns(), kRunTexts, runRows(controller_));
  runs_->setVisible(!controller_.lines().empty());
  const std::shared_ptr<const SolveDensities> there = densities();
  fields_->setEnabled(there != nullptr);
  if (there == reported_) return;
  reported_ = there;
  Q_EMIT densitiesChanged();
}

void SolvePanel::showProgress() {
  if (!controller_.busy()) return;
  progress_->setValue(static_cast<int>(kProgressSteps * solvedShare(controller_)));
  setStatus(progressWords(controller_));
}

void SolvePanel::setStatus(const QString& words) {
  status_->setText(words);
  status_->setToolTip(words);
  Q_EMIT statusChanged(words);
}

void SolvePanel::showEnd() {
  setStatus(endWords(controller_.lines()));
  const QString failures = failureWords(controller_.lines());
  if (!failures.isEmpty()) notice_->showMessage(Notice::Kind::Error, failures);
}

void SolvePanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && controller_.busy()) {
    cancel();
    return;
  }
  QWidget::keyPressEvent(event);
}

namespace {

const QString kResidualSuffix = QStringLiteral("-residuals.csv"), kTraceSuffix = QStringLiteral("-trace.json"),
              kSharesSuffix = QStringLiteral("-kernel-shares.csv"),
              kCorrelatorSuffix = QStringLiteral("-correlator.csv");

std::string traceJson(const std::vector<SolveLine>& lines) {
  std::vector<NamedTrace> traces;
  for (const SolveLine& line : lines)
    if (line.run && !line.run->trace.spans.empty())
      traces.push_back({line.run->engine + ' ' + line.run->variant, line.run->trace});
  if (traces.empty())
    throw makeError(ErrorKind::NotFound, SolvePanel::tr("there is no trace to export yet"),
                    SolvePanel::tr("solve first"));
  return chromeTrace(traces).dump();
}

// A chart has no size before its tab is shown.
QImage pictureOf(Plot& chart, double scale) {
  const QSize least = chart.minimumSizeHint();
  if (chart.width() < least.width() || chart.height() < least.height()) chart.resize(chart.sizeHint());
  return chart.picture(scale);
}

}  // namespace

std::vector<Plot*> SolvePanel::charts() const {
  return {residual_, &kernels_->bars(), &kernels_->timeline(), &correlator_->correlator(), &correlator_->mass()};
}

std::vector<ExportOffer> SolvePanel::exportOffers(double scale) {
  std::vector<ExportOffer> offers;
  offers.push_back({tr("Residuals (CSV)"), kResidualSuffix, [this] {
                      if (controller_.lines().empty())
                        throw makeError(ErrorKind::NotFound, tr("there is no residual to export yet"),
                                        tr("solve first"));
                      return writeText(residualCsv(controller_.lines()));
                    }});
  offers.push_back({tr("Correlator and effective mass (CSV)"), kCorrelatorSuffix, [this] {
                      const SolveRun* run = correlatorRun(controller_.lines());
                      if (!run)
                        throw makeError(ErrorKind::NotFound, tr("there is no correlator to export yet"),
                                        tr("solve for a whole propagator first"));
                      return writeText(correlatorCsv(*run, correlator_->free()));
                    }});
  offers.push_back({tr("Traces of the kernels (JSON, for Perfetto or chrome://tracing)"), kTraceSuffix,
                    [this] { return writeText(traceJson(controller_.lines())); }});
  for (Plot* chart : charts())
    offers.push_back({tr("Chart: %1 (PNG)").arg(chart->title()), chartSuffix(chart->stem(), true),
                      [chart, scale] { return writeImage(pictureOf(*chart, scale)); }});
  offers.push_back({tr("Kernel shares (CSV)"), kSharesSuffix, [this] { return writeText(kernels_->bars().csv()); }});
  return offers;
}

// Most charts have no CSV file of their own.
QString SolvePanel::offerOf(const Plot& chart, bool png) const {
  if (png) return chartSuffix(chart.stem(), true);
  if (&chart == residual_) return kResidualSuffix;
  if (&chart == &kernels_->timeline()) return kTraceSuffix;
  return &chart == &kernels_->bars() ? kSharesSuffix : kCorrelatorSuffix;
}

}  // namespace sscope

#include "moc_solve_panel.cpp"
