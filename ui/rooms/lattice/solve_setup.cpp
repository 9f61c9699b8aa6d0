#include "ui/rooms/lattice/solve_setup.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/gesture.h"
#include "ui/controls/number_box.h"
#include "ui/controls/value_slider.h"
#include "ui/rooms/lattice/solve_places.h"

namespace sscope {

namespace {

constexpr double kLeastKappa = 0.01, kMostKappa = 0.25, kLargestKappa = 10;
constexpr double kLeastTolerance = 1e-15, kMostTolerance = 0.999;
constexpr double kMostIterations = 1e8;
constexpr double kMostSeed = 1e15;

QComboBox* comboBox(const char* name, const QString& accessibleName, QWidget* parent) {
  auto* box = new QComboBox(parent);
  box->setObjectName(QLatin1String(name));
  box->setAccessibleName(accessibleName);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(8);
  return box;
}

QFormLayout* formIn(QWidget* box) {
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(em(box, 0.3));
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return form;
}

void setRowVisible(QFormLayout* form, QWidget* field, bool visible) {
  field->setVisible(visible);
  if (QWidget* label = form->labelForField(field)) label->setVisible(visible);
}

QWidget* rowOf(std::initializer_list<QWidget*> widgets, QWidget* parent) {
  auto* row = new QWidget(parent);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(em(parent, 0.2));
  for (QWidget* widget : widgets) layout->addWidget(widget);
  layout->addStretch(1);
  return row;
}

// Each with what it is as its tooltip.
template <class Choice, std::size_t kCount>
void addChoices(QComboBox* box, const std::pair<Choice, QString> (&choices)[kCount]) {
  for (const auto& [choice, tip] : choices) {
    box->addItem(toQt(lattice::toString(choice)), static_cast<int>(choice));
    box->setItemData(box->count() - 1, tip, Qt::ToolTipRole);
  }
}

// Three digits are enough for coordinates.
void makeNarrow(NumberBox* box) {
  box->setFixedWidth(box->fontMetrics().horizontalAdvance(QStringLiteral("0000")) + em(box, 0.7));
}

}  // namespace

SolveSetup::SolveSetup(const Toolbox& toolbox, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, gap, gap, gap);
  column->setSpacing(gap);
  column->addWidget(buildOperator());
  column->addWidget(buildSource());
  column->addWidget(buildSolver());
  column->addWidget(headingLabel(tr("ENGINES"), this));
  places_ = new SolvePlaces(toolbox, this);
  column->addWidget(places_);
  solve_ = new QPushButton(tr("&Solve"), this);
  solve_->setObjectName(QStringLiteral("solveStart"));
  solve_->setToolTip(
      tr("Solve D x = b on the engines above, one after another; the links are those of the configuration, not changed "
         "by the flow"));
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setObjectName(QStringLiteral("solveCancel"));
  cancel_->setToolTip(tr("Stop solving (Esc); what was found so far stays in the chart"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(solve_, 2);
  buttons->addWidget(cancel_, 1);
  column->addLayout(buttons);
  column->addStretch(1);
  connect(solve_, &QPushButton::clicked, this, &SolveSetup::solveRequested);
  connect(cancel_, &QPushButton::clicked, this, &SolveSetup::cancelRequested);
  for (NumberBox* box : findChildren<NumberBox*>()) connect(box, &NumberBox::corrected, this, &SolveSetup::corrected);
  connect(places_, &SolvePlaces::changed, this, &SolveSetup::refreshButtons);
  connect(places_, &SolvePlaces::enginesRequested, this, &SolveSetup::enginesRequested);
  followEdits();
  showMass();
  showSource();
  showSolver();
  refreshButtons();
}

// After what they show of each other: settings() are all there then.
void SolveSetup::followEdits() {
  gesture_ = new Gesture(kappaSlider_);
  const auto tell = [this] {
    if (!taking_) Q_EMIT edited({});
  };
  const auto tellKappa = [this] { Q_EMIT edited(gesture_->now()); };
  connect(kappaSlider_, &ValueSlider::realValueEdited, this, tellKappa);
  for (NumberBox* box : findChildren<NumberBox*>())
    box == kappa_ ? connect(box, &NumberBox::valueEdited, this, tellKappa)
                  : connect(box, &NumberBox::valueEdited, this, tell);
  for (QComboBox* box : {boundary_, source_, solver_, preconditioner_})
    connect(box, &QComboBox::currentIndexChanged, this, tell);
  connect(propagator_, &QCheckBox::toggled, this, tell);
  connect(places_, &SolvePlaces::edited, this, tell);
}

NumberBox* SolveSetup::wholeBox(const QString& name, const QString& accessibleName, double most) {
  auto* box = new NumberBox(accessibleName, this);
  box->setObjectName(name);
  box->setWhole(true);
  box->setRange(0, most);
  box->setStep([](double value, int steps) { return value + steps; });
  return box;
}

QWidget* SolveSetup::buildOperator() {
  auto* box = new QWidget(this);
  QFormLayout* form = formIn(box);
  kappaSlider_ = new ValueSlider(tr("Hopping parameter kappa"), box);
  kappaSlider_->setObjectName(QStringLiteral("solveKappaSlider"));
  kappaSlider_->setScale(kLeastKappa, kMostKappa, false, false);
  kappaSlider_->setToolTip(
      tr("Heavier quarks to the left; close to the critical value the solver needs many iterations"));
  kappa_ = new NumberBox(tr("Hopping parameter kappa"), box);
  kappa_->setObjectName(QStringLiteral("solveKappa"));
  kappa_->setRange(-kLargestKappa, kLargestKappa);
  kappa_->setStep([](double value, int steps) { return std::round((value + 0.001 * steps) * 1e6) * 1e-6; });
  kappa_->setToolTip(tr("kappa = 1 / (2 m + 8), m being the bare quark mass in lattice units"));
  const lattice::WilsonParameters defaults;
  kappaSlider_->setRealValue(defaults.kappa);
  kappa_->setValue(defaults.kappa);
  mass_ = quietLabel({}, box);
  mass_->setObjectName(QStringLiteral("solveMass"));
  boundary_ = comboBox("solveBoundary", tr("Boundary of the quarks in time"), box);
  boundary_->addItem(tr("antiperiodic"), -1);
  boundary_->addItem(tr("periodic"), 1);
  boundary_->setToolTip(tr("Hops across the seam of time are multiplied by -1, or not"));
  auto* row = new QWidget(box);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(kappaSlider_, 1);
  layout->addWidget(kappa_);
  form->addRow(headingLabel(tr("OPERATOR"), box));
  form->addRow(QStringLiteral("κ"), row);
  form->addRow(QString(), mass_);
  form->addRow(tr("Time"), boundary_);
  connect(kappaSlider_, &ValueSlider::realValueEdited, this, [this](double value) {
    kappa_->setValue(std::round(value * 1e4) * 1e-4);
    showMass();
  });
  connect(kappa_, &NumberBox::valueEdited, this, [this](double value) {
    kappaSlider_->setRealValue(value);
    showMass();
  });
  return box;
}

QWidget* SolveSetup::buildSource() {
  auto* box = new QWidget(this);
  sourceForm_ = formIn(box);
  source_ = comboBox("solveSource", tr("Source"), box);
  source_->addItem(tr("point"), QStringLiteral("point"));
  source_->addItem(tr("random numbers"), QStringLiteral("hash"));
  source_->setToolTip(tr("One at a point, or random numbers everywhere, the same on every machine"));
  for (int mu = 0; mu < lattice::kDirections; ++mu) {
    const QString axis(QLatin1Char("xyzt"[mu]));
    NumberBox* at = wholeBox(QStringLiteral("solveSource") + axis.toUpper(), tr("Source at %1").arg(axis), 0);
    at->setToolTip(axis);
    makeNarrow(at);
    coordinates_[static_cast<std::size_t>(mu)] = at;
  }
  site_ = rowOf({coordinates_[0], coordinates_[1], coordinates_[2], coordinates_[3]}, box);
  color_ = wholeBox(QStringLiteral("solveColor"), tr("Color of the source"), lattice::kColors - 1);
  spin_ = wholeBox(QStringLiteral("solveSpin"), tr("Spin of the source"), lattice::kSpins - 1);
  color_->setToolTip(tr("Color, 0 to 2"));
  spin_->setToolTip(tr("Spin, 0 to 3"));
  makeNarrow(color_);
  makeNarrow(spin_);
  element_ = rowOf({color_, spin_}, box);
  seed_ = wholeBox(QStringLiteral("solveSeed"), tr("Seed of the source"), kMostSeed);
  propagator_ = new QCheckBox(tr("whole propagator"), box);
  propagator_->setObjectName(QStringLiteral("solvePropagator"));
  propagator_->setToolTip(
      tr("Solve for all 12 colors and spins of the point: the pion correlator and its effective mass"));
  sourceForm_->addRow(headingLabel(tr("SOURCE"), box));
  sourceForm_->addRow(tr("Kind"), source_);
  sourceForm_->addRow(tr("x y z t"), site_);
  sourceForm_->addRow(tr("Color, spin"), element_);
  sourceForm_->addRow(tr("Seed"), seed_);
  sourceForm_->addRow(QString(), propagator_);
  connect(source_, &QComboBox::currentIndexChanged, this, &SolveSetup::showSource);
  connect(propagator_, &QCheckBox::toggled, this, &SolveSetup::showSource);
  return box;
}

QWidget* SolveSetup::buildSolver() {
  auto* box = new QWidget(this);
  QFormLayout* form = formIn(box);
  using lattice::Solver;
  const lattice::SolverOptions defaults;
  solver_ = comboBox("solveSolver", tr("Solver"), box);
  const std::pair<Solver, QString> solvers[] = {
      {Solver::Auto, tr("BiCGstab with a random shadow residual, then CGNR from there if that fails")},
      {Solver::Cr, tr("Conjugate residual on gamma5 D, as in the paper the ladder comes from")},
      {Solver::Gcr, tr("Generalized conjugate residual on D, restarted every 16 directions")},
      {Solver::BiCgStab, tr("Stabilized biconjugate gradients on D")},
      {Solver::Cgnr, tr("Conjugate gradients on the normal equations: slow and safe")}};
  addChoices(solver_, solvers);
  using lattice::Preconditioner;
  preconditioner_ = comboBox("solvePreconditioner", tr("Preconditioner"), box);
  const std::pair<Preconditioner, QString> preconditioners[] = {
      {Preconditioner::Auto,
       tr("Even-odd where every extent is even and the engine can: half the sites, about half the iterations")},
      {Preconditioner::None, tr("The whole lattice at once")},
      {Preconditioner::EvenOdd,
       tr("Even sites alone, from which the odd ones follow; none where that is not possible")}};
  addChoices(preconditioner_, preconditioners);
  for (QComboBox* one : {solver_, preconditioner_})
    connect(one, &QComboBox::currentIndexChanged, this, &SolveSetup::showSolver);
  tolerance_ = new NumberBox(tr("Tolerance"), box);
  tolerance_->setObjectName(QStringLiteral("solveTolerance"));
  tolerance_->setRange(kLeastTolerance, kMostTolerance);
  tolerance_->setStep([](double value, int steps) { return std::pow(10.0, std::round(std::log10(value) + steps)); });
  tolerance_->setValue(defaults.tolerance);
  tolerance_->setToolTip(tr("Solved once |b - D x| / |b| is at most this; arrow keys step by factors of ten"));
  iterations_ = wholeBox(QStringLiteral("solveIterations"), tr("Iteration limit"), kMostIterations);
  iterations_->setRange(1, kMostIterations);
  iterations_->setStep([](double value, int steps) { return value + 100 * steps; });
  iterations_->setValue(defaults.maxIterations);
  iterations_->setToolTip(
      tr("After this many iterations of one system, the best iterate is kept and reported as not converged"));
  form->addRow(headingLabel(tr("SOLVER"), box));
  form->addRow(tr("Method"), solver_);
  form->addRow(tr("Preconditioner"), preconditioner_);
  form->addRow(tr("Tolerance"), tolerance_);
  form->addRow(tr("At most"), rowOf({iterations_, quietLabel(tr("iterations"), box)}, box));
  return box;
}

void SolveSetup::showSolver() {
  const bool paper = solver_->currentData().toInt() == static_cast<int>(lattice::Solver::Cr);
  preconditioner_->setEnabled(!paper);
  solver_->setToolTip(solver_->currentData(Qt::ToolTipRole).toString());
  preconditioner_->setToolTip(paper ? tr("The paper's conjugate residual has none")
                                    : preconditioner_->currentData(Qt::ToolTipRole).toString());
}

void SolveSetup::showMass() {
  const double kappa = kappa_->value();
  mass_->setText(kappa == 0 ? tr("D is 1") : tr("bare quark mass %1 / a").arg(numberText(1 / (2 * kappa) - 4, 4)));
}

void SolveSetup::showSource() {
  const bool point = source_->currentData().toString() == QLatin1String("point");
  const bool propagator = point && propagator_->isChecked();
  setRowVisible(sourceForm_, site_, point);
  setRowVisible(sourceForm_, element_, point && !propagator);
  setRowVisible(sourceForm_, seed_, !point);
  propagator_->setEnabled(point);
}

void SolveSetup::setLattice(const lattice::Lattice* lattice) {
  ready_ = lattice != nullptr;
  for (int mu = 0; lattice && mu < lattice::kDirections; ++mu) {
    NumberBox* at = coordinates_[static_cast<std::size_t>(mu)];
    at->setRange(0, lattice->extent(mu) - 1);
    at->setValue(std::min<double>(at->value(), lattice->extent(mu) - 1));
  }
  refreshButtons();
  Q_EMIT settled();
}

void SolveSetup::setEngines(const std::vector<std::string>& engines) {
  places_->setEngines(engines);
  Q_EMIT settled();
}

void SolveSetup::setKappa(double kappa) {
  kappa_->setValue(kappa);
  kappaSlider_->setRealValue(kappa);
  showMass();
  Q_EMIT settled();
}

void SolveSetup::setBusy(bool busy) {
  busy_ = busy;
  refreshButtons();
}

void SolveSetup::refreshButtons() {
  solve_->setEnabled(ready_ && !busy_ && !places_->empty());
  cancel_->setEnabled(busy_);
}

SolveJob SolveSetup::job() const {
  SolveJob job;
  job.wilson.kappa = kappa_->value();
  job.wilson.timeBoundary = boundary_->currentData().toInt();
  job.source.point = source_->currentData().toString() == QLatin1String("point");
  for (std::size_t mu = 0; mu < coordinates_.size(); ++mu)
    job.source.site[mu] = static_cast<int>(coordinates_[mu]->value());
  job.source.color = static_cast<int>(color_->value());
  job.source.spin = static_cast<int>(spin_->value());
  job.source.seed = static_cast<std::uint64_t>(seed_->value());
  job.solver.solver = static_cast<lattice::Solver>(solver_->currentData().toInt());
  if (job.solver.solver != lattice::Solver::Cr)
    job.solver.preconditioner = static_cast<lattice::Preconditioner>(preconditioner_->currentData().toInt());
  job.solver.tolerance = tolerance_->value();
  job.solver.maxIterations = static_cast<int>(iterations_->value());
  job.propagator = job.source.point && propagator_->isChecked();
  return job;
}

std::vector<SolvePlace> SolveSetup::places() const { return places_->places(); }

SolveSettings SolveSetup::settings() const {
  const SolveJob now = job();
  SolveSettings settings;
  settings.kappa = now.wilson.kappa;
  settings.timeBoundary = now.wilson.timeBoundary;
  settings.source = fromQt(source_->currentData().toString());
  settings.site = now.source.site;
  settings.color = now.source.color;
  settings.spin = now.source.spin;
  settings.seed = now.source.seed;
  settings.propagator = propagator_->isChecked();
  settings.solver = lattice::toString(now.solver.solver);
  // Also where the solver has none.
  settings.preconditioner =
      lattice::toString(static_cast<lattice::Preconditioner>(preconditioner_->currentData().toInt()));
  settings.tolerance = now.solver.tolerance;
  settings.maxIterations = now.solver.maxIterations;
  for (const SolvePlace& place : places()) settings.places.push_back({place.engine, place.variant});
  return settings;
}

void SolveSetup::restore(const SolveSettings& settings) {
  taking_ = true;
  take(settings);
  taking_ = false;
  Q_EMIT settled();
}

void SolveSetup::take(const SolveSettings& settings) {
  kappa_->setValue(settings.kappa);
  kappaSlider_->setRealValue(settings.kappa);
  showMass();
  boundary_->setCurrentIndex(boundary_->findData(settings.timeBoundary));
  source_->setCurrentIndex(source_->findData(toQt(settings.source)));
  for (std::size_t mu = 0; mu < coordinates_.size(); ++mu) coordinates_[mu]->setValue(settings.site[mu]);
  color_->setValue(settings.color);
  spin_->setValue(settings.spin);
  seed_->setValue(static_cast<double>(settings.seed));
  propagator_->setChecked(settings.propagator);
  solver_->setCurrentIndex(solver_->findData(static_cast<int>(lattice::solverNamed(settings.solver))));
  preconditioner_->setCurrentIndex(
      preconditioner_->findData(static_cast<int>(lattice::preconditionerNamed(settings.preconditioner))));
  tolerance_->setValue(settings.tolerance);
  iterations_->setValue(settings.maxIterations);
  std::vector<SolvePlace> places;
  for (const auto& [engine, variant] : settings.places) places.push_back({engine, variant});
  places_->setVariants(places);
}

}  // namespace sscope
