#pragma once
// A sentence above the pages, with buttons for what can be done about it. It blocks nothing and goes when it is
// answered or dismissed.

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
