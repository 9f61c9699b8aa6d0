#include "ui/rooms/lattice/solve_places.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/buttons.h"
#include "ui/controls/labels.h"

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
  auto* choice = new QComboBox(field);
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
  choice->setObjectName(QStringLiteral("solveVariant-") + id + (first ? QString() : QStringLiteral("-another")));
  choice->setAccessibleName(tr("Variant of the operator on %1").arg(id));
  choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  choice->setMinimumContentsLength(8);
  auto* change = toolButton(field, {.text = first ? QStringLiteral("+") : QStringLiteral("\u2212"), .flat = true});
  change->setObjectName((first ? QStringLiteral("solveAdd-") : QStringLiteral("solveRemove-")) + id);
  const QString tip = first ? tr("Solve with another variant on %1 as well").arg(id) : tr("Remove this variant");
  change->setToolTip(tip);
  change->setAccessibleName(tip);
  change->setEnabled(!first || choice->count() > 1);
  // Later: the button is among what is built anew.
  const std::size_t row = rows_.size();
  connect(
      change, &QToolButton::clicked, this,
      [this, first, row, name = engine.id] { first ? addAnother(name) : remove(row); }, Qt::QueuedConnection);
  auto* both = bareLayout<QHBoxLayout>(field, em(this, 0.2));
  both->addWidget(choice, 1);
  both->addWidget(change);
  auto* name = new QWidget(this);
  auto* names = bareLayout<QHBoxLayout>(name, em(this, 0.3));
  names->addWidget(new Swatch(engineColor(engine.id), name));
  auto* label = new QLabel(id, name);
  label->setBuddy(choice);
  names->addWidget(label);
  form_->addRow(name, field);
  rows_.push_back({engine.id, choice});
}

// The first variant that the engine does not use yet, after those that it does.
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
      if (row.engine == engine) row.variant->setFocus();  // the last one: that which is new
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

// What to do where there is nothing to solve on, and how to compare.
void SolvePlaces::addHint() {
  const QString link = QStringLiteral("<a href=\"#\">%1</a>").arg(tr("engines panel"));
  const QString words = rows_.empty() ? tr("None is chosen in the %1.")
                        : rows_.size() == 1
                            ? tr("Check more in the %1 to compare them.")
                            : tr("They run one after another and are compared with the first; add more in the %1.");
  QLabel* hint = quietLabel(words.arg(link), this);
  hint->setObjectName(QStringLiteral("solveEngines"));
  hint->setTextFormat(Qt::RichText);
  hint->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  hint->setWordWrap(true);
  connect(hint, &QLabel::linkActivated, this, &SolvePlaces::enginesRequested);
  form_->addRow(hint);
}

}  // namespace sscope

#include "moc_solve_places.cpp"
