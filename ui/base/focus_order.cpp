#include "ui/base/focus_order.h"

#include <QHash>
#include <QWidget>

namespace sscope {

QList<QWidget*> focusStops(QWidget* area) {
  QList<QWidget*> stops;
  const auto take = [&](QWidget* widget) {
    if ((widget->focusPolicy() & Qt::TabFocus) != 0 && !widget->focusProxy()) stops << widget;
  };
  QWidget* const begin = area->window();
  if (area != begin && (area->focusPolicy() & Qt::TabFocus) != 0) take(area);
  for (QWidget* each = begin->nextInFocusChain(); each && each != begin; each = each->nextInFocusChain())
    if (area->isAncestorOf(each)) take(each);
  return stops;
}

void chainFocus(const QList<QWidget*>& areas) {
  // A panel that floats is a window of its own, and Tab stays inside.
  QHash<QWidget*, QWidget*> lastOf;
  for (QWidget* area : areas)
    for (QWidget* stop : focusStops(area)) {
      QWidget*& last = lastOf[stop->window()];
      if (last) QWidget::setTabOrder(last, stop);
      last = stop;
    }
}

void returnFocus(QWidget* control) { control->setFocusPolicy(Qt::TabFocus); }

}  // namespace sscope
