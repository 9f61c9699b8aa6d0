#include "ui/base/notice.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/base/icons.h"
#include "ui/base/look.h"

namespace sscope {

Notice::Notice(const QString& accessibleName, QWidget* parent) : QFrame(parent) {
  setAccessibleName(accessibleName);
  label_ = new QLabel(this);
  label_->setWordWrap(true);
  label_->setTextFormat(Qt::PlainText);
  label_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label_->setObjectName(QStringLiteral("noticeText"));
  close_ = new QToolButton(this);
  close_->setIcon(icon("close"));
  close_->setAutoRaise(true);
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss the message"));
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.4);
  row->setContentsMargins(2 * gap, gap, gap, gap);
  row->addWidget(label_, 1);
  row->addWidget(close_, 0, Qt::AlignTop);
  connect(close_, &QToolButton::clicked, this, &Notice::clear);
  hide();
}

void Notice::showMessage(Kind kind, const QString& message) {
  kind_ = kind;
  label_->setText(message);
  setAccessibleDescription(message);
  setVisible(!message.isEmpty());
  update();
}

void Notice::clear() { showMessage(kind_, {}); }

QString Notice::message() const { return label_->text(); }

void Notice::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor accent = kind_ == Kind::Error ? QColor(213, 94, 0) : QColor(0, 114, 178);  // Okabe-Ito vermillion, blue
  painter.setPen(Qt::NoPen);
  QColor wash = accent;
  wash.setAlphaF(0.14F);
  const double radius = em(this, 0.25);
  painter.setBrush(wash);
  painter.drawRoundedRect(rect(), radius, radius);
  painter.setBrush(accent);
  painter.drawRoundedRect(QRectF(0, 0, em(this, 0.22), height()), radius / 2, radius / 2);
}

}  // namespace sscope
