#include "ui/base/keyboard.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDockWidget>
#include <QEvent>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QScrollArea>
#include <QSet>
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

// Columns from left to right, each from top to bottom, then the status bar.
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
    for (QWidget* outer = to->parentWidget(); outer && outer != window; outer = outer->parentWidget())
      if (auto* scroll = qobject_cast<QScrollArea*>(outer)) scroll->ensureWidgetVisible(to);
    return true;
  }
  return false;
}

void focusByTabOnly(QWidget* control) { control->setFocusPolicy(Qt::TabFocus); }

namespace {

// The index of the "&" that marks a letter; "&&" is a literal "&". -1: none.
qsizetype markIn(const QString& text) {
  for (qsizetype i = 0; i + 1 < text.size(); ++i)
    if (text[i] == u'&') {
      if (text[i + 1] != u'&') return i;
      ++i;
    }
  return -1;
}

// The mnemonic in lower case; null: none.
QChar letterOf(const QString& text) {
  const qsizetype mark = markIn(text);
  return mark < 0 ? QChar() : text[mark + 1].toLower();
}

QString withoutLetter(const QString& text) { return QString(text).remove(markIn(text), 1); }

bool beginsWord(const QString& text, qsizetype i) { return i == 0 || !text[i - 1].isLetterOrNumber(); }

QString withLetter(const QString& text, QSet<QChar>& used) {
  const qsizetype end = text.indexOf(u'\t') < 0 ? text.size() : text.indexOf(u'\t');  // the shortcut follows it
  for (const bool first : {true, false})
    for (qsizetype i = 0; i < end; ++i) {
      const QChar letter = text[i].toLower();
      if (!letter.isLetterOrNumber() || used.contains(letter) || (first && !beginsWord(text, i))) continue;
      used.insert(letter);
      return QString(text).insert(i, u'&');
    }
  return text;
}

template <class Holder>
void give(const QList<Holder*>& holders) {
  QStringList texts;
  for (const Holder* each : holders) texts << each->text();
  texts = withMnemonics(texts);
  for (qsizetype i = 0; i < holders.size(); ++i)
    if (holders[i]->text() != texts[i]) holders[i]->setText(texts[i]);
}

struct ButtonOrLabel {
  QAbstractButton* button = nullptr;
  QLabel* label = nullptr;
  [[nodiscard]] QString text() const { return button ? button->text() : label->text(); }
  void setText(const QString& text) const { button ? button->setText(text) : label->setText(text); }
};

void giveDialog(const QDialog& dialog) {
  std::vector<ButtonOrLabel> named;
  for (QAbstractButton* each : dialog.findChildren<QAbstractButton*>())
    if (each->window() == &dialog && !each->text().isEmpty()) named.push_back({each, nullptr});
  for (QLabel* each : dialog.findChildren<QLabel*>())
    if (each->window() == &dialog && each->buddy() && !each->text().isEmpty()) named.push_back({nullptr, each});
  QList<ButtonOrLabel*> all;
  for (ButtonOrLabel& each : named) all << &each;
  give(all);
}

}  // namespace

QStringList withMnemonics(QStringList texts) {
  QSet<QChar> used;
  for (QString& text : texts) {
    const QChar letter = letterOf(text);
    if (used.contains(letter)) text = withoutLetter(text);
    if (!letter.isNull()) used.insert(letter);
  }
  for (QString& text : texts)
    if (letterOf(text).isNull()) text = withLetter(text, used);
  return texts;
}

Mnemonics::Mnemonics(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

bool Mnemonics::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Show) {
    if (const auto* menu = qobject_cast<QMenu*>(watched)) {
      QList<QAction*> entries;
      for (QAction* action : menu->actions())
        if (!action->isSeparator() && !action->text().isEmpty()) entries << action;
      give(entries);
    } else if (const auto* dialog = qobject_cast<QDialog*>(watched)) {
      giveDialog(*dialog);
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace sscope
