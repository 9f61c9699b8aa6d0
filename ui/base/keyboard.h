#pragma once
// The keyboard in the window: the order of the Tab key, and letters to press with Alt.

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

class QWidget;

namespace sscope {

// The widgets inside `area` that Tab stops at, hidden ones included, in reading order: that of layouts, splitters and
// tabs.
[[nodiscard]] QList<QWidget*> focusStops(QWidget* area);

// For focusNextPrevChild() of a window: moves the focus to the next, or previous, visible and enabled stop, from the
// last to the first. Qt's own order is that in which widgets were made, and it loses widgets that change their parents.
[[nodiscard]] bool passFocus(QWidget* window, bool next);

// A click on `control` does not take the keyboard from the pictures; Tab still reaches it.
void focusByTabOnly(QWidget* control);

// While this exists, every menu and dialog that is shown gets mnemonics: each entry, button and label of a control
// whose text has none, or the same as one before it, gets a letter that no other has.
class Mnemonics : public QObject {
 public:
  explicit Mnemonics(QObject* parent);
  bool eventFilter(QObject* watched, QEvent* event) override;
};

// The texts with "&" before a letter of each that had no mnemonic of its own, at the start of a word if possible. A
// text stays without one where no letter is left.
[[nodiscard]] QStringList withMnemonics(QStringList texts);

}  // namespace sscope
