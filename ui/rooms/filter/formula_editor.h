#pragma once
// The text of a formula: one or several lines, checked after a pause, with the position of an error marked.

#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <string>

#include "ui/controls/value_slider.h"

class QLabel;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace sscope {

class FormulaEditor : public QWidget {
  Q_OBJECT
 public:
  explicit FormulaEditor(QWidget* parent = nullptr);

  // Shows the current formula; emits nothing. Keeps a text that is being typed if the formula is the same.
  void setFormula(const std::string& text);
  // Drops a text that is being typed, since another row is edited.
  void forget();
  // The names that a formula of this row can read.
  void setNames(const QStringList& names);

 Q_SIGNALS:
  // A valid formula. Edits with the same gesture are one step of undo.
  void edited(const QString& text, const QString& gesture);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // False if the text is invalid; its error is shown.
  bool apply();
  void showText(const QString& text);
  void showError(const QString& message, std::size_t column);
  void insertName(const QString& name);
  void fitLines();
  // True if the key was handled.
  bool takeKey(QEvent& event);

  QPlainTextEdit* box_;
  QToolButton* insert_;
  QMenu* names_;
  QLabel* error_;
  QTimer pause_;
  QString formula_;  // the current one
  bool setting_ = false;
  Gesture gesture_{this};
};

}  // namespace sscope
