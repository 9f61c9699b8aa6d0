#include "ui/rooms/lattice/solve_setup.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/controls/setting_controls.h"
#include "ui/rooms/lattice/solve_places.h"

namespace sscope {

namespace {

constexpr int kFewDigits = 3;  // enough for coordinates

QFormLayout* formIn(QWidget* box) {
  auto* form = bareLayout<QFormLayout>(box, em(box, 0.3));
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return form;
}

}  // namespace

SolveSetup::SolveSetup(const Toolbox& toolbox, QWidget* parent)
    : QWidget(parent), controls_(new SettingControls(SolveSettings(), QStringLiteral("solve"), this)) {
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
  solve_ = named(new QPushButton(tr("&Solve"), this), "solveStart");
  solve_->setToolTip(
      tr("Solve D x = b on the engines above, one after another; the links are those of the configuration, not changed "
         "by the flow"));
  cancel_ = named(new QPushButton(tr("Cancel"), this), "solveCancel");
  cancel_->setToolTip(tr("Stop solving (Esc); what was found so far stays in the chart"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(solve_, 2);
  buttons->addWidget(cancel_, 1);
  column->addLayout(buttons);
  column->addStretch(1);
  connect(solve_, &QPushButton::clicked, this, &SolveSetup::solveRequested);
  connect(cancel_, &QPushButton::clicked, this, &SolveSetup::cancelRequested);
  connect(controls_, &SettingControls::corrected, this, &SolveSetup::corrected);
  for (NumberBox* box : coordinates_) connect(box, &NumberBox::corrected, this, &SolveSetup::corrected);
  connect(places_, &SolvePlaces::changed, this, &SolveSetup::refreshButtons);
  connect(places_, &SolvePlaces::enginesRequested, this, &SolveSetup::enginesRequested);
  followEdits();
  showChosen();
  refreshButtons();
}

void SolveSetup::followEdits() {
  connect(controls_, &SettingControls::edited, this, [this](const QString& /*row*/, const QString& gesture) {
    showChosen();
    Q_EMIT edited(gesture);
  });
  const auto tell = [this] { Q_EMIT edited({}); };
  for (NumberBox* box : coordinates_) connect(box, &NumberBox::valueEdited, this, tell);
  connect(places_, &SolvePlaces::edited, this, [this] {
    if (!taking_) Q_EMIT edited({});
  });
}

QWidget* SolveSetup::buildOperator() {
  auto* box = new QWidget(this);
  QFormLayout* form = formIn(box);
  form->addRow(headingLabel(tr("OPERATOR"), box));
  controls_->addGroup(form, "operator");
  mass_ = quietLabel({}, box);
  mass_->setObjectName(QStringLiteral("solveMass"));
  form->insertRow(2, QString(), mass_);  // below the hopping parameter
  return box;
}

QWidget* SolveSetup::buildSource() {
  auto* box = new QWidget(this);
  QFormLayout* form = formIn(box);
  form->addRow(headingLabel(tr("SOURCE"), box));
  controls_->use("site", buildSite(), tr("x y z t"));
  for (const char* row : {"color", "spin"})
    if (auto* number = qobject_cast<NumberField*>(&controls_->field(row))) number->setDigits(kFewDigits);
  controls_->join({"color", "spin"}, tr("Color, spin"));
  controls_->addGroup(form, "source");
  return box;
}

QWidget* SolveSetup::buildSite() {
  auto* site = new QWidget(this);
  auto* line = bareLayout<QHBoxLayout>(site, em(this, 0.2));
  for (int mu = 0; mu < lattice::kDirections; ++mu) {
    const QString axis(QLatin1Char("xyzt"[mu]));
    auto* at = new NumberBox(tr("Source at %1").arg(axis), site);
    at->setObjectName(QStringLiteral("solveSource") + axis.toUpper());
    at->setWhole(true);
    at->setRange(0, 0);
    at->setStep([](double value, int steps) { return value + steps; });
    at->setToolTip(axis);
    at->setFixedWidth(at->fontMetrics().horizontalAdvance(QString(kFewDigits + 1, u'0')) + em(at, 0.7));
    line->addWidget(at);
    coordinates_[static_cast<std::size_t>(mu)] = at;
  }
  line->addStretch(1);
  return site;
}

QWidget* SolveSetup::buildSolver() {
  auto* box = new QWidget(this);
  QFormLayout* form = formIn(box);
  form->addRow(headingLabel(tr("SOLVER"), box));
  controls_->addGroup(form, "solver");
  return box;
}

const SolveSettings& SolveSetup::chosen() const { return controls_->as<SolveSettings>(); }

void SolveSetup::showChosen() {
  const SolveSettings& now = chosen();
  mass_->setText(now.kappa == 0 ? tr("D is 1")
                                : tr("bare quark mass %1 / a").arg(numberText(1 / (2 * now.kappa) - 4, 4)));
  const bool point = now.source == "point", paper = now.solver == "cr";
  controls_->setVisible("site", point);
  controls_->setVisible("color", point && !now.propagator);
  controls_->setVisible("seed", !point);
  controls_->field("propagator").setEnabled(point);
  SettingField& preconditioner = controls_->field("preconditioner");
  preconditioner.setEnabled(!paper);
  preconditioner.setTip(paper ? tr("The paper's conjugate residual has none") : QString());
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
  SolveSettings settings = chosen();
  settings.kappa = kappa;
  controls_->setSettings(settings);
  showChosen();
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
  const SolveSettings& now = chosen();
  SolveJob job;
  job.wilson.kappa = now.kappa;
  job.wilson.timeBoundary = now.timeBoundary;
  job.source.point = now.source == "point";
  for (std::size_t mu = 0; mu < coordinates_.size(); ++mu)
    job.source.site[mu] = static_cast<int>(coordinates_[mu]->value());
  job.source.color = now.color;
  job.source.spin = now.spin;
  job.source.seed = now.seed;
  job.solver.solver = lattice::solverNamed(now.solver);
  if (job.solver.solver != lattice::Solver::Cr)
    job.solver.preconditioner = lattice::preconditionerNamed(now.preconditioner);
  job.solver.tolerance = now.tolerance;
  job.solver.maxIterations = now.maxIterations;
  job.propagator = job.source.point && now.propagator;
  return job;
}

std::vector<SolvePlace> SolveSetup::places() const { return places_->places(); }

SolveSettings SolveSetup::settings() const {
  SolveSettings settings = chosen();
  settings.places.clear();
  settings.site = job().source.site;
  for (const SolvePlace& place : places()) settings.places.push_back({place.engine, place.variant});
  return settings;
}

void SolveSetup::restore(const SolveSettings& settings) {
  controls_->setSettings(settings);
  for (std::size_t mu = 0; mu < coordinates_.size(); ++mu) coordinates_[mu]->setValue(settings.site[mu]);
  std::vector<SolvePlace> places;
  for (const auto& [engine, variant] : settings.places) places.push_back({engine, variant});
  {
    const QScopedValueRollback<bool> guard(taking_, true);
    places_->setVariants(places);
  }
  showChosen();
  Q_EMIT settled();
}

}  // namespace sscope

#include "moc_solve_setup.cpp"
