#include "ui/base/notice.h"

#include <QAbstractScrollArea>
#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

Notice::Notice(const QString& accessibleName, QWidget* parent, Place place) : QFrame(parent), place_(place) {
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
  if (!message.isEmpty()) kind_ = kind;
  shown_ = message;
  refresh();
}

void Notice::correct(const QString& reason, const QString& control) {
  std::erase_if(corrections_, [&](const auto& each) { return each.first == control; });
  if (!reason.isEmpty()) corrections_.emplace_back(control, reason);
  refresh();
}

void Notice::clear() {
  shown_.clear();
  clearCorrections();
}

void Notice::clearCorrections() {
  corrections_.clear();
  refresh();
}

void Notice::refresh() {
  QStringList lines;
  if (!shown_.isEmpty()) lines << shown_;
  for (const auto& [control, reason] : corrections_) lines << reason;
  text_ = lines.join(QLatin1Char('\n'));
  if (shown_.isEmpty()) kind_ = Kind::Hint;
  label_->setText(breakable(text_));
  setAccessibleDescription(text_);
  setVisible(!text_.isEmpty());
  if (isVisible() && place_ == Place::Over) placeOver();
  update();
}

void Notice::placeOver() {
  // In a scrolling panel: over its visible part.
  for (QWidget* each = parentWidget(); each && !each->isWindow(); each = each->parentWidget()) {
    const auto* scroll = qobject_cast<QAbstractScrollArea*>(each->parentWidget());
    if (!scroll || scroll->viewport() != each) continue;
    if (parentWidget() != each) {
      setParent(each);
      show();
      return;  // show() has called this again
    }
    break;
  }
  QWidget* host = parentWidget();
  if (!host) return;
  host->removeEventFilter(this);
  host->installEventFilter(this);
  const int gap = em(this, 0.3);
  const int wide = std::max(host->width() - 2 * gap, minimumSizeHint().width());
  const int high = std::min(layout()->totalHeightForWidth(wide), std::max(host->height() - 2 * gap, 0));
  QRect place(gap, host->height() - high - gap, wide, high);
  const QWidget* focus = window()->focusWidget();
  const bool hidesFocus = focus && host->isAncestorOf(focus) && !isAncestorOf(focus) &&
                          QRect(focus->mapTo(host, QPoint()), focus->size()).intersects(place);
  if (hidesFocus || place.contains(host->mapFromGlobal(QCursor::pos()))) place.moveTop(gap);
  setGeometry(place);
  raise();
}

void Notice::showEvent(QShowEvent* event) {
  QFrame::showEvent(event);
  if (place_ == Place::Over) placeOver();
}

bool Notice::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible() && place_ == Place::Over) placeOver();
  return QFrame::eventFilter(watched, event);
}

void Notice::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor accent = kind_ == Kind::Error ? QColor(213, 94, 0) : QColor(0, 114, 178);  // Okabe-Ito vermillion, blue
  QColor wash = accent;
  wash.setAlphaF(0.14F);
  const double radius = em(this, 0.25);
  const QRectF plate = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  // The window's color hides the controls below.
  QColor rim = accent;
  rim.setAlphaF(0.6F);
  painter.setPen(place_ == Place::Over ? QPen(rim) : QPen(Qt::NoPen));
  if (place_ == Place::Over) {
    painter.setBrush(palette().color(QPalette::Window));
    painter.drawRoundedRect(plate, radius, radius);
  }
  painter.setBrush(wash);
  painter.drawRoundedRect(plate, radius, radius);
  painter.setPen(Qt::NoPen);
  painter.setBrush(accent);
  painter.drawRoundedRect(QRectF(0, 0, em(this, 0.22), height()), radius / 2, radius / 2);
}

}  // namespace sscope

#include "moc_notice.cpp"
