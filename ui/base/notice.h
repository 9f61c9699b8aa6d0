#pragma once
// A sentence where the action was: errors with their remedy, corrections with their reason. Stays until it is read.
// It lies over the lower edge of what it belongs to, or over the upper one where the mouse or the focus is below, so
// that nothing moves under the mouse when it comes or goes.

#include <QFrame>
#include <utility>
#include <vector>

class QLabel;
class QToolButton;

namespace sscope {

class Notice : public QFrame {
  Q_OBJECT
 public:
  enum class Kind { Error, Hint };
  enum class Place { Over, InLayout };  // InLayout: where something is kept free for it

  explicit Notice(const QString& accessibleName, QWidget* parent = nullptr, Place place = Place::Over);
  // Empty takes the message back; corrections stay.
  void showMessage(Kind kind, const QString& message);
  // What became of an entry in one control; empty when the entry was good. Beside other messages, one line a control.
  void correct(const QString& reason, const QString& control = {});
  // Takes back everything.
  void clear();
  void clearCorrections();
  [[nodiscard]] QString message() const { return text_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  // Over the part of the parent that is seen.
  void lieOver();

  Kind kind_ = Kind::Error;
  Place place_;
  QString said_;                                          // by showMessage()
  std::vector<std::pair<QString, QString>> corrections_;  // control, reason; the newest last
  QString text_;                                          // all of it
  QLabel* label_;
  QToolButton* close_;
};

}  // namespace sscope
