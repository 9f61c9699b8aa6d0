#include "ui/rooms/lattice/solve_setup.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"
#include "ui/controls/number_box.h"
#include "ui/controls/setting_controls.h"

namespace sscope {

SolvePlaces::SolvePlaces(const Toolbox& toolbox, QWidget* parent) : QWidget(parent), toolbox_(toolbox) { build({}); }

void SolvePlaces::setEngines(const std::vector<std::string>& engines) {
  const std::vector<SolvePlace> chosen = places();
  engines_ = engines;
  build(chosen);
}

void SolvePlaces::setVariants(const std::vector<SolvePlace>& places) { build(places); }

std::vector<SolvePlace> SolvePlaces::places() const {
  std::vector<SolvePlace> places;
  for (const Row& row : rows_) places.push_back({row.engine, fromQt(row.variant->currentData().toString())});
  return places;
}

void SolvePlaces::build(const std::vector<SolvePlace>& chosen) {
  rows_.clear();
  delete layout();
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  form_ = bareLayout<QFormLayout>(this, em(this, 0.3));
  form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  for (const std::string& id : engines_) {
    const auto& infos = toolbox_.engines->infos();
    const auto info = std::find_if(infos.begin(), infos.end(), [&](const EngineInfo& one) { return one.id == id; });
    if (info != infos.end() && info->available()) addEngine(*info, chosen);
  }
  addHint();
  Q_EMIT changed();
}

void SolvePlaces::addEngine(const EngineInfo& engine, const std::vector<SolvePlace>& chosen) {
  const std::size_t before = rows_.size();
  for (const SolvePlace& place : chosen)
    if (place.engine == engine.id) addRow(engine, place.variant, rows_.size() == before);
  if (rows_.size() == before) addRow(engine, {}, true);
}

void SolvePlaces::addRow(const EngineInfo& engine, const std::string& variant, bool first) {
  const QString id = toQt(engine.id);
  auto* field = new QWidget(this);
  const QByteArray key = "solveVariant-" + id.toUtf8() + (first ? "" : "-another");
  QComboBox* choice = narrowList(field, key.constData(), tr("Variant of the operator on %1").arg(id), 8);
  for (const Variant* each : toolbox_.variants->rows("dirac", engine.kind)) {
    if (!each->belongsTo(engine) || !each->twinOf.empty()) continue;
    choice->addItem(toQt(each->name), toQt(each->name));
    choice->setItemData(choice->count() - 1, toQt(each->explanation), Qt::ToolTipRole);
  }
  const int index = choice->findData(toQt(variant));
  if (choice->count() == 0 || (index < 0 && !first)) {
    delete field;
    return;
  }
  choice->setCurrentIndex(std::max(0, index));
  connect(choice, &QComboBox::currentIndexChanged, this, &SolvePlaces::edited);
  const QString tip = first ? tr("Solve with another variant on %1 as well").arg(id) : tr("Remove this variant");
  auto* change = toolButton(
      field, {.text = first ? QStringLiteral("+") : QStringLiteral("\u2212"), .tip = tip, .spoken = tip, .flat = true});
  change->setObjectName((first ? QStringLiteral("solveAdd-") : QStringLiteral("solveRemove-")) + id);
  change->setEnabled(!first || choice->count() > 1);
  // Queued, because the button is deleted by it.
  const std::size_t row = rows_.size();
  connect(
      change, &QToolButton::clicked, this,
      [this, first, row, name = engine.id] { first ? addAnother(name) : remove(row); }, Qt::QueuedConnection);
  auto* both = bareLayout<QHBoxLayout>(field, em(this, 0.2));
  both->addWidget(choice, 1);
  both->addWidget(change);
  auto* title = new QWidget(this);
  auto* titleRow = bareLayout<QHBoxLayout>(title, em(this, 0.3));
  titleRow->addWidget(new Swatch(engineColor(engine.id), title));
  auto* label = new QLabel(id, title);
  label->setBuddy(choice);
  titleRow->addWidget(label);
  form_->addRow(title, field);
  rows_.push_back({engine.id, choice});
}

// Adds the first variant that the engine does not use yet.
void SolvePlaces::addAnother(const std::string& engine) {
  std::vector<SolvePlace> chosen = places();
  const QComboBox* choice = nullptr;
  for (const Row& row : rows_)
    if (row.engine == engine) choice = row.variant;
  if (!choice) return;
  for (int i = 0; i < choice->count(); ++i) {
    const SolvePlace another{engine, fromQt(choice->itemData(i).toString())};
    if (std::find(chosen.begin(), chosen.end(), another) != chosen.end()) continue;
    chosen.push_back(another);
    build(chosen);
    for (const Row& row : rows_)
      if (row.engine == engine) row.variant->setFocus();  // the last one is the new one
    Q_EMIT edited();
    return;
  }
}

void SolvePlaces::remove(std::size_t row) {
  std::vector<SolvePlace> chosen = places();
  if (row >= chosen.size()) return;
  chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(row));
  build(chosen);
  Q_EMIT edited();
}

// A link to the panel where engines are chosen.
void SolvePlaces::addHint() {
  const QString link = QStringLiteral("<a href=\"#\">%1</a>").arg(tr("engines panel"));
  const QString words = rows_.empty() ? tr("None is chosen in the %1.")
                        : rows_.size() == 1
                            ? tr("Check more in the %1 to compare them.")
                            : tr("These engines run one after another and are compared with the first. Add more in "
                                 "the %1.");
  QLabel* hint = quietLabel(words.arg(link), this);
  hint->setObjectName(QStringLiteral("solveEngines"));
  hint->setTextFormat(Qt::RichText);
  hint->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  hint->setWordWrap(true);
  connect(hint, &QLabel::linkActivated, this, &SolvePlaces::enginesRequested);
  form_->addRow(hint);
}

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
  QVBoxLayout* column = controlColumn(this, 0.45, 0.45);
  column->addWidget(buildOperator());
  column->addWidget(buildSource());
  column->addWidget(buildSolver());
  column->addWidget(headingLabel(tr("ENGINES"), this));
  places_ = new SolvePlaces(toolbox, this);
  column->addWidget(places_);
  solve_ = named(new QPushButton(tr("&Solve"), this), "solveStart");
  solve_->setToolTip(
      tr("Solve D x = b on the engines above, one after another, with the links of the configuration before the flow"));
  cancel_ = named(new QPushButton(tr("Cancel"), this), "solveCancel");
  cancel_->setToolTip(tr("Stop solving (Esc); the chart keeps the results so far"));
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
  for (NumberBox* box : coordinates_) connect(box, &NumberBox::valueEdited, this, [this] { Q_EMIT edited({}); });
  connect(places_, &SolvePlaces::edited, this, [this] {
    if (!restoring_) Q_EMIT edited({});
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
    NumberBox* at = wholeBox(tr("Source at %1").arg(axis), 0, 0, 0, site);
    at->setObjectName(QStringLiteral("solveSource") + axis.toUpper());
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
  preconditioner.setTip(paper ? tr("The conjugate residual method of the paper has none") : QString());
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
    const QScopedValueRollback<bool> guard(restoring_, true);
    places_->setVariants(places);
  }
  showChosen();
  Q_EMIT settled();
}

}  // namespace sscope

#include "moc_solve_setup.cpp"
