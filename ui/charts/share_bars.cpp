#include "ui/charts/share_bars.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

ShareBars::ShareBars(QWidget* parent) : Plot(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); }

void ShareBars::setBars(const QString& title, const QString& stem, const QString& axis, std::vector<ShareBar> bars) {
  const bool resized = bars.size() != bars_.size();
  bars_ = std::move(bars);
  axis_ = axis;
  if (lit_ >= static_cast<int>(bars_.size())) lit_ = -1;
  setTitle(title, stem);
  QStringList texts;
  for (const ShareBar& bar : bars_)
    texts << tr("%1: %2 %, %3 % kept").arg(bar.name, numberText(bar.before, 3), numberText(bar.after, 3));
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  if (resized) updateGeometry();
  update();
}

double ShareBars::top() const { return below().top() + 1.3 * line(); }

QSize ShareBars::sizeHint() const {
  const double rows = rowHeight() * static_cast<double>(std::max<std::size_t>(1, bars_.size()));
  return {em(this, 24), static_cast<int>(std::ceil(5.8 * line() + rows))};
}

QSize ShareBars::minimumSizeHint() const { return {em(this, 12), sizeHint().height()}; }

void ShareBars::draw(QPainter& painter) const {
  painter.setFont(font());
  drawTitle(painter);
  const double em = line(), row = rowHeight();
  const QFontMetricsF metrics(font());
  const QColor ink = palette().color(QPalette::Text), pale = palette().color(QPalette::PlaceholderText);
  const QColor fill = palette().color(QPalette::Highlight);
  double names = 0, texts = 0, highest = 0;
  for (const ShareBar& bar : bars_) {
    names = std::max(names, metrics.horizontalAdvance(bar.name));
    texts = std::max(texts, metrics.horizontalAdvance(formatNumber(bar.before)));
    highest = std::max({highest, bar.before, bar.after});
  }
  names = std::min(names, 0.4 * width());
  const QRectF area = below();
  const double swatch = 0.6 * em;
  double x = area.left();
  for (const bool filled : {false, true}) {
    const QString words = filled ? tr("kept") : tr("before the threshold");
    const QRectF box(x, area.top() + 0.2 * em, 1.6 * swatch, swatch);
    painter.setPen(QPen(filled ? fill : pale, 1));
    painter.setBrush(filled ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRect(box);
    x += 2.2 * swatch;
    painter.setPen(pale);
    painter.drawText(QPointF(x, area.top() + metrics.ascent()), words);
    x += metrics.horizontalAdvance(words) + em;
  }
  const QRectF plot(area.left() + names + 0.5 * em, top(), area.width() - names - texts - 1.6 * em,
                    row * static_cast<double>(bars_.size()));
  const double scale = drawZeroBasedAxis(painter, plot, highest, axis_);
  for (std::size_t i = 0; i < bars_.size(); ++i) {
    const ShareBar& bar = bars_[i];
    const double y = plot.top() + static_cast<double>(i) * row;
    if (static_cast<int>(i) == lit_) {
      QColor soft = fill;
      soft.setAlphaF(0.15F);
      painter.fillRect(QRectF(0, y, width(), row), soft);
    }
    painter.setPen(ink);
    painter.drawText(QRectF(area.left(), y, names, row), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(bar.name, Qt::ElideMiddle, names));
    const QRectF lane(plot.left(), y + 0.2 * row, 0, 0.6 * row);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(lane.adjusted(0, 0, bar.after * scale, 0), fill);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(pale, 1));
    painter.drawRect(lane.adjusted(0, 0, bar.before * scale, 0));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(ink);
    painter.drawText(QRectF(plot.left() + std::max(bar.before, bar.after) * scale + 0.4 * em, y, width(), row),
                     Qt::AlignLeft | Qt::AlignVCenter, formatNumber(bar.after));
  }
}

QString ShareBars::point(const QPointF& position) {
  const int row = static_cast<int>(std::floor((position.y() - top()) / rowHeight()));
  const int now = row >= 0 && row < static_cast<int>(bars_.size()) ? row : -1;
  if (now != lit_) {
    lit_ = now;
    update();
  }
  if (now < 0) return {};
  const ShareBar& bar = bars_[static_cast<std::size_t>(now)];
  QString text = tr("<b>%1</b><br>%2 % before, <b>%3 %</b> kept")
                     .arg(bar.name.toHtmlEscaped(), numberText(bar.before, 4), numberText(bar.after, 4));
  if (!bar.detail.isEmpty()) text += QStringLiteral("<br>") + bar.detail.toHtmlEscaped();
  return text;
}

void ShareBars::leave() {
  if (lit_ < 0) return;
  lit_ = -1;
  update();
}

std::string ShareBars::csv() const {
  std::string out = "band,before_percent,after_percent,detail\n";
  for (const ShareBar& bar : bars_)
    out += csvCell(fromQt(bar.name)) + ',' + csvNumber(bar.before) + ',' + csvNumber(bar.after) + ',' +
           csvCell(fromQt(bar.detail)) + '\n';
  return out;
}

}  // namespace sscope

#include "moc_share_bars.cpp"
