#include "ui/rooms/lattice/solve_correlator.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "core/lattice/correlator.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/lattice/number_table.h"
#include "ui/rooms/lattice/solve_plots.h"
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
    empty.note = controller_.busy() && controller_.job().propagator
                     ? tr("It appears when all twelve systems are solved.")
                     : tr("Check “whole propagator” and solve: the twelve solutions of a point make the correlator.");
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

}  // namespace sscope

#include "moc_solve_correlator.cpp"
