#include "ui/window/offer_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include "ui/base/look.h"
#include "ui/base/notice.h"

namespace sscope {

namespace {

// Hides the whole bar when the sentence is dismissed.
class Follower : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::HideToParent) static_cast<QWidget*>(parent())->hide();
    return QObject::eventFilter(watched, event);
  }
};

}  // namespace

OfferBar::OfferBar(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
  notice_ = new Notice(accessibleName, this, Notice::Place::InLayout);  // over the buttons it would hide them
  row_ = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row_->setContentsMargins(gap, gap, gap, gap);
  row_->setSpacing(gap);
  row_->addWidget(notice_, 1);
  notice_->installEventFilter(new Follower(this));
  hide();
}

QPushButton* OfferBar::addButton(const QString& text, const char* name) {
  auto* button = new QPushButton(text, this);
  button->setObjectName(QLatin1String(name));
  row_->addWidget(button, 0, Qt::AlignVCenter);
  return button;
}

void OfferBar::offer(bool error, const QString& message) {
  notice_->showMessage(error ? Notice::Kind::Error : Notice::Kind::Hint, message);
  show();
}

void OfferBar::clear() {
  notice_->clear();
  hide();
}

QString OfferBar::message() const { return notice_->message(); }

}  // namespace sscope

#include "moc_offer_bar.cpp"
