#include "ui/charts/engine_meters.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

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

namespace {

constexpr double kLane = 1.25;  // lines

}  // namespace

ShareLanes::ShareLanes(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Share of each engine"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ShareLanes::setShares(std::vector<PartShare> shares) {
  const bool resized = shares.size() != shares_.size();
  shares_ = std::move(shares);
  QStringList texts;
  for (const PartShare& one : shares_)
    texts << tr("%1: %2 planes, %3 %, %4")
                 .arg(toQt(one.name))
                 .arg(std::lround(one.planes))
                 .arg(numberText(100 * one.share, 3), formatSeconds(one.seconds));
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  setToolTip(texts.join(QLatin1Char('\n')));
  if (resized) updateGeometry();
  update();
}

QSize ShareLanes::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(16 * line), static_cast<int>(std::ceil(kLane * line * static_cast<double>(shares_.size())))};
}

QSize ShareLanes::minimumSizeHint() const {
  return {static_cast<int>(8 * QFontMetricsF(font()).height()), sizeHint().height()};
}

void ShareLanes::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetricsF metrics(font());
  const double line = metrics.height(), gap = 0.4 * line;
  double names = 0, figures = 0;
  std::vector<QString> texts;
  for (const PartShare& one : shares_) {
    texts.push_back(tr("%1 % · %2").arg(numberText(100 * one.share, 3), formatSeconds(one.seconds)));
    names = std::max(names, metrics.horizontalAdvance(toQt(one.name)));
    figures = std::max(figures, metrics.horizontalAdvance(texts.back()));
  }
  names = std::min(names, 0.4 * width());
  const double longest = std::max(0.0, width() - names - figures - 2 * gap);
  for (std::size_t k = 0; k < shares_.size(); ++k) {
    const double y = kLane * line * static_cast<double>(k);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(0, y, names, kLane * line), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(toQt(shares_[k].name), Qt::ElideMiddle, names));
    painter.drawText(QRectF(width() - figures, y, figures, kLane * line), Qt::AlignVCenter | Qt::AlignRight, texts[k]);
    const std::string id = shares_[k].name.substr(0, shares_[k].name.find(' '));
    painter.fillRect(QRectF(names + gap, y + 0.3 * line, longest * shares_[k].share, 0.65 * line), engineColor(id));
  }
}

}  // namespace sscope

#include "moc_engine_meters.cpp"
