#include "ui/rooms/filter/input_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <algorithm>

#include "core/filter/families/family.h"
#include "ui/base/keyboard.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/bank_arrows.h"

namespace sscope {

namespace {

// Purposes are words of the families: "input", "guide".
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
  intermediate_->setToolTip(tr("Computed for other rows to read, and shown, but not exported"));
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
    list->setToolTip(tr("What this row reads: the data, or the result of a row above"));
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
