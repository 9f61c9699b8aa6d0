#include "ui/rooms/lattice/solve_tabs.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/lattice/correlator.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/charts/timeline_chart.h"
#include "ui/controls/buttons.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/lattice_plots.h"
#include "ui/rooms/lattice/solve_words.h"

namespace sscope {

namespace {

constexpr int kDigits = 13;

QString textOf(const std::vector<double>& values, std::size_t t, int digits) {
  return t < values.size() && std::isfinite(values[t]) ? numberText(values[t], digits) : QString();
}

}  // namespace

SolveCorrelator::SolveCorrelator(SolveController& controller, QWidget* parent)
    : QWidget(parent), controller_(controller) {
  freeBox_ = named(new QCheckBox(tr("compare with free quarks of the same kappa"), this), "solveFree");
  freeBox_->setToolTip(tr("The correlator on unit links, summed in momentum space"));
  correlator_ = named(new CurveChart, "solveCorrelator");
  mass_ = named(new CurveChart, "solveEffectiveMass");
  table_ = named(new NumberTable(tr("Correlator and effective mass")), "solveCorrelatorTable");
  auto* charts = new QSplitter(Qt::Horizontal);
  charts->addWidget(correlator_);
  charts->addWidget(mass_);
  charts->setChildrenCollapsible(false);
  auto* split = new QSplitter(Qt::Vertical, this);
  split->addWidget(charts);
  split->addWidget(table_);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 1);
  split->setCollapsible(0, false);
  auto* head = new QHBoxLayout;
  head->setContentsMargins(em(this, 0.45), em(this, 0.3), em(this, 0.45), em(this, 0.3));
  head->addWidget(freeBox_);
  head->addStretch(1);
  auto* column = bareLayout<QVBoxLayout>(this, 0);
  column->addLayout(head);
  column->addWidget(split, 1);
  connect(&controller_, &SolveController::started, this, &SolveCorrelator::forget);
  connect(&controller_, &SolveController::cleared, this, &SolveCorrelator::forget);
  connect(&controller_, &SolveController::solved, this, &SolveCorrelator::refresh);
  connect(freeBox_, &QCheckBox::toggled, this, [this] {
    if (!freeBox_->isChecked()) {
      task_.cancel();
      free_.clear();
    }
    refresh();
  });
  refresh();
}

void SolveCorrelator::forget() {
  task_.cancel();
  free_.clear();
  refresh();
}

void SolveCorrelator::refresh() {
  const SolveRun* run = correlatorRun(controller_.lines());
  if (run && freeBox_->isChecked() && free_.empty() && !task_.busy()) computeFree();
  table_->setVisible(run != nullptr);
  mass_->setVisible(run != nullptr);
  freeBox_->setEnabled(run != nullptr);
  if (run) {
    CurvePlot plots[] = {correlatorPlot(*run, free_), massPlot(*run, free_)};
    for (CurvePlot& plot : plots) plot.note = jobWords(controller_.job());
    correlator_->setPlot(std::move(plots[0]));
    mass_->setPlot(std::move(plots[1]));
    showTable(*run);
  } else {
    CurvePlot empty;
    empty.title = tr("Pion correlator");
    empty.stem = QStringLiteral("correlator");
    empty.note =
        controller_.busy() && controller_.job().propagator
            ? tr("It is shown when all twelve systems are solved.")
            : tr("Check “whole propagator” and solve. The correlator is made of the twelve solutions for a point.");
    correlator_->setPlot(std::move(empty));
    mass_->setPlot(massPlot({}, {}));
  }
  Q_EMIT offersChanged();
}

void SolveCorrelator::computeFree() {
  const lattice::Lattice sites = controller_.job().field->lattice();
  const lattice::WilsonParameters parameters = controller_.job().wilson;
  task_.start([this, sites, parameters](const Control& control) -> BackgroundTask::Finish {
    return [this, free = lattice::freePionCorrelator(sites, parameters, control)] {
      free_ = free;
      refresh();
    };
  });
}

void SolveCorrelator::showTable(const SolveRun& run) {
  const std::vector<double> masses = lattice::effectiveMass(run.correlator);
  const std::vector<double> logarithms = lattice::logarithmicMass(run.correlator);
  const std::vector<double> freeMasses = lattice::effectiveMass(free_);
  QStringList columns{tr("t"), tr("C(t)"), tr("m, cosh"), tr("m, logarithm")};
  if (!free_.empty()) columns << tr("C(t), free") << tr("m, free");
  std::vector<NumberTable::Row> rows;
  for (std::size_t t = 0; t < run.correlator.size(); ++t) {
    NumberTable::Row row;
    row.cells = {QString::number(t), textOf(run.correlator, t, kDigits), textOf(masses, t, 6),
                 textOf(logarithms, t, 6)};
    if (!free_.empty()) row.cells << textOf(free_, t, kDigits) << textOf(freeMasses, t, 6);
    rows.push_back(std::move(row));
  }
  table_->setRows(columns, 1, rows);
}

namespace {

BarPlot sharesPlot(const std::vector<KernelShare>& shares, const QColor& color, const QString& note) {
  BarPlot plot;
  plot.title = SolveKernels::tr("Time per kernel");
  plot.stem = QStringLiteral("kernel-shares");
  plot.axis = SolveKernels::tr("% of the time");
  plot.note = note;
  plot.color = color;
  plot.csv = "kernel,launches,seconds,share\n";
  for (const KernelShare& share : shares) {
    const QString text = SolveKernels::tr("%1 % · %2 · %3×")
                             .arg(formatNumber(100 * share.share), formatSeconds(share.seconds),
                                  formatCount(static_cast<qint64>(share.launches)));
    const double each = share.seconds / static_cast<double>(std::max<std::size_t>(1, share.launches));
    plot.bars.push_back({toQt(share.kernel),
                         100 * share.share,
                         {},
                         text,
                         SolveKernels::tr("%1<br>%2 each").arg(text, formatSeconds(each))});
    plot.csv += csvLine(share.kernel, share.launches, share.seconds, share.share);
  }
  return plot;
}

}  // namespace

SolveKernels::SolveKernels(SolveController& controller, QWidget* parent) : QWidget(parent), controller_(controller) {
  run_ = narrowList(this, "solveTraceEngine", tr("Engine whose kernels are shown"), 8);
  whole_ = named(new QCheckBox(tr("whole solve"), this), "solveWholeTimeline");
  whole_->setToolTip(tr("The timeline from the beginning to the end instead of one iteration"));
  slider_ = named(new ValueSlider(tr("Iteration of the timeline"), this), "solveIterationSlider");
  number_ = named(new NumberBox(tr("Iteration of the timeline"), this), "solveIteration");
  number_->setWhole(true);
  of_ = quietLabel({}, this);
  bars_ = named(new BarChart, "solveShares");
  timeline_ = named(new TimelineChart, "solveTimeline");

  // Two rows, so that the window can be narrow.
  auto* choice = new QVBoxLayout;
  choice->setContentsMargins(em(this, 0.45), em(this, 0.3), em(this, 0.45), em(this, 0.3));
  choice->setSpacing(em(this, 0.3));
  auto* what = new QHBoxLayout;
  what->setSpacing(em(this, 0.45));
  run_->setMaximumWidth(em(this, 20));
  what->addWidget(run_, 1);
  what->addWidget(whole_);
  what->addStretch(1);
  auto* when = new QHBoxLayout;
  when->setSpacing(em(this, 0.45));
  when->addWidget(quietLabel(tr("iteration"), this));
  when->addWidget(slider_, 1);
  when->addWidget(number_);
  when->addWidget(of_);
  choice->addLayout(what);
  choice->addLayout(when);
  auto* charts = new QWidget;
  auto* stack = bareLayout<QVBoxLayout>(charts, 0);
  stack->addWidget(bars_);
  stack->addWidget(timeline_, 1);
  auto* column = bareLayout<QVBoxLayout>(this, 0);
  column->addLayout(choice);
  column->addWidget(upDownScroll(charts, this), 1);

  connect(&controller_, &SolveController::started, this, &SolveKernels::listRuns);
  connect(&controller_, &SolveController::solved, this, &SolveKernels::listRuns);
  connect(&controller_, &SolveController::cleared, this, &SolveKernels::listRuns);
  connect(run_, &QComboBox::currentIndexChanged, this, &SolveKernels::showRun);
  connect(slider_, &ValueSlider::realValueEdited, this, [this](double value) {
    number_->setValue(std::round(value));
    showIteration(static_cast<int>(std::round(value)));
  });
  connect(number_, &NumberBox::valueEdited, this, [this](double value) {
    slider_->setRealValue(value);
    showIteration(static_cast<int>(value));
  });
  connect(whole_, &QCheckBox::toggled, this, [this] { showIteration(static_cast<int>(number_->value())); });
  listRuns();
}

void SolveKernels::listRuns() {
  const QString chosen = run_->currentText();
  const QSignalBlocker blocked(run_);
  run_->clear();
  const std::vector<SolveLine>& lines = controller_.lines();
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (lines[k].run) run_->addItem(nameOf(lines[k]), static_cast<int>(k));
  run_->setCurrentIndex(run_->count() == 0 ? -1 : std::max(0, run_->findText(chosen)));
  run_->setEnabled(run_->count() > 0);
  showRun();
}

void SolveKernels::showRun() {
  const std::vector<SolveLine>& lines = controller_.lines();
  const auto index = static_cast<std::size_t>(run_->currentData().toInt());
  const std::shared_ptr<const SolveRun> run =
      run_->currentIndex() >= 0 && index < lines.size() ? lines[index].run : nullptr;
  if (run == shown_ && run) return;
  shown_ = run;
  const bool traced = run && !run->trace.spans.empty();
  const QString note = !run ? tr("Solve to see which kernels take the time.")
                       : !traced
                           ? tr("Unavailable: %1").arg(toQt(run->traceNote.empty() ? run->failure : run->traceNote))
                       : run->traceNote.empty() ? QString()
                                                : toQt(run->traceNote);
  const QColor color = run ? engineColor(run->engine) : palette().color(QPalette::Highlight);
  bars_->setPlot(sharesPlot(run ? kernelShares(run->trace) : std::vector<KernelShare>(), color, note));
  int last = 1;
  if (traced)
    for (const KernelSpan& span : run->trace.spans) last = std::max(last, std::min(span.iteration, run->iterations));
  for (QWidget* widget : std::initializer_list<QWidget*>{slider_, number_, whole_}) widget->setEnabled(traced);
  number_->setRange(1, last);
  slider_->setScale(1, std::max(2, last), false, true);
  of_->setText(traced ? tr("of %1").arg(last) : QString());
  // An iteration from the middle, because the first ones are slower.
  const int iteration =
      std::clamp(static_cast<int>(number_->value()) > 1 ? static_cast<int>(number_->value()) : last / 2, 1, last);
  number_->setValue(iteration);
  slider_->setRealValue(iteration);
  timeline_->setTrace(traced ? run->trace : KernelTrace(), color, note);
  showIteration(iteration);
}

void SolveKernels::showIteration(int iteration) {
  const bool whole = whole_->isChecked();
  slider_->setEnabled(whole_->isEnabled() && !whole);
  number_->setEnabled(whole_->isEnabled() && !whole);
  timeline_->setIteration(whole ? -1 : iteration);
}

}  // namespace sscope

#include "moc_solve_tabs.cpp"
