#include "ui/charts/kernel_bars.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

KernelBars::KernelBars(QWidget* parent) : Plot(parent), color_(palette().color(QPalette::Highlight)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  setTitle(tr("Time per kernel"), QStringLiteral("kernel-shares"));
}

void KernelBars::setShares(std::vector<KernelShare> shares, const QColor& color, const QString& note) {
  const bool resized = shares.size() != shares_.size();
  shares_ = std::move(shares);
  color_ = color;
  note_ = note;
  if (lit_ >= static_cast<int>(shares_.size())) lit_ = -1;
  QStringList texts;
  for (const KernelShare& share : shares_) texts << toQt(share.kernel) + QStringLiteral(": ") + textOf(share);
  if (!note_.isEmpty()) texts << note_;
  setAccessibleDescription(texts.join(QStringLiteral("; ")));
  if (resized) updateGeometry();
  update();
}

QString KernelBars::textOf(const KernelShare& share) {
  return tr("%1 % · %2 · %3×")
      .arg(formatNumber(100 * share.share), formatSeconds(share.seconds),
           formatCount(static_cast<qint64>(share.launches)));
}

double KernelBars::top() const { return below().top() + (note_.isEmpty() ? 0.2 : 1.3) * line(); }

QSize KernelBars::sizeHint() const {
  const double rows = rowHeight() * static_cast<double>(std::max<std::size_t>(2, shares_.size()));
  return {em(this, 24), static_cast<int>(std::ceil(5.8 * line() + rows))};
}

QSize KernelBars::minimumSizeHint() const { return {em(this, 12), sizeHint().height()}; }

void KernelBars::draw(QPainter& painter) const {
  painter.setFont(font());
  drawTitle(painter);
  const double em = line(), row = rowHeight();
  const QFontMetricsF metrics(font());
  const QColor ink = palette().color(QPalette::Text), pale = palette().color(QPalette::PlaceholderText);
  const QRectF area = below();
  painter.setPen(pale);
  if (!note_.isEmpty())
    painter.drawText(shares_.empty() ? area : QRectF(area.left(), area.top(), area.width(), 1.2 * em),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note_);
  if (shares_.empty()) return;
  double names = 0, texts = 0, highest = 0;
  for (const KernelShare& share : shares_) {
    names = std::max(names, metrics.horizontalAdvance(toQt(share.kernel)));
    texts = std::max(texts, metrics.horizontalAdvance(textOf(share)));
    highest = std::max(highest, 100 * share.share);
  }
  names = std::min(names, 0.35 * width());
  // The texts stand beside the bars; on narrow charts the longest bars make room for theirs.
  const double wide = std::max(area.width() - names - texts - 1.6 * em, 4 * em);
  const QRectF plot(area.left() + names + 0.5 * em, top(), wide, row * static_cast<double>(shares_.size()));
  const double scale = drawZeroBasedAxis(painter, plot, highest, tr("% of the time"));
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const KernelShare& share = shares_[i];
    const double y = plot.top() + static_cast<double>(i) * row, length = 100 * share.share * scale;
    if (static_cast<int>(i) == lit_) {
      QColor soft = color_;
      soft.setAlphaF(0.15F);
      painter.fillRect(QRectF(0, y, width(), row), soft);
    }
    painter.setPen(ink);
    const QString name = toQt(share.kernel);
    painter.drawText(QRectF(area.left(), y, names, row), Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(name, Qt::ElideMiddle, names + 1));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(plot.left(), y + 0.2 * row, length, 0.6 * row), color_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawText(QRectF(plot.left() + length + 0.4 * em, y, width(), row), Qt::AlignLeft | Qt::AlignVCenter,
                     textOf(share));
  }
}

QString KernelBars::point(const QPointF& position) {
  const int row = static_cast<int>(std::floor((position.y() - top()) / rowHeight()));
  const int now = row >= 0 && row < static_cast<int>(shares_.size()) ? row : -1;
  if (now != lit_) {
    lit_ = now;
    update();
  }
  if (now < 0) return {};
  const KernelShare& share = shares_[static_cast<std::size_t>(now)];
  return tr("<b>%1</b><br>%2<br>%3 each")
      .arg(toQt(share.kernel).toHtmlEscaped(), textOf(share),
           formatSeconds(share.seconds / static_cast<double>(std::max<std::size_t>(1, share.launches))));
}

void KernelBars::leave() {
  if (lit_ < 0) return;
  lit_ = -1;
  update();
}

std::string KernelBars::csv() const {
  std::string out = "kernel,launches,seconds,share\n";
  for (const KernelShare& share : shares_)
    out += csvCell(share.kernel) + ',' + std::to_string(share.launches) + ',' + csvNumber(share.seconds) + ',' +
           csvNumber(share.share) + '\n';
  return out;
}

}  // namespace sscope

#include "moc_kernel_bars.cpp"
