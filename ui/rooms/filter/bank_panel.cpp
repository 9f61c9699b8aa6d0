#include "ui/rooms/filter/bank_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "core/filter/families/degenerate.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/controls/number_box.h"
#include "ui/rooms/filter/filter_list.h"
#include "ui/rooms/filter/recipe_editor.h"

namespace sscope {

namespace {

// The stretch of the list, against 1 of the empty end: the list grows as long as it has rows.
constexpr int kListsShare = 1000;

QString boundaryHelp(Boundary boundary) {
  switch (boundary) {
    case Boundary::constant: return BankPanel::tr("V V | a b c d | V V");
    case Boundary::nearest: return BankPanel::tr("a a | a b c d | d d");
    case Boundary::mirror: return BankPanel::tr("c b | a b c d | c b");
    case Boundary::reflect: return BankPanel::tr("b a | a b c d | d c");
    case Boundary::wrap: return BankPanel::tr("c d | a b c d | a b");
  }
  return {};
}

}  // namespace

BankPanel::BankPanel(SessionModel& model, const FileTools& files, QWidget* parent) : QWidget(parent), model_(model) {
  list_ = new FilterList(model, this);
  recipe_ = new RecipeEditor(model, files, this);
  notice_ = new Notice(tr("Message about the filter bank"), this);
  auto* column = new QVBoxLayout(this);
  const int gap = em(this, 0.45);
  column->setContentsMargins(gap, 0, gap, gap);
  column->setSpacing(gap);
  remarks_ = named(new QLabel(this), "bankRemarks", tr("Notes on the filters"));
  remarks_->setWordWrap(true);
  remarks_->setTextFormat(Qt::PlainText);
  remarks_->hide();
  column->addWidget(list_, kListsShare);
  column->addWidget(remarks_);
  column->addWidget(recipe_);
  QWidget* bankOptions = buildBankOptions();
  column->addWidget(bankOptions);
  column->addStretch(1);
  connect(list_, &FilterList::selectionChanged, this, &BankPanel::followSelection);
  connect(list_, &FilterList::corrected, this,
          [this](const QString& reason) { notice_->correct(reason, QStringLiteral("names")); });
  connect(recipe_, &RecipeEditor::corrected, notice_, &Notice::correct);
  connect(recipe_, &RecipeEditor::failed, this, &BankPanel::showError);
  connect(&model_, &SessionModel::bankChanged, this, &BankPanel::refreshBankOptions);
  connect(&model_, &SessionModel::shownFilterChanged, this, &BankPanel::followShownFilter);
  connect(&model_, &SessionModel::bankChanged, this, &BankPanel::showRemarks);
  connect(&model_, &SessionModel::dataChanged, this, &BankPanel::showRemarks);
  recipe_->setIndex(list_->selected());
  refreshBankOptions();
}

QWidget* BankPanel::buildBankOptions() {
  auto* box = new QWidget(this);
  auto* form = bareLayout<QFormLayout>(box, em(this, 0.3));
  boundary_ = named(new QComboBox(box), "boundary", tr("Values outside the data"));
  for (const Boundary boundary : kBoundaries) {
    boundary_->addItem(toQt(toString(boundary)));
    boundary_->setItemData(boundary_->count() - 1, boundaryHelp(boundary), Qt::ToolTipRole);
  }
  constant_ = named(new NumberBox(tr("Value outside"), box), "constant");
  auto* row = new QHBoxLayout;
  row->addWidget(boundary_, 1);
  row->addWidget(constant_);
  output_ = named(new QComboBox(box), "output", tr("Element type of the result"));
  output_->addItem(tr("automatic"), QStringLiteral("auto"));
  for (const ElementType type : {ElementType::f32, ElementType::f64}) output_->addItem(toQt(toString(type)));
  output_->addItem(tr("same as the data"), QStringLiteral("same"));
  for (const ElementType type : kElementTypes)
    if (isInteger(type)) output_->addItem(toQt(toString(type)));
  output_->setToolTip(tr("Integers are rounded to nearest and saturate; the status line counts these values."));
  form->addRow(tr("Boundary"), row);
  form->addRow(tr("Output"), output_);
  connect(boundary_, &QComboBox::activated, this, [this](int index) {
    model_.changeBank([&](FilterBank& bank) { bank.boundary = kBoundaries[static_cast<std::size_t>(index)]; },
                      tr("Change the boundary"));
  });
  connect(constant_, &NumberBox::valueEdited, this, [this](double value) {
    model_.changeBank([&](FilterBank& bank) { bank.constant = value; }, tr("Change the value outside"));
  });
  connect(constant_, &NumberBox::corrected, notice_, &Notice::correct);
  connect(output_, &QComboBox::activated, this, [this](int index) {
    const QString spelled = output_->itemData(index).toString();
    const auto type = parseOutputType(fromQt(spelled.isEmpty() ? output_->itemText(index) : spelled));
    if (!type) return;
    model_.changeBank([&](FilterBank& bank) { bank.output = *type; }, tr("Change the output type"));
  });
  return box;
}

void BankPanel::refreshBankOptions() {
  const FilterBank& bank = model_.bank();
  boundary_->setCurrentText(toQt(toString(bank.boundary)));
  boundary_->setToolTip(boundaryHelp(bank.boundary));
  constant_->setVisible(bank.boundary == Boundary::constant);
  constant_->setValue(bank.constant);
  const QString output = toQt(toString(bank.output));
  const int same = output_->findData(output);
  output_->setCurrentIndex(same >= 0 ? same : output_->findText(output));
}

// The views show the filter that is edited.
void BankPanel::followSelection(int row) {
  if (row != recipe_->index()) notice_->clearCorrections();  // of another filter
  recipe_->setIndex(row);
  const auto& filters = model_.bank().filters;
  if (row < 0 || row >= static_cast<int>(filters.size()) || !filters[static_cast<std::size_t>(row)].enabled) return;
  model_.changeView([&](ViewState& view) { view.shownFilter = filters[static_cast<std::size_t>(row)].name; });
}

void BankPanel::followShownFilter() {
  const auto& filters = model_.bank().filters;
  for (std::size_t i = 0; i < filters.size(); ++i)
    if (filters[i].name == model_.view().shownFilter && list_->selected() != static_cast<int>(i))
      list_->select(static_cast<int>(i));
}

void BankPanel::showError(const QString& message) { notice_->showMessage(Notice::Kind::Error, message); }

void BankPanel::showLeftOut(const std::vector<LeftOut>& leftOut) {
  leftOut_ = leftOut;
  showRemarks();
}

void BankPanel::showLastSteps(const LiveWhole& whole) {
  steps_.clear();
  const std::vector<StepNorms>& norms = whole.result->lastSteps;
  for (std::size_t i = 0; i < norms.size(); ++i)
    if (const auto change = norms[i].relative()) steps_[whole.result->names.at(i)] = *change;
  showRemarks();
}

void BankPanel::showRemarks() {
  std::map<std::string, FilterList::Remark> remarks;
  QStringList lines;
  for (const LeftOut& each : leftOut_) {
    const QString text = tr("%1 is left out: %2").arg(toQt(each.name), toQt(each.reason));
    remarks[each.name] = {text, true};
    lines << text;
  }
  if (model_.hasData())
    for (const Degenerate& each : degenerateFilters(model_.bank(), *model_.data().volume)) {
      remarks[each.name] = {toQt(each.reason), false};
      lines << toQt(each.reason);
    }
  for (const FilterRecipe* recipe : model_.bank().enabled())
    if (const auto step = steps_.find(recipe->name); step != steps_.end()) {
      const QString text = tr("%1: its last step changed it by %2 of its norm in the last run")
                               .arg(toQt(recipe->name), numberText(step->second, 2));
      remarks.try_emplace(recipe->name, FilterList::Remark{text, false});
      lines << text;
    }
  list_->setRemarks(std::move(remarks));
  remarks_->setText(lines.join(QLatin1Char('\n')));
  remarks_->setVisible(!lines.isEmpty());
}

}  // namespace sscope

#include "moc_bank_panel.cpp"
