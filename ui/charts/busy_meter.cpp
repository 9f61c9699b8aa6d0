#include "ui/charts/busy_meter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>

namespace sscope {

BusyMeter::BusyMeter(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Busy processor cores"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setToolTip(tr("Busy share of each processor core, all programs together"));
}

void BusyMeter::setBusy(std::vector<double> percent) {
  percent_ = std::move(percent);
  known_ = true;
  double sum = 0;
  for (double& p : percent_) {
    p = std::clamp(p, 0.0, 100.0);
    sum += p;
  }
  setAccessibleDescription(
      percent_.empty()
          ? tr("unavailable")
          : tr("%1 % of %2 cores").arg(std::lround(sum / static_cast<double>(percent_.size()))).arg(percent_.size()));
  update();
}

QSize BusyMeter::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(16 * line), static_cast<int>(2 * line)};
}
QSize BusyMeter::minimumSizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(8 * line), static_cast<int>(2 * line)};
}

void BusyMeter::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  const double line = metrics.height();
  const QColor pale = palette().color(QPalette::PlaceholderText);
  if (percent_.empty()) {
    painter.setPen(pale);
    if (known_) painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, tr("unavailable"));
    return;
  }
  double sum = 0;
  for (const double p : percent_) sum += p;
  const QString text = tr("%1\u202F% busy").arg(std::lround(sum / static_cast<double>(percent_.size())));
  const double words = metrics.horizontalAdvance(tr("%1\u202F% busy").arg(100)) + 0.6 * line;
  const QRectF bars = QRectF(rect()).adjusted(0.25 * line, 0.25 * line, -words, -0.25 * line);
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(QRectF(bars.right(), 0, words, height()), Qt::AlignVCenter | Qt::AlignRight, text);

  const auto count = static_cast<double>(percent_.size());
  const double pitch = std::min(bars.width() / count, 1.6 * line);
  const double gap = pitch > 4 ? std::max(1.0, 0.12 * pitch) : 0;
  QColor trough = palette().color(QPalette::Text);
  trough.setAlphaF(0.12F);
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t i = 0; i < percent_.size(); ++i) {
    const QRectF box(bars.left() + static_cast<double>(i) * pitch, bars.top(), pitch - gap, bars.height());
    painter.fillRect(box, trough);
    const double h = box.height() * percent_[i] / 100;
    painter.fillRect(QRectF(box.left(), box.bottom() - h, box.width(), h), palette().color(QPalette::Highlight));
  }
}

}  // namespace sscope

#include "moc_busy_meter.cpp"
