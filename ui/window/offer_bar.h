#pragma once
// A message above the pages with buttons for possible actions. Not modal; disappears when answered or dismissed.

#include <QWidget>

class QHBoxLayout;
class QPushButton;

namespace sscope {

class Notice;

class OfferBar : public QWidget {
  Q_OBJECT
 public:
  OfferBar(const QString& accessibleName, QWidget* parent);
  QPushButton* addButton(const QString& text, const char* name);
  void offer(bool error, const QString& message);
  void clear();
  [[nodiscard]] QString message() const;

 private:
  QHBoxLayout* row_;
  Notice* notice_;
};

}  // namespace sscope
