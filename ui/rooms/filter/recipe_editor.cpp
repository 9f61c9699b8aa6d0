#include "ui/rooms/filter/recipe_editor.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/filter/families/data_shares.h"
#include "core/filter/families/family_rows.h"
#include "core/filter/noise_estimate.h"
#include "core/volume/geometry.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/kernel_view.h"
#include "ui/controls/option_editor.h"
#include "ui/rooms/filter/arrow_gutter.h"
#include "ui/rooms/filter/formula_editor.h"
#include "ui/rooms/filter/input_rows.h"
#include "ui/rooms/filter/taps_editor.h"

namespace sscope {

namespace {

FilterGrid gridOf(const SessionModel& model) {
  if (!model.hasData()) return {};
  const Volume& volume = *model.data().volume;
  return filterGrid(volume.shape().dimensions(), volume.geometry());
}

// The options of a recipe with the constants of its formula; the family's options only if the formula is invalid.
std::vector<Option> allOptions(const FilterRecipe& recipe) {
  const FilterFamily& family = filterFamily(recipe.family);
  try {
    return optionsOf(family, recipe.parameters);
  } catch (const Error&) {
    return family.options;
  }
}

// Only options that apply to the open data: the z axis needs a volume. The text of a formula has its own editor.
std::vector<Option> offered(const FilterRecipe& recipe, int dimensions) {
  std::vector<Option> options = allOptions(recipe);
  std::erase_if(options, [&](const Option& option) {
    return (dimensions != 3 && option.name == "order_z") ||
           (recipe.family == kFormulaFamily && option.name == kFormulaText);
  });
  return options;
}

// Whether both options can share an editor.
bool sameEditor(const Option& a, const Option& b) {
  return a.name == b.name && a.type == b.type && a.fallback == b.fallback && a.minimum == b.minimum &&
         a.maximum == b.maximum;
}

}  // namespace

template <class Change>
void RecipeEditor::change(const QString& text, const Change& change, const QString& gesture) {
  if (!recipe()) return;
  FilterRecipe changed = *recipe();
  change(changed);
  model_.editRecipe(static_cast<std::size_t>(index_), std::move(changed), text, gesture);
}

RecipeEditor::RecipeEditor(SessionModel& model, const FileTools& files, QWidget* parent)
    : QWidget(parent), model_(model), files_(files) {
  rows_ = bareLayout<QVBoxLayout>(this, em(this, 0.3));
  help_ = quietLabel({}, this);
  help_->setWordWrap(true);
  inputs_ = new InputRows(this);
  formula_ = new FormulaEditor(this);
  flip_ = named(new QCheckBox(tr("Mirror the taps (true convolution)"), this), "flip");
  kernel_ = new KernelView(this);
  kernel_->setAccessibleName(tr("Picture of the taps"));
  summary_ = quietLabel({}, this);
  summary_->setWordWrap(true);
  rows_->addWidget(help_);
  rows_->addWidget(inputs_);
  rows_->addWidget(formula_);
  rows_->addWidget(flip_);
  rows_->addWidget(kernel_);
  rows_->addWidget(summary_);
  connect(flip_, &QCheckBox::clicked, this,
          [this](bool on) { change(tr("Mirror the taps"), [on](FilterRecipe& changed) { changed.flip = on; }); });
  connect(inputs_, &InputRows::inputChosen, this,
          [this](std::size_t which, const QString& name) { chooseInput(which, fromQt(name)); });
  connect(inputs_, &InputRows::intermediateChosen, this, [this](bool on) {
    if (!recipe()) return;
    change((on ? tr("Keep %1 for other rows only") : tr("Keep %1 as a result")).arg(toQt(recipe()->name)),
           [on](FilterRecipe& changed) { changed.intermediate = on; });
  });
  connect(formula_, &FormulaEditor::edited, this,
          [this](const QString& text, const QString& gesture) { editFormula(fromQt(text), gesture); });
  connect(&model_, &SessionModel::recipeChanged, this, [this](std::size_t index) {
    if (static_cast<int>(index) == index_) refresh();
  });
  connect(&model_, &SessionModel::dataChanged, this, &RecipeEditor::rebuild);
  setIndex(-1);
}

void RecipeEditor::setIndex(int index) {
  const bool other = index != index_ || (recipe() && recipe()->name != shownName_);
  index_ = index;
  if (other) formula_->forget();
  if (other && taps_) taps_->forget();
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

// The step of the finest axis, which bounds sensible lengths.
LengthUnits RecipeEditor::lengthUnits() const {
  const FilterGrid grid = gridOf(model_);
  double finest = grid.spacing[0];
  for (int a = 1; a < grid.dimensions; ++a) finest = std::min(finest, grid.spacing[static_cast<std::size_t>(a)]);
  const std::string unit = model_.hasData() ? lengthUnit(model_.data().volume->geometry().unit) : std::string();
  return {finest, !model_.hasData() || grid.withoutLength().empty(), grid.dimensions == 2,
          millimetersIn(unit) ? unit : "mm"};
}

void RecipeEditor::rebuild() {
  builtFamily_.clear();
  dropOptions();
  setVisible(recipe() != nullptr);
  if (!recipe()) return;
  builtFamily_ = recipe()->family;
  help_->setText(toQt(filterFamily(builtFamily_).help));
  formula_->setVisible(builtFamily_ == kFormulaFamily);
  built_ = offered(*recipe(), gridOf(model_).dimensions);
  buildOptions();
  refresh();
}

void RecipeEditor::dropOptions() {
  if (options_) {
    options_->hide();
    options_->deleteLater();
  }
  options_ = nullptr;
  editors_.clear();
  taps_ = nullptr;
}

void RecipeEditor::buildOptions() {
  dropOptions();
  options_ = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(options_, em(this, 0.2));
  for (const Option& option : built_) {
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
  if (const FilterFamily& family = filterFamily(builtFamily_); !family.shares.empty()) {
    const QString label = toQt(findOption(family.options, family.shares.front().option)->label);
    auto* take = named(new QPushButton(tr("%1 from the data").arg(label), options_), "noise");
    take->setToolTip(tr("Sets values that suit the noise, or the range, of the data."));
    take->setEnabled(model_.hasData() && !model_.data().large);
    if (const QString refusal = largeRefusal(model_.data(), tr("the noise estimate needs all of them"));
        !refusal.isEmpty())
      take->setToolTip(refusal);
    connect(take, &QPushButton::clicked, this, &RecipeEditor::takeFromData);
    column->addWidget(take);
  }
  if (builtFamily_ == "custom") buildTaps(options_);
  rows_->insertWidget(rows_->indexOf(flip_), options_);
}

void RecipeEditor::buildTaps(QWidget* parent) {
  taps_ = new TapsEditor(files_, parent);
  connect(taps_, &TapsEditor::edited, this, [this](const DenseTaps& taps, const QString& step) {
    change(step, [&taps](FilterRecipe& changed) { changed.taps = taps; });
  });
  connect(taps_, &TapsEditor::corrected, this,
          [this](const QString& reason) { Q_EMIT corrected(reason, QStringLiteral("taps")); });
  connect(taps_, &TapsEditor::failed, this, &RecipeEditor::failed);
  parent->layout()->addWidget(taps_);
}

void RecipeEditor::refresh() {
  const FilterRecipe* now = recipe();
  if (!now) return;
  shownName_ = now->name;
  std::vector<Option> options = offered(*now, gridOf(model_).dimensions);
  if (!std::ranges::equal(options, built_, sameEditor)) {
    built_ = std::move(options);
    buildOptions();
  }
  for (OptionEditor* editor : editors_) {
    const auto given = now->parameters.find(editor->option().name);
    editor->setValue(given != now->parameters.end() ? given->second : editor->option().fallback);
  }
  if (taps_) taps_->setTaps(now->taps);
  inputs_->showRow(model_.bank(), index_);
  if (const std::string* text = formulaOf(*now)) {
    QStringList names;
    for (const std::string& name : InputRows::readable(model_.bank(), index_)) names << toQt(name);
    formula_->setNames(names);
    formula_->setFormula(*text);
  }
  flip_->setChecked(now->flip);
  showKernel();
}

// A text describes rows without taps, and rows that cannot be made.
void RecipeEditor::showKernel() {
  bool drawn = false, mirrors = false;
  try {
    const ProgramPart part = makePart(*recipe(), gridOf(model_));
    const Operator* op = part.nodes.size() == 1 ? &part.nodes.front().op : nullptr;
    drawn = op != nullptr && op->formula() == nullptr;
    mirrors = drawn && op->stencil() != nullptr;
    if (drawn) kernel_->setOperator(*op);
    summary_->setText(partWords(part));
  } catch (const Error& error) {
    summary_->setText(toQt(error.what()));
  }
  if (!drawn) kernel_->clear();
  kernel_->setVisible(drawn);
  flip_->setVisible(mirrors || recipe()->flip);
}

void RecipeEditor::chooseInput(std::size_t which, const std::string& name) {
  if (!recipe()) return;
  change(tr("Change the input of %1").arg(toQt(recipe()->name)), [&](FilterRecipe& changed) {
    changed.inputs.resize(filterFamily(changed.family).inputs.size(), kSourceName);
    changed.inputs.at(which) = name;
    // Recipes store only differences from the default.
    if (std::ranges::all_of(changed.inputs, [](const std::string& each) { return each == kSourceName; }))
      changed.inputs.clear();
  });
}

void RecipeEditor::editFormula(const std::string& text, const QString& gesture) {
  if (!recipe() || formulaOf(*recipe()) == nullptr) return;
  FilterRecipe changed = *recipe();
  if (gesture != formulaGesture_) constantsBefore_ = changed.parameters;
  formulaGesture_ = gesture;
  // Keeps constants that are missing for a moment while the text is typed.
  for (const auto& [name, value] : constantsBefore_) changed.parameters.try_emplace(name, value);
  model_.editRecipe(static_cast<std::size_t>(index_), withFormula(std::move(changed), text),
                    tr("Change the formula of %1").arg(toQt(recipe()->name)), gesture);
}

// Samples at most a million voxels, in some hundredths of a second.
void RecipeEditor::takeFromData() {
  const FilterFamily& family = filterFamily(recipe()->family);
  FilterRecipe changed = *recipe();
  for (const DataShare& share : family.shares) changed.parameters.erase(share.option);
  if (sscope::takeFromData(changed, estimatedScale(model_.data().volume->view(), {})).empty()) {
    Q_EMIT corrected(tr("The data are constant and suggest nothing"), toQt(family.shares.front().option));
    return;
  }
  model_.editRecipe(static_cast<std::size_t>(index_), std::move(changed),
                    tr("Take options of %1 from the data").arg(toQt(recipe()->name)));
}

void RecipeEditor::editParameter(const std::string& name, const OptionValue& value, const QString& gesture) {
  if (!recipe()) return;
  const std::vector<Option> options = allOptions(*recipe());
  const Option* option = findOption(options, name);
  if (option == nullptr) return;
  const QString text = tr("Change %1 of %2").arg(toQt(option->label), toQt(recipe()->name));
  const auto set = [&](FilterRecipe& changed) {
    // Recipes store only differences from the default.
    if (value == option->fallback)
      changed.parameters.erase(name);
    else
      changed.parameters[name] = value;
  };
  change(text, set, gesture);
}

}  // namespace sscope

#include "moc_recipe_editor.cpp"
