#include "ui/rooms/lattice/solve_kernels.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/charts/timeline_chart.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/solve_plots.h"

namespace sscope {

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
  run_ = named(new QComboBox(this), "solveTraceEngine", tr("Engine whose kernels are shown"));
  run_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  run_->setMinimumContentsLength(8);
  whole_ = named(new QCheckBox(tr("whole solve"), this), "solveWholeTimeline");
  whole_->setToolTip(tr("The timeline from the beginning to the end instead of one iteration"));
  slider_ = named(new ValueSlider(tr("Iteration of the timeline"), this), "solveIterationSlider");
  number_ = named(new NumberBox(tr("Iteration of the timeline"), this), "solveIteration");
  number_->setWhole(true);
  number_->setStep([](double value, int steps) { return value + steps; });
  of_ = quietLabel({}, this);
  bars_ = named(new BarChart, "solveShares");
  timeline_ = named(new TimelineChart, "solveTimeline");

  // Two rows: in one they would keep the window from becoming narrow.
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
  // The first iterations warm up: one from the middle tells more.
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

#include "moc_solve_kernels.cpp"
