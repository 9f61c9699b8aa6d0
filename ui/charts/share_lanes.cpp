#include "ui/charts/share_lanes.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

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

#include "moc_share_lanes.cpp"
