#include "ui/base/mnemonics.h"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QSet>
#include <vector>

namespace sscope {

namespace {

// Of the "&" before a letter, which is not followed by another; -1: none.
qsizetype markIn(const QString& text) {
  for (qsizetype i = 0; i + 1 < text.size(); ++i)
    if (text[i] == u'&') {
      if (text[i + 1] != u'&') return i;
      ++i;
    }
  return -1;
}

// In lower case; null: none.
QChar letterOf(const QString& text) {
  const qsizetype mark = markIn(text);
  return mark < 0 ? QChar() : text[mark + 1].toLower();
}

QString withoutLetter(const QString& text) { return QString(text).remove(markIn(text), 1); }

bool beginsWord(const QString& text, qsizetype i) { return i == 0 || !text[i - 1].isLetterOrNumber(); }

QString withLetter(const QString& text, QSet<QChar>& taken) {
  const qsizetype end = text.indexOf(u'\t') < 0 ? text.size() : text.indexOf(u'\t');  // keys stand behind it
  for (const bool first : {true, false})
    for (qsizetype i = 0; i < end; ++i) {
      const QChar letter = text[i].toLower();
      if (!letter.isLetterOrNumber() || taken.contains(letter) || (first && !beginsWord(text, i))) continue;
      taken.insert(letter);
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

// Buttons and labels in one.
struct Named {
  QAbstractButton* button = nullptr;
  QLabel* label = nullptr;
  [[nodiscard]] QString text() const { return button ? button->text() : label->text(); }
  void setText(const QString& text) const { button ? button->setText(text) : label->setText(text); }
};

void giveDialog(const QDialog& dialog) {
  std::vector<Named> named;
  for (QAbstractButton* each : dialog.findChildren<QAbstractButton*>())
    if (each->window() == &dialog && !each->text().isEmpty()) named.push_back({each, nullptr});
  for (QLabel* each : dialog.findChildren<QLabel*>())
    if (each->window() == &dialog && each->buddy() && !each->text().isEmpty()) named.push_back({nullptr, each});
  QList<Named*> all;
  for (Named& each : named) all << &each;
  give(all);
}

}  // namespace

QStringList withMnemonics(QStringList texts) {
  QSet<QChar> taken;
  for (QString& text : texts) {
    const QChar letter = letterOf(text);
    if (taken.contains(letter)) text = withoutLetter(text);
    if (!letter.isNull()) taken.insert(letter);
  }
  for (QString& text : texts)
    if (letterOf(text).isNull()) text = withLetter(text, taken);
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

#include "moc_mnemonics.cpp"
