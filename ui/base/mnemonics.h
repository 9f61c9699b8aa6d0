#pragma once
// Letters to be pressed with Alt.

#include <QObject>
#include <QString>
#include <QStringList>

namespace sscope {

// Every menu and dialog of the program that is shown while this exists has a mnemonic for each entry and button, and
// each label of a control: where its text has none, or that of one before it, a letter that
// no other there has.
class Mnemonics : public QObject {
  Q_OBJECT
 public:
  explicit Mnemonics(QObject* parent);
  bool eventFilter(QObject* watched, QEvent* event) override;
};

// The same texts, with "&" before a letter where one had none of its own and a letter is left: the first of a word if
// possible.
[[nodiscard]] QStringList withMnemonics(QStringList texts);

}  // namespace sscope
