#include "ui/rooms/filter/filter_list.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QShortcut>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/words.h"
#include "core/filter/families/data_shares.h"
#include "core/filter/families/program.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/command_line.h"
#include "core/filter/noise_estimate.h"
#include "core/volume/selection.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/rooms/filter/arrow_gutter.h"

namespace sscope {

namespace {

void addEntries(QMenu& menu, bool replace, const std::function<void(const std::string&, bool)>& use) {
  menu.setToolTipsVisible(true);
  for (const BankTemplate& each : bankTemplates()) {
    QAction* action = menu.addAction(toQt(each.label));
    // Only rich text wraps.
    action->setToolTip(QStringLiteral("<p>%1</p>").arg(toQt(each.help).toHtmlEscaped()));
    action->setObjectName(QStringLiteral("template-%1-%2")
                              .arg(replace ? QStringLiteral("replace") : QStringLiteral("add"), toQt(each.name)));
    QObject::connect(action, &QAction::triggered, &menu, [use, replace, name = each.name] { use(name, replace); });
  }
}

}  // namespace

void fillTemplateMenu(QMenu& menu, const std::function<void(const std::string& name, bool replace)>& use) {
  menu.addSection(Words::tr("Replace the bank"));
  addEntries(menu, true, use);
  menu.addSeparator();
  addEntries(*menu.addMenu(Words::tr("&Add to the bank")), false, use);
}

UsedTemplate usedTemplate(const SessionModel& model, const BankTemplate& chosen, bool replace) {
  FilterGrid grid;
  DataScale scale;
  if (model.hasData()) {
    const Volume& volume = *model.data().volume;
    grid = filterGrid(volume.shape().dimensions(), volume.geometry());
    // Samples at most a million voxels, in some hundredths of a second.
    if (!chosen.shares.empty()) scale = estimatedScale(volume.view(), {});
  }
  FilterBank rows = bankFor(chosen, grid, scale);
  const auto shown = std::ranges::find(rows.filters, chosen.shown, &FilterRecipe::name) - rows.filters.begin();
  UsedTemplate used;
  if (replace) {
    used.bank = std::move(rows);
    used.bank.boundary = model.bank().boundary;
    used.bank.constant = model.bank().constant;
    used.shown = static_cast<int>(shown);
  } else {
    used.shown = static_cast<int>(model.bank().filters.size()) + static_cast<int>(shown);
    used.bank = appended(model.bank(), std::move(rows));
  }
  return used;
}

namespace {

// A new custom filter starts as the identity on a small grid.
DenseTaps startingTaps() {
  DenseTaps taps;
  taps.size = {3, 3, 1};
  taps.anchor = {1, 1, 0};
  taps.weights.assign(9, 0.0);
  taps.weights[4] = 1.0;
  return taps;
}

}  // namespace

FilterList::FilterList(SessionModel& model, QWidget* parent) : QWidget(parent), model_(model) {
  list_ = named(new RowsList(this), "filters", tr("Filters of the bank"));
  list_->setDragDropMode(QAbstractItemView::InternalMove);
  list_->setDefaultDropAction(Qt::MoveAction);
  list_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  add_ = button("add", tr("Add a filter"));
  add_->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(this);
  for (const FilterFamily& family : filterFamilies()) {
    QAction* action = menu->addAction(toQt(family.label));
    action->setToolTip(toQt(family.help));
    connect(action, &QAction::triggered, this, [this, name = family.name] { addFilter(name); });
  }
  menu->setToolTipsVisible(true);
  add_->setMenu(menu);
  templates_ = button("templates", tr("Start with a template"));
  templates_->setPopupMode(QToolButton::InstantPopup);
  templates_->setMenu(new QMenu(this));
  fillTemplateMenu(*templates_->menu(), [this](const std::string& name, bool replace) { useTemplate(name, replace); });
  duplicate_ = button("duplicate", tr("Duplicate the selected filter"));
  remove_ = button("remove", tr("Remove the selected filter"));
  up_ = button("up", tr("Move the selected filter up"));
  down_ = button("down", tr("Move the selected filter down"));
  connect(duplicate_, &QToolButton::clicked, this, &FilterList::duplicateSelected);
  connect(remove_, &QToolButton::clicked, this, &FilterList::removeSelected);
  connect(up_, &QToolButton::clicked, this, [this] { moveSelected(-1); });
  connect(down_, &QToolButton::clicked, this, [this] { moveSelected(1); });

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(0);
  for (QToolButton* each : {add_, templates_, duplicate_, remove_, up_, down_}) buttons->addWidget(each);
  buttons->addStretch(1);
  auto* column = bareLayout<QVBoxLayout>(this, em(this, 0.15));
  column->addLayout(buttons);  // above the list, so that they do not move when it grows
  arrows_ = new ArrowGutter(*list_, this);
  rows_ = new QHBoxLayout;
  rows_->setSpacing(0);
  rows_->addWidget(arrows_);
  rows_->addWidget(list_);
  column->addLayout(rows_);

  connect(list_, &QListWidget::itemChanged, this, &FilterList::itemEdited);
  connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
    updateButtons();
    if (!rebuilding_) Q_EMIT selectionChanged(row);
  });
  connect(new QShortcut(QKeySequence(Qt::Key_Delete), list_, nullptr, nullptr, Qt::WidgetShortcut),
          &QShortcut::activated, this, &FilterList::removeSelected);
  list_->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(list_, &QWidget::customContextMenuRequested, this, &FilterList::showMenu);
  // Queued: the list emits this before its drop has ended.
  connect(list_->model(), &QAbstractItemModel::rowsMoved, this, &FilterList::takeOrderFromList, Qt::QueuedConnection);
  connect(&model_, &SessionModel::filtersChanged, this, &FilterList::rebuild);
  connect(&model_, &SessionModel::recipeChanged, this, &FilterList::showArrows);
  rebuild();
}

QToolButton* FilterList::button(const char* iconName, const QString& tip) {
  auto* made = toolButton(this, {.icon = iconName, .tip = tip, .flat = true});
  made->setObjectName(QStringLiteral("filter-") + QLatin1String(iconName));
  return made;
}

void FilterList::showMenu(const QPoint& at) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setObjectName(QStringLiteral("filterMenu"));
  QMenu* add = menu->addMenu(icon("add"), tr("&Add filter"));
  add->addActions(add_->menu()->actions());
  QMenu* templates = menu->addMenu(icon("templates"), tr("&Templates"));
  fillTemplateMenu(*templates, [this](const std::string& name, bool replace) { useTemplate(name, replace); });
  menu->addAction(tr("&Copy as command line"), this, &FilterList::copyCommand)->setEnabled(list_->count() > 0);
  if (QListWidgetItem* item = list_->currentItem()) {
    menu->addSeparator();
    const bool on = item->checkState() == Qt::Checked;
    menu->addAction(on ? tr("&Switch off") : tr("&Switch on"), this,
                    [item, on] { item->setCheckState(on ? Qt::Unchecked : Qt::Checked); });
    menu->addAction(tr("Re&name"), this, [this, item] { list_->editItem(item); });
    menu->addAction(icon("duplicate"), tr("&Duplicate"), this, &FilterList::duplicateSelected);
    menu->addAction(icon("up"), tr("Move &up"), this, [this] { moveSelected(-1); })->setEnabled(up_->isEnabled());
    menu->addAction(icon("down"), tr("Move do&wn"), this, [this] { moveSelected(1); })->setEnabled(down_->isEnabled());
    menu->addSeparator();
    menu->addAction(icon("remove"), tr("&Remove"), this, &FilterList::removeSelected);
  }
  menu->popup(list_->viewport()->mapToGlobal(at));
}

int FilterList::selected() const { return list_->currentRow(); }

void FilterList::select(int row) { list_->setCurrentRow(row); }

void FilterList::rebuild() {
  const int before = list_->currentRow();
  rebuilding_ = true;
  list_->clear();
  for (const FilterRecipe& recipe : model_.bank().filters) {
    auto* item = new QListWidgetItem(toQt(recipe.name), list_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsEditable |
                   Qt::ItemIsDragEnabled);
    item->setCheckState(recipe.enabled ? Qt::Checked : Qt::Unchecked);
    item->setData(kNameRole, toQt(recipe.name));
    item->setData(kHelpRole, toQt(filterFamily(recipe.family).label + ": " + filterFamily(recipe.family).help));
  }
  list_->setCurrentRow(wanted_ >= 0 ? std::min(wanted_, list_->count() - 1) : rowToShow(before));
  wanted_ = -1;
  rebuilding_ = false;
  static_cast<RowsList*>(list_)->fitRows();
  rows_->invalidate();  // otherwise nested layouts update later
  setMaximumHeight(layout()->maximumSize().height());
  showArrows();
  updateButtons();
  // After the list got its new height.
  QMetaObject::invokeMethod(
      list_, [this] { list_->scrollToItem(list_->currentItem()); }, Qt::QueuedConnection);
  // The selected filter is always the one that is edited and shown.
  Q_EMIT selectionChanged(list_->currentRow());
}

// After undo, redo and opening: the shown filter if it still exists, else the one at its index; an enabled one if
// possible, since disabled ones have no picture.
int FilterList::rowToShow(int before) const {
  const auto& filters = model_.bank().filters;
  const auto enabled = [](const FilterRecipe& recipe) { return recipe.enabled; };
  const auto named = std::ranges::find(filters, model_.view().shownFilter, &FilterRecipe::name);
  const int rows = static_cast<int>(filters.size());
  int row = named != filters.end() ? static_cast<int>(named - filters.begin())
            : rows > 0             ? std::clamp(before, 0, rows - 1)
                                   : -1;
  if (row < 0 || enabled(filters[static_cast<std::size_t>(row)])) return row;
  const auto shown = std::ranges::find_if(filters, enabled);
  if (shown != filters.end()) row = static_cast<int>(shown - filters.begin());
  return row;
}

void FilterList::addFilter(const std::string& family) {
  FilterBank bank = model_.bank();
  FilterRecipe recipe;
  recipe.family = family;
  recipe.name = uniqueName(bank, family);
  if (family == "custom") recipe.taps = startingTaps();
  // Samples at most a million voxels, in some hundredths of a second.
  if (model_.hasData() && !model_.data().large && takesFromData(recipe))
    takeFromData(recipe, estimatedScale(model_.data().volume->view(), {}));
  const auto at = static_cast<std::size_t>(selected() + 1);
  const auto place = std::min(at, bank.filters.size());
  bank.filters.insert(bank.filters.begin() + static_cast<std::ptrdiff_t>(place), std::move(recipe));
  wanted_ = static_cast<int>(place);
  model_.editBank(std::move(bank), tr("Add %1").arg(toQt(family)));
}

void FilterList::useTemplate(const std::string& name, bool replace) {
  const BankTemplate& chosen = bankTemplate(name);
  if (const QString refusal = largeRefusal(model_.data(), tr("this template needs all of them to estimate the noise"));
      !refusal.isEmpty() && !chosen.shares.empty()) {
    Q_EMIT corrected(refusal);
    return;
  }
  UsedTemplate used = usedTemplate(model_, chosen, replace);
  wanted_ = used.shown;
  model_.editBank(std::move(used.bank), (replace ? tr("Template %1") : tr("Add template %1")).arg(toQt(chosen.label)));
}

void FilterList::copyCommand() {
  try {
    Session session = model_.session();
    if (model_.data().frame) session.data.path = withFrame(session.data.path, model_.data().frame);
    QApplication::clipboard()->setText(toQt(filterCommand(session)));
    Q_EMIT corrected({});
    Q_EMIT reported(session.data.empty() ? tr("Copied the command; replace IN by the name of a file")
                                         : tr("Copied the command"));
  } catch (const Error& error) {
    Q_EMIT corrected(toQt(error.what()));
  }
}

void FilterList::duplicateSelected() {
  const int row = selected();
  if (row < 0) return;
  FilterBank bank = model_.bank();
  FilterRecipe copy = bank.filters.at(static_cast<std::size_t>(row));
  const QString name = toQt(copy.name);
  copy.name = uniqueName(bank, copy.name);
  bank.filters.insert(bank.filters.begin() + row + 1, std::move(copy));
  wanted_ = row + 1;
  model_.editBank(std::move(bank), tr("Duplicate %1").arg(name));
}

void FilterList::removeSelected() {
  const int row = selected();
  if (row < 0) return;
  FilterBank bank = model_.bank();
  const QString name = toQt(bank.filters.at(static_cast<std::size_t>(row)).name);
  bank.filters.erase(bank.filters.begin() + row);
  wanted_ = std::min(row, static_cast<int>(bank.filters.size()) - 1);
  model_.editBank(std::move(bank), tr("Remove %1").arg(name));
}

void FilterList::moveSelected(int by) {
  const int row = selected();
  FilterBank bank = model_.bank();
  const int target = row + by;
  if (row < 0 || target < 0 || target >= static_cast<int>(bank.filters.size())) return;
  std::swap(bank.filters[static_cast<std::size_t>(row)], bank.filters[static_cast<std::size_t>(target)]);
  const QString name = toQt(bank.filters[static_cast<std::size_t>(target)].name);
  reorder(std::move(bank), target, tr("Move %1").arg(name));
}

void FilterList::reorder(FilterBank bank, int moved, const QString& text) {
  const FilterBank& before = model_.bank();
  const QString refused = orderRefused(before, bank);
  wanted_ = moved;
  if (refused.isEmpty()) {
    Q_EMIT corrected({});
    model_.editBank(std::move(bank), text);
    return;
  }
  for (std::size_t row = 0; moved >= 0 && row < before.filters.size(); ++row)
    if (before.filters[row].name == bank.filters[static_cast<std::size_t>(moved)].name) wanted_ = static_cast<int>(row);
  rebuild();
  Q_EMIT corrected(refused);
}

void FilterList::takeOrderFromList() {
  const FilterBank& before = model_.bank();
  FilterBank bank = before;
  bank.filters.clear();
  for (int row = 0; row < list_->count(); ++row) {
    const std::string name = fromQt(list_->item(row)->data(kNameRole).toString());
    for (const FilterRecipe& recipe : before.filters)
      if (recipe.name == name) bank.filters.push_back(recipe);
  }
  if (bank.filters.size() == before.filters.size())
    reorder(std::move(bank), list_->currentRow(), tr("Reorder filters"));
}

void FilterList::itemEdited(QListWidgetItem* item) {
  if (rebuilding_) return;
  const auto row = static_cast<std::size_t>(list_->row(item));
  FilterBank bank = model_.bank();
  FilterRecipe& recipe = bank.filters.at(row);
  const std::string typed = fromQt(item->text().trimmed());
  wanted_ = list_->currentRow();
  if (typed != recipe.name) {
    rename(*item, typed);
    return;
  }
  recipe.enabled = item->checkState() == Qt::Checked;
  const QString text = (recipe.enabled ? tr("Switch %1 on") : tr("Switch %1 off")).arg(toQt(recipe.name));
  // Queued: rebuilding the list here would delete the item that is being changed.
  QMetaObject::invokeMethod(
      this, [this, bank, text] { model_.editBank(bank, text); }, Qt::QueuedConnection);
}

// Readers of the row follow the new name.
void FilterList::rename(QListWidgetItem& item, const std::string& typed) {
  FilterBank bank = model_.bank();
  FilterRecipe& recipe = bank.filters.at(static_cast<std::size_t>(list_->row(&item)));
  const std::string before = recipe.name;
  recipe.name.clear();
  Q_EMIT corrected({});
  // Names are used in file names and in quotes in formulas, and the data have a reserved name.
  const bool usable = !typed.empty() && typed.find_first_of("/\"") == std::string::npos && inOneLine(typed) == typed &&
                      typed != kSourceName;
  const std::string name = usable ? uniqueName(bank, typed) : before;
  if (typed == kSourceName)
    Q_EMIT corrected(tr("“%1” is the name of the data; kept %2").arg(toQt(typed), toQt(before)));
  else if (!usable)
    Q_EMIT corrected(tr("A name cannot be empty or contain /, \" or invisible characters; kept %1").arg(toQt(before)));
  else if (name != typed)
    Q_EMIT corrected(tr("There is already a filter %1; named %2").arg(toQt(typed), toQt(name)));
  if (name == before) {
    rebuild();
    return;
  }
  renameInputs(bank, before, name);
  bank.filters.at(static_cast<std::size_t>(list_->row(&item))).name = name;
  model_.editBank(std::move(bank), tr("Rename filter"));
}

void FilterList::updateButtons() {
  const int row = list_->currentRow();
  duplicate_->setEnabled(row >= 0);
  remove_->setEnabled(row >= 0);
  up_->setEnabled(row > 0);
  down_->setEnabled(row >= 0 && row + 1 < list_->count());
}

void FilterList::setRemarks(std::map<std::string, Remark> remarks) {
  remarks_ = std::move(remarks);
  const QSignalBlocker quiet(list_);  // not an edit
  for (int row = 0; row < list_->count(); ++row) showRemark(*list_->item(row));
  list_->viewport()->update();
}

void FilterList::showRemark(QListWidgetItem& item) const {
  const auto found = remarks_.find(fromQt(item.data(kNameRole).toString()));
  const bool any = found != remarks_.end(), intermediate = item.data(kIntermediateRole).toBool();
  QStringList lines;
  if (any) lines << found->second.text;
  if (intermediate) lines << tr("Intermediate: read by other rows, not exported");
  lines << item.data(kReadsRole).toStringList();
  item.setData(Qt::AccessibleDescriptionRole, lines.join(QLatin1Char('\n')));
  lines << item.data(kHelpRole).toString();
  item.setToolTip(lines.join(QLatin1Char('\n')));
  item.setIcon(any ? icon("info") : QIcon());
  QFont font = list_->font();
  font.setItalic(intermediate);
  item.setFont(font);
  const bool quiet = intermediate || (any && found->second.leftOut);
  item.setData(Qt::ForegroundRole, quiet ? QVariant(quietColor(list_)) : QVariant());
}

void FilterList::showArrows() {
  const FilterBank& bank = model_.bank();
  if (list_->count() != static_cast<int>(bank.filters.size())) return;  // rebuild() follows
  const std::vector<BankArrow> arrows = bankArrows(bank);
  const bool any = std::ranges::any_of(arrows, [](const BankArrow& arrow) { return arrow.from >= 0; });
  std::vector<bool> on;
  const QSignalBlocker quiet(list_);  // not an edit
  for (int row = 0; row < list_->count(); ++row) {
    const FilterRecipe& recipe = bank.filters[static_cast<std::size_t>(row)];
    on.push_back(recipe.enabled);
    QStringList reads, readers, lines;
    for (const std::string& name : namesRead(recipe)) reads << toQt(name);
    for (const BankArrow& arrow : arrows)
      if (arrow.from == row) readers << toQt(bank.filters[static_cast<std::size_t>(arrow.to)].name);
    if (any && !reads.isEmpty()) lines << tr("Reads %1").arg(reads.join(QStringLiteral(", ")));
    if (!readers.isEmpty()) lines << tr("Read by %1").arg(readers.join(QStringLiteral(", ")));
    QListWidgetItem& item = *list_->item(row);
    item.setData(kReadsRole, lines);
    item.setData(kIntermediateRole, recipe.intermediate);
    showRemark(item);
  }
  arrows_->setArrows(arrows, std::move(on));
}

}  // namespace sscope

#include "moc_filter_list.cpp"
