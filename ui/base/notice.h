#pragma once
// A sentence where the action was: errors with their remedy, corrections with their reason. Stays until it is read.

#include <QFrame>

class QLabel;
class QToolButton;

namespace sscope {

class Notice : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { Error, Hint };

  explicit Notice(const QString& accessibleName, QWidget* parent = nullptr);
  void showMessage(Kind kind, const QString& message);
  void clear();
  [[nodiscard]] QString message() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Kind kind_ = Kind::Error;
  QLabel* label_;
  QToolButton* close_;
};

}  // namespace sscope
