#include "ui/base/focus_order.h"

#include <QDockWidget>
#include <QFormLayout>
#include <QGridLayout>
#include <QMainWindow>
#include <QScrollArea>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace sscope {

namespace {

void addItems(const QLayout& layout, QList<QWidget*>& parts) {
  std::vector<std::pair<std::pair<int, int>, QLayoutItem*>> items;  // by row and column
  for (int i = 0; i < layout.count(); ++i) {
    std::pair<int, int> at{0, i};
    if (const auto* grid = qobject_cast<const QGridLayout*>(&layout)) {
      int rows = 0, columns = 0;
      grid->getItemPosition(i, &at.first, &at.second, &rows, &columns);
    } else if (const auto* form = qobject_cast<const QFormLayout*>(&layout)) {
      QFormLayout::ItemRole role{};
      form->getItemPosition(i, &at.first, &role);
      at.second = role;
    }
    items.emplace_back(at, layout.itemAt(i));
  }
  std::ranges::stable_sort(items, {}, [](const auto& item) { return item.first; });
  for (const auto& [at, item] : items) {
    if (QWidget* widget = item->widget()) parts << widget;
    if (const QLayout* inner = item->layout()) addItems(*inner, parts);
  }
}

// Columns from left to right, each from top to bottom; what stands below all of them at the end.
void sortPlaces(QList<QWidget*>& parts) {
  std::ranges::stable_sort(parts, {}, [](const QWidget* part) {
    return std::tuple(qobject_cast<const QStatusBar*>(part) != nullptr, part->x(), part->y());
  });
}

QList<QWidget*> partsOf(QWidget* area) {
  QList<QWidget*> parts;
  const auto* window = qobject_cast<QMainWindow*>(area);
  if (const auto* dock = qobject_cast<QDockWidget*>(area)) {
    parts << dock->titleBarWidget() << dock->widget();
  } else if (const auto* splitter = qobject_cast<QSplitter*>(area)) {
    for (int i = 0; i < splitter->count(); ++i) parts << splitter->widget(i);
  } else if (const auto* tabs = qobject_cast<QTabWidget*>(area)) {
    parts << tabs->tabBar();
  } else if (area->layout() && !window) {
    addItems(*area->layout(), parts);
  }
  parts.removeAll(nullptr);
  for (QWidget* child : area->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
    if (!child->isWindow() && !parts.contains(child)) parts << child;
  if (window) sortPlaces(parts);
  return parts;
}

// An area and all in it.
void addAll(QWidget* area, QList<QWidget*>& all) {
  all << area;
  for (QWidget* part : partsOf(area)) addAll(part, all);
}

bool stops(const QWidget* widget) { return (widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy(); }

}  // namespace

QList<QWidget*> focusStops(QWidget* area) {
  QList<QWidget*> all;
  addAll(area, all);
  all.removeIf([&](const QWidget* widget) { return !stops(widget) || widget->isWindow(); });
  return all;
}

bool passFocus(QWidget* window, bool next) {
  QList<QWidget*> all;
  addAll(window, all);
  const qsizetype from = std::max<qsizetype>(0, all.indexOf(window->focusWidget()));
  for (qsizetype step = 1; step < all.size(); ++step) {
    QWidget* to = all[(from + (next ? step : all.size() - step)) % all.size()];
    if (!stops(to) || to->isWindow() || !to->isVisible() || !to->isEnabled()) continue;
    to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    for (QWidget* around = to->parentWidget(); around && around != window; around = around->parentWidget())
      if (auto* scroll = qobject_cast<QScrollArea*>(around)) scroll->ensureWidgetVisible(to);
    return true;
  }
  return false;
}

void returnFocus(QWidget* control) { control->setFocusPolicy(Qt::TabFocus); }

}  // namespace sscope
