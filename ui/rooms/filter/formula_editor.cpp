#include "ui/rooms/filter/formula_editor.h"

#include <QFocusEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/filter/families/program.h"
#include "core/filter/formula/formula.h"
#include "core/filter/formula/formula_lexer.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"

namespace sscope {

namespace {

constexpr int kPauseMilliseconds = 600;
constexpr int kFewestLines = 2, kMostLines = 6;

// Columns count characters, positions in Qt the units of UTF-16.
int positionOf(const QString& text, std::size_t column) {
  qsizetype at = 0;
  for (std::size_t passed = 1; passed < column && at < text.size(); ++passed)
    at += text.at(at).isHighSurrogate() && at + 1 < text.size() ? 2 : 1;
  return static_cast<int>(at);
}

}  // namespace

FormulaEditor::FormulaEditor(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("formula"));
  box_ = named(new QPlainTextEdit(this), "formula.text", tr("Formula"));
  box_->setToolTip(
      tr("An expression over source and the rows above, such as sqrt(gx^2 + gy^2); s[1,0] is a neighbor, @k=0.5[0..1] "
         "a constant with a slider.\nEnter applies it, Shift+Enter starts a new line."));
  box_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  box_->setTabChangesFocus(true);
  box_->setUndoRedoEnabled(false);  // the session has its own undo
  box_->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  box_->installEventFilter(this);
  insert_ = toolButton(this, {.name = "formula.insert",
                              .text = tr("Insert"),
                              .tip = tr("Insert the name of an input"),
                              .spoken = tr("Insert the name of an input"),
                              .flat = true});
  insert_->setPopupMode(QToolButton::InstantPopup);
  names_ = new QMenu(insert_);
  insert_->setMenu(names_);
  error_ = named(new QLabel(this), "formula.error", tr("Error in the formula"));
  error_->setWordWrap(true);
  error_->setTextFormat(Qt::PlainText);
  error_->hide();
  auto* column = bareLayout<QVBoxLayout>(this, em(this, 0.2));
  auto* head = new QHBoxLayout;
  auto* label = new QLabel(tr("Formula"), this);
  label->setBuddy(box_);
  head->addWidget(label);
  head->addStretch(1);
  head->addWidget(insert_);
  column->addLayout(head);
  column->addWidget(box_);
  column->addWidget(error_);
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMilliseconds);
  connect(&pause_, &QTimer::timeout, this, [this] { apply(); });
  connect(box_, &QPlainTextEdit::textChanged, this, [this] {
    fitLines();
    if (!setting_) pause_.start();
  });
  fitLines();
}

void FormulaEditor::setFormula(const std::string& text) {
  const QString formula = toQt(text);
  if (formula == formula_) return;
  formula_ = formula;
  if (box_->toPlainText() != formula) showText(formula);
  showError({}, 0);
}

void FormulaEditor::forget() {
  pause_.stop();
  gesture_.begin();
  if (box_->toPlainText() != formula_) showText(formula_);
  showError({}, 0);
}

void FormulaEditor::setNames(const QStringList& names) {
  names_->clear();
  for (const QString& name : names) {
    QString shown = name;
    names_->addAction(shown.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, name] { insertName(name); });
  }
}

bool FormulaEditor::apply() {
  pause_.stop();
  const QString text = box_->toPlainText();
  if (text == formula_) {
    showError({}, 0);
    return true;
  }
  try {
    static_cast<void>(Formula::parse(fromQt(text)));
  } catch (const FormulaError& error) {
    showError(toQt(error.what()), error.column());
    return false;
  } catch (const Error& error) {
    showError(toQt(error.what()), 0);
    return false;
  }
  showError({}, 0);
  formula_ = text;
  Q_EMIT edited(text, gesture_.now());
  return true;
}

void FormulaEditor::showText(const QString& text) {
  pause_.stop();
  setting_ = true;
  box_->setPlainText(text);
  box_->moveCursor(QTextCursor::End);
  setting_ = false;
}

void FormulaEditor::showError(const QString& message, std::size_t column) {
  error_->setText(message);
  error_->setVisible(!message.isEmpty());
  box_->setAccessibleDescription(message);
  QList<QTextEdit::ExtraSelection> marks;
  const QString text = box_->toPlainText();
  if (column > 0 && !text.isEmpty()) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(box_->document());
    // An error after the end is marked at the last character.
    const int at = std::min(positionOf(text, column), static_cast<int>(text.size()) - 1);
    mark.cursor.setPosition(at);
    mark.cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
    const QColor vermillion(213, 94, 0);  // of Okabe and Ito
    QColor wash = vermillion;
    wash.setAlphaF(0.35F);
    mark.format.setBackground(wash);
    mark.format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
    mark.format.setUnderlineColor(vermillion);
    marks << mark;
  }
  box_->setExtraSelections(marks);
}

void FormulaEditor::insertName(const QString& name) {
  // Quoted if necessary.
  box_->insertPlainText(toQt(renamedInput(kSourceName, kSourceName, fromQt(name))));
  box_->setFocus();
}

void FormulaEditor::fitLines() {
  const int lines = std::clamp(static_cast<int>(box_->document()->documentLayout()->documentSize().height()),
                               kFewestLines, kMostLines);
  const int margins = 2 * (box_->frameWidth() + static_cast<int>(box_->document()->documentMargin()));
  box_->setFixedHeight(lines * box_->fontMetrics().lineSpacing() + margins);
}

bool FormulaEditor::takeKey(QEvent& event) {
  const auto& key = static_cast<const QKeyEvent&>(event);
  const bool enter = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
  if (event.type() == QEvent::KeyPress && enter && !key.modifiers().testFlag(Qt::ShiftModifier)) {
    apply();
    gesture_.begin();
    return true;
  }
  if (event.type() != QEvent::ShortcutOverride) return false;
  const bool undo = key.matches(QKeySequence::Undo);
  if (!undo && !key.matches(QKeySequence::Redo)) return false;
  if (apply()) {
    event.ignore();  // the typed text is a step now, which the window undoes
    gesture_.begin();
  } else {
    if (undo) forget();  // an invalid text was never a step
    event.accept();
  }
  return true;
}

bool FormulaEditor::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride:
      if (takeKey(*event)) return true;
      break;
    case QEvent::FocusOut:
      if (static_cast<QFocusEvent*>(event)->reason() == Qt::PopupFocusReason) break;
      apply();
      gesture_.begin();
      break;
    case QEvent::FontChange: fitLines(); break;
    default: break;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace sscope

#include "moc_formula_editor.cpp"
