#include "ui/rooms/filter/input_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QStringList>
#include <algorithm>

#include "core/filter/families/family.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/arrow_gutter.h"

namespace sscope {

namespace {

QString ofTaps(const Stencil& filter) {
  QStringList parts;
  if (filter.separable())
    parts << (filter.terms.size() == 1 ? Words::tr("separable")
                                       : Words::tr("sum of %1 separable terms").arg(filter.terms.size()));
  if (filter.lostTailMass > 0)
    parts << Words::tr("%1 % of the weight is cut off at the ends").arg(numberText(100 * filter.lostTailMass, 2));
  return parts.join(QStringLiteral(" · "));
}

QString ofRank(const RankWindow& window) {
  const auto count = static_cast<int>(window.count());
  QString which = Words::tr("value %1 of %2, counted from the smallest").arg(window.rank + 1).arg(window.count());
  if (window.median()) which = Words::tr("the median of %n value(s)", nullptr, count);
  if (window.maximum()) which = Words::tr("the largest of %n value(s)", nullptr, count);
  if (window.minimum()) which = Words::tr("the smallest of %n value(s)", nullptr, count);
  return which + QStringLiteral(" · ") + Words::tr("not linear: exact in any order of computation");
}

QString ofFormula(const Formula& formula) {
  QStringList names;
  for (const std::string& name : formula.inputs()) names << toQt(name);
  const QString reads = names.isEmpty() ? Words::tr("formula: reads no data")
                                        : Words::tr("formula: reads %1").arg(names.join(QStringLiteral(", ")));
  std::int64_t farthest = 0;
  for (std::size_t i = 0; i < formula.inputs().size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      farthest = std::max({farthest, -formula.reach(i).low[a], formula.reach(i).high[a]});
  if (formula.pointwise()) return Words::tr("%1; pointwise").arg(reads);
  return farthest == 0 ? Words::tr("%1; and positions").arg(reads)
                       : Words::tr("%1; neighbors up to %2 voxels away").arg(reads).arg(farthest);
}

QString ofStages(const std::vector<ProgramNode>& nodes) {
  const auto count = [&](auto is) {
    return std::ranges::count_if(nodes, [&](const ProgramNode& n) { return is(n.op); });
  };
  const auto linear = count([](const Operator& op) { return op.stencil() != nullptr; });
  const auto ranks = count([](const Operator& op) { return op.window() != nullptr; });
  const auto means = count([](const Operator& op) { return op.range() != nullptr; });
  const auto entropies = count([](const Operator& op) { return op.entropy() != nullptr; });
  const auto formulas = count([](const Operator& op) { return op.formula() != nullptr; });
  QStringList kinds;
  if (linear > 0) kinds << Words::tr("%1 linear").arg(linear);
  if (ranks > 0) kinds << Words::tr("%1 of ranks").arg(ranks);
  if (means > 0) kinds << Words::tr("%1 weighted by similarity").arg(means);
  if (entropies > 0) kinds << Words::tr("%1 of entropy").arg(entropies);
  if (formulas > 0) kinds << Words::tr("%1 by formula").arg(formulas);
  return Words::tr("%1 stages: %2").arg(nodes.size()).arg(kinds.join(QStringLiteral(", ")));
}

}  // namespace

QString partWords(const ProgramPart& part) {
  if (part.nodes.size() != 1) return ofStages(part.nodes);
  const Operator& op = part.nodes.front().op;
  if (op.formula() != nullptr) return ofFormula(*op.formula());
  if (op.stencil() != nullptr) return ofTaps(*op.stencil());
  if (op.window() != nullptr) return ofRank(*op.window());
  if (op.entropy() != nullptr)
    return Words::tr("the entropy of %n value(s)", nullptr, static_cast<int>(op.entropy()->count())) +
           QStringLiteral(" · ") + Words::tr("not linear: counts values in bins");
  return Words::tr("not linear: the weights also decrease with the difference of values");
}

namespace {

// Purposes of inputs come from the families: "input", "guide".
QString labelOf(const std::string& purpose) {
  if (purpose == "input") return InputRows::tr("Input");
  QString label = toQt(purpose);
  if (!label.isEmpty()) label[0] = label.at(0).toUpper();
  return label;
}

}  // namespace

InputRows::InputRows(QWidget* parent) : QWidget(parent) {
  form_ = bareLayout<QFormLayout>(this, em(this, 0.3));
  intermediate_ = named(new QCheckBox(tr("Intermediate (not exported)"), this), "intermediate");
  intermediate_->setToolTip(tr("Other rows can read it and the views show it, but it is not exported"));
  form_->addRow(intermediate_);
  connect(intermediate_, &QCheckBox::clicked, this, &InputRows::intermediateChosen);
}

std::vector<std::string> InputRows::readable(const FilterBank& bank, int row) {
  std::vector<std::string> names{kSourceName};
  for (int above = 0; above < row && above < static_cast<int>(bank.filters.size()); ++above)
    names.push_back(bank.filters[static_cast<std::size_t>(above)].name);
  return names;
}

void InputRows::build(const std::vector<std::string>& purposes) {
  if (purposes == purposes_) return;
  purposes_ = purposes;
  for (QComboBox* list : lists_) form_->removeRow(list);
  lists_.clear();
  for (std::size_t which = 0; which < purposes.size(); ++which) {
    auto* list = new QComboBox(this);
    list->setObjectName(QStringLiteral("input-%1").arg(which));
    list->setAccessibleName(labelOf(purposes[which]));
    list->setToolTip(tr("The input of this row: the data, or the result of a row above"));
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(6);
    focusByTabOnly(list);
    connect(list, &QComboBox::activated, this,
            [this, which, list](int index) { Q_EMIT inputChosen(which, list->itemData(index).toString()); });
    form_->insertRow(static_cast<int>(which), labelOf(purposes[which]), list);
    lists_.push_back(list);
  }
}

void InputRows::fill(QComboBox& list, const FilterBank& bank, int row, const std::string& chosen) const {
  list.clear();
  for (const std::string& name : readable(bank, row)) {
    const QString shown = toQt(name);
    const auto found = std::ranges::find(bank.filters, name, &FilterRecipe::name);
    const bool off = name != kSourceName && found != bank.filters.end() && !found->enabled;
    list.addItem(off ? tr("%1 (off)").arg(shown) : shown, shown);
  }
  if (list.findData(toQt(chosen)) < 0) list.addItem(tr("%1 (not above)").arg(toQt(chosen)), toQt(chosen));
  list.setCurrentIndex(list.findData(toQt(chosen)));
}

void InputRows::showRow(const FilterBank& bank, int row) {
  const FilterRecipe& recipe = bank.filters.at(static_cast<std::size_t>(row));
  build(filterFamily(recipe.family).inputs);
  const std::vector<std::string> names = namesRead(recipe);
  for (std::size_t which = 0; which < lists_.size(); ++which)
    fill(*lists_[which], bank, row, which < names.size() ? names[which] : kSourceName);
  intermediate_->setChecked(recipe.intermediate);
  setVisible(bank.filters.size() > 1 || recipe.intermediate || !recipe.inputs.empty());
}

}  // namespace sscope

#include "moc_input_rows.cpp"
