#pragma once
// The text of a formula: one or several lines, checked when it rests, with the place of an error marked.

#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>
#include <string>

class QLabel;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace sscope {

class FormulaEditor : public QWidget {
  Q_OBJECT
 public:
  explicit FormulaEditor(QWidget* parent = nullptr);

  // Shows the formula that holds; emits nothing. What is being typed stays as long as it is about the same formula.
  void setFormula(const std::string& text);
  // Forgets what is being typed: another row is edited.
  void forget();
  // What a formula of this row can read.
  void setNames(const QStringList& names);

 Q_SIGNALS:
  // The text is a formula. Edits of the same gesture are one user action.
  void edited(const QString& text, const QString& gesture);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  // False if the text is no formula: then its error is shown.
  bool apply();
  void showText(const QString& text);
  void showError(const QString& message, std::size_t column);
  void insertName(const QString& name);
  void fitLines();
  void newGesture();
  // Whether the key is ours.
  bool takeKey(QEvent& event);

  QPlainTextEdit* box_;
  QToolButton* insert_;
  QMenu* names_;
  QLabel* error_;
  QTimer pause_;
  QString held_;  // the formula that holds
  bool setting_ = false;
  std::uint64_t gesture_ = 0;
};

}  // namespace sscope
