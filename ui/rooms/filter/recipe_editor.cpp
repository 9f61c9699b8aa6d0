#include "ui/rooms/filter/recipe_editor.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/family.h"
#include "core/filter/noise_estimate.h"
#include "ui/base/focus_order.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/kernel_view.h"
#include "ui/controls/option_editor.h"
#include "ui/rooms/filter/taps_editor.h"

namespace sscope {

namespace {

FilterGrid gridOf(const SessionModel& model) {
  if (!model.hasData()) return {};
  const Volume& volume = *model.data().volume;
  return filterGrid(volume.shape().dimensions(), volume.geometry());
}

// Families made for volumes only offer what the open data can do: the z axis needs a volume.
std::vector<Option> offered(const FilterFamily& family, int dimensions) {
  std::vector<Option> options;
  for (const Option& option : family.options)
    if (dimensions == 3 || option.name != "order_z") options.push_back(option);
  return options;
}

// Which of a window's values it is.
QString rankText(const RankWindow& window) {
  if (window.minimum())
    return RecipeEditor::tr("the smallest of %n value(s)", nullptr, static_cast<int>(window.count()));
  if (window.maximum())
    return RecipeEditor::tr("the largest of %n value(s)", nullptr, static_cast<int>(window.count()));
  if (window.median()) return RecipeEditor::tr("the median of %n value(s)", nullptr, static_cast<int>(window.count()));
  return RecipeEditor::tr("value %1 of %2, from the smallest on").arg(window.rank + 1).arg(window.count());
}

// What the picture of the taps does not say.
QString summaryOf(const Operator& op) {
  if (const RankWindow* window = op.window())
    return rankText(*window) + QStringLiteral(" · ") +
           RecipeEditor::tr("not linear: exact, whatever the order of computation");
  if (op.range() != nullptr) return RecipeEditor::tr("not linear: the weights also fall with the difference of values");
  const Stencil& filter = *op.stencil();
  QStringList parts;
  if (filter.separable())
    parts << (filter.terms.size() == 1 ? RecipeEditor::tr("separable")
                                       : RecipeEditor::tr("sum of %1 separable terms").arg(filter.terms.size()));
  if (filter.lostTailMass > 0)
    parts
        << RecipeEditor::tr("%1 % of the weight is cut off at the ends").arg(numberText(100 * filter.lostTailMass, 2));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

RecipeEditor::RecipeEditor(SessionModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  rows_ = new QVBoxLayout(this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setSpacing(em(this, 0.3));
  help_ = quietLabel({}, this);
  help_->setWordWrap(true);
  flip_ = new QCheckBox(tr("Mirror the taps (true convolution)"), this);
  flip_->setObjectName(QStringLiteral("flip"));
  kernel_ = new KernelView(this);
  kernel_->setAccessibleName(tr("Picture of the taps"));
  summary_ = quietLabel({}, this);
  summary_->setWordWrap(true);
  rows_->addWidget(help_);
  rows_->addWidget(flip_);
  rows_->addWidget(kernel_);
  rows_->addWidget(summary_);
  connect(flip_, &QCheckBox::clicked, this, [this](bool on) {
    if (!recipe()) return;
    FilterRecipe changed = *recipe();
    changed.flip = on;
    model_.editRecipe(static_cast<std::size_t>(index_), std::move(changed), tr("Mirror the taps"));
  });
  connect(&model_, &SessionModel::recipeChanged, this, [this](std::size_t index) {
    if (static_cast<int>(index) == index_) refresh();
  });
  connect(&model_, &SessionModel::dataChanged, this, &RecipeEditor::rebuild);
  setIndex(-1);
}

void RecipeEditor::setIndex(int index) {
  index_ = index;
  if (recipe() && recipe()->family == builtFamily_) {
    refresh();
  } else {
    rebuild();
  }
}

const FilterRecipe* RecipeEditor::recipe() const {
  const auto& filters = model_.bank().filters;
  return index_ >= 0 && index_ < static_cast<int>(filters.size()) ? &filters[static_cast<std::size_t>(index_)]
                                                                  : nullptr;
}

// Of the finest axis: a length that is sensible there is sensible everywhere.
LengthUnits RecipeEditor::lengthUnits() const {
  const FilterGrid grid = gridOf(model_);
  double finest = grid.spacing[0];
  for (int a = 1; a < grid.dimensions; ++a) finest = std::min(finest, grid.spacing[static_cast<std::size_t>(a)]);
  return {finest, !model_.hasData() || grid.hasUnit, grid.dimensions == 2};
}

void RecipeEditor::rebuild() {
  if (options_) options_->deleteLater();
  options_ = nullptr;
  editors_.clear();
  taps_ = nullptr;
  builtFamily_.clear();
  setVisible(recipe() != nullptr);
  if (!recipe()) return;
  const FilterFamily& family = filterFamily(recipe()->family);
  builtFamily_ = family.name;
  help_->setText(toQt(family.help));
  options_ = new QWidget(this);
  auto* column = new QVBoxLayout(options_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(em(this, 0.2));
  for (const Option& option : offered(family, gridOf(model_).dimensions)) {
    auto* editor = new OptionEditor(option, lengthUnits(), options_);
    editor->setObjectName(toQt(option.name));
    connect(editor, &OptionEditor::edited, this,
            [this, name = option.name](const OptionValue& value, const QString& gesture) {
              editParameter(name, value, gesture);
            });
    connect(editor, &OptionEditor::heldChanged, &model_, &SessionModel::setHeld);
    connect(editor, &OptionEditor::stepTaken, &model_, &SessionModel::holdBriefly);
    connect(editor, &OptionEditor::corrected, this, &RecipeEditor::corrected);
    column->addWidget(editor);
    editors_.push_back(editor);
  }
  if (!family.noiseOption.empty()) {
    const QString label = toQt(findOption(family.options, family.noiseOption)->label);
    auto* take = new QPushButton(tr("%1 from the data").arg(label), options_);
    take->setObjectName(QStringLiteral("noise"));
    take->setToolTip(family.noiseFactor == 1
                         ? tr("Estimates the noise from differences of neighbors and fills it in.")
                         : tr("Estimates the noise from differences of neighbors and fills in %1 times as much.")
                               .arg(family.noiseFactor));
    take->setEnabled(model_.hasData());
    connect(take, &QPushButton::clicked, this, &RecipeEditor::takeNoise);
    column->addWidget(take);
  }
  if (family.name == "custom") {
    taps_ = new TapsEditor(options_);
    connect(taps_, &TapsEditor::edited, this, [this](const DenseTaps& taps) {
      FilterRecipe changed = *recipe();
      changed.taps = taps;
      model_.editRecipe(static_cast<std::size_t>(index_), std::move(changed), tr("Change taps"));
    });
    connect(taps_, &TapsEditor::corrected, this,
            [this](const QString& reason) { Q_EMIT corrected(reason, QStringLiteral("taps")); });
    connect(taps_, &TapsEditor::failed, this, &RecipeEditor::failed);
    column->addWidget(taps_);
  }
  rows_->insertWidget(1, options_);
  chainFocus({options_, flip_});
  refresh();
  Q_EMIT rebuilt();
}

void RecipeEditor::refresh() {
  const FilterRecipe* now = recipe();
  if (!now) return;
  const FilterFamily& family = filterFamily(now->family);
  const OptionValues complete = completeOptions(family.options, now->parameters);
  for (OptionEditor* editor : editors_) editor->setValue(complete.at(editor->option().name));
  if (taps_) taps_->setTaps(now->taps);
  flip_->setChecked(now->flip);
  showKernel();
}

void RecipeEditor::showKernel() {
  try {
    const Operator made = makeOperator(*recipe(), gridOf(model_));
    flip_->setVisible(made.stencil() != nullptr);
    kernel_->setOperator(made);
    summary_->setText(summaryOf(made));
  } catch (const Error& error) {
    kernel_->clear();
    summary_->setText(toQt(error.what()));
  }
}

// A million places at most are looked at, in some hundredths of a second.
void RecipeEditor::takeNoise() {
  const FilterFamily& family = filterFamily(recipe()->family);
  const double noise = estimatedNoise(model_.data().volume->view(), {});
  constexpr int kDigits = 3;
  if (noise > 0) {
    const QString digits = QString::number(family.noiseFactor * noise, 'g', kDigits);
    editParameter(family.noiseOption, digits.toDouble(), {});
  } else {
    Q_EMIT corrected(tr("No noise was found in the data"), toQt(family.noiseOption));
  }
}

void RecipeEditor::editParameter(const std::string& name, const OptionValue& value, const QString& gesture) {
  FilterRecipe changed = *recipe();
  const FilterFamily& family = filterFamily(changed.family);
  const Option* option = findOption(family.options, name);
  // Recipes keep what differs from the default.
  if (value == option->fallback) {
    changed.parameters.erase(name);
  } else {
    changed.parameters[name] = value;
  }
  model_.editRecipe(static_cast<std::size_t>(index_), std::move(changed),
                    tr("Change %1 of %2").arg(toQt(option->label), toQt(recipe()->name)), gesture);
}

}  // namespace sscope
