#pragma once
// A message next to the user's action: errors with their remedy, corrections with their reason. Stays until it is
// dismissed. Covers the lower edge of its parent, or the upper edge if the mouse or focus is at the lower one, so that
// nothing moves under the mouse.

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
  enum class Place { Over, InLayout };  // InLayout: in space reserved for it

  explicit Notice(const QString& accessibleName, QWidget* parent = nullptr, Place place = Place::Over);
  // An empty message removes the previous one; corrections stay.
  void showMessage(Kind kind, const QString& message);
  // The correction of an entry in a control; empty if the entry was valid. Shown with other messages, one line per
  // control.
  void correct(const QString& reason, const QString& control = {});
  // Removes the message and all corrections.
  void clear();
  void clearCorrections();
  [[nodiscard]] QString message() const { return text_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  // Moves over the visible part of the parent.
  void placeOver();

  Kind kind_ = Kind::Error;
  Place place_;
  QString shown_;                                         // by showMessage()
  std::vector<std::pair<QString, QString>> corrections_;  // control, reason; the newest last
  QString text_;                                          // the whole text
  QLabel* label_;
  QToolButton* close_;
};

}  // namespace sscope
