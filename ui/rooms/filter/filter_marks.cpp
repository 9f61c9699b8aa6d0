// What the list of filters tells about its rows: remarks, what they read, who reads them.

#include <QListWidget>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/rooms/filter/arrow_gutter.h"
#include "ui/rooms/filter/bank_arrows.h"
#include "ui/rooms/filter/filter_list.h"

namespace sscope {

void FilterList::setRemarks(std::map<std::string, Remark> remarks) {
  remarks_ = std::move(remarks);
  const QSignalBlocker quiet(list_);  // nobody edits
  for (int row = 0; row < list_->count(); ++row) showRemark(*list_->item(row));
  list_->viewport()->update();
}

void FilterList::showRemark(QListWidgetItem& item) const {
  const auto found = remarks_.find(fromQt(item.data(kNameRole).toString()));
  const bool any = found != remarks_.end(), intermediate = item.data(kIntermediateRole).toBool();
  QStringList told;
  if (any) told << found->second.text;
  if (intermediate) told << tr("Intermediate: for other rows to read, not exported");
  told << item.data(kReadsRole).toStringList();
  item.setData(Qt::AccessibleDescriptionRole, told.join(QLatin1Char('\n')));
  told << item.data(kHelpRole).toString();
  item.setToolTip(told.join(QLatin1Char('\n')));
  item.setIcon(any ? icon("info") : QIcon());
  QFont font = list_->font();
  font.setItalic(intermediate);
  item.setFont(font);
  const bool quiet = intermediate || (any && found->second.leftOut);
  item.setData(Qt::ForegroundRole, quiet ? QVariant(quietColor(list_)) : QVariant());
}

void FilterList::showArrows() {
  const FilterBank& bank = model_.bank();
  if (list_->count() != static_cast<int>(bank.filters.size())) return;  // it is about to be made anew
  const std::vector<BankArrow> arrows = bankArrows(bank);
  const bool any = std::ranges::any_of(arrows, [](const BankArrow& arrow) { return arrow.from >= 0; });
  std::vector<bool> on;
  const QSignalBlocker quiet(list_);  // nobody edits
  for (int row = 0; row < list_->count(); ++row) {
    const FilterRecipe& recipe = bank.filters[static_cast<std::size_t>(row)];
    on.push_back(recipe.enabled);
    QStringList reads, readers, told;
    for (const std::string& name : namesRead(recipe)) reads << toQt(name);
    for (const BankArrow& arrow : arrows)
      if (arrow.from == row) readers << toQt(bank.filters[static_cast<std::size_t>(arrow.to)].name);
    if (any && !reads.isEmpty()) told << tr("Reads %1").arg(reads.join(QStringLiteral(", ")));
    if (!readers.isEmpty()) told << tr("Read by %1").arg(readers.join(QStringLiteral(", ")));
    QListWidgetItem& item = *list_->item(row);
    item.setData(kReadsRole, told);
    item.setData(kIntermediateRole, recipe.intermediate);
    showRemark(item);
  }
  arrows_->setArrows(arrows, std::move(on));
}

}  // namespace sscope
