#include "ui/rooms/compare/difference_chart.h"

#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

using compare::DifferenceHistogram;
using compare::kBinsPerDecade;

// The number of powers of ten on the vertical axis for so many elements.
int decadesOf(const DifferenceHistogram& histogram) {
  const std::int64_t most = *std::ranges::max_element(histogram.counts);
  return std::max(1,
                  static_cast<int>(std::ceil(std::log10(static_cast<double>(std::max<std::int64_t>(most, 1)) + 0.5))));
}

std::size_t down(std::size_t bin) { return bin / kBinsPerDecade * kBinsPerDecade; }

}  // namespace

DifferenceChart::DifferenceChart(QWidget* parent) : Plot(parent) {
  setTitle(tr("Differences"), QStringLiteral("differences"));
}

void DifferenceChart::setPair(std::shared_ptr<const compare::ResultPair> pair) {
  pair_ = std::move(pair);
  hovered_.reset();
  setAccessibleDescription(pair_ ? note() : QString());
  update();
}

// The range of counted and of accepted differences.
DifferenceChart::Range DifferenceChart::shown() const {
  Range range = pair_->histogram.filled();
  const auto take = [&range](double difference) {
    if (!(difference > 0)) return;
    const std::size_t bin = DifferenceHistogram::binOf(difference);
    range = range.begin == range.end ? Range{bin, bin + 1}
                                     : Range{std::min(range.begin, bin), std::max(range.end, bin + 1)};
  };
  if (pair_->accepted) {
    take(pair_->accepted->lowest);
    take(pair_->accepted->highest);
  }
  if (range.begin == range.end) return range;
  return {down(range.begin), std::min(compare::kDifferenceBins, down(range.end + kBinsPerDecade - 1))};
}

QRectF DifferenceChart::area() const {
  const double em = line();
  return below().adjusted(3.2 * em, 1.3 * em, -1.2 * em, -2.3 * em);
}

double DifferenceChart::placeOf(double difference) const {
  const Range range = shown();
  const QRectF plot = area();
  const double place = kBinsPerDecade * (std::log10(difference) - compare::kLowestDecade);
  return plot.left() + plot.width() * (place - static_cast<double>(range.begin)) /
                           static_cast<double>(std::max<std::size_t>(1, range.end - range.begin));
}

QString DifferenceChart::note() const {
  const DifferenceHistogram& histogram = pair_->histogram;
  QString text = tr("%1 equal").arg(formatCount(histogram.equal));
  if (histogram.nonFinite > 0) text += tr(", %1 NaN or Inf on one side only").arg(formatCount(histogram.nonFinite));
  if (!pair_->accepted) return text + tr("; no bound: %1").arg(toQt(pair_->whyNoRange));
  if (pair_->accepted->highest == 0) return text + tr("; all must be equal");
  return text + tr("; rounding explains up to %1 … %2, by element")
                    .arg(numberText(pair_->accepted->lowest, 2), numberText(pair_->accepted->highest, 2));
}

void DifferenceChart::draw(QPainter& painter) const {
  drawTitle(painter);
  const double em = line();
  painter.setPen(quietColor(this));
  if (!pair_) {
    painter.drawText(below(), Qt::AlignCenter | Qt::TextWordWrap, tr("Nothing was compared yet."));
    return;
  }
  const QRectF head(below().left(), below().top() - 0.2 * em, below().width(), 1.2 * em);
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(font()).elidedText(note(), Qt::ElideRight, head.width()));
  const Range range = shown();
  if (range.begin == range.end) {
    painter.drawText(area(), Qt::AlignCenter | Qt::TextWordWrap,
                     pair_->histogram.nonFinite > 0 ? tr("All others are equal.") : tr("All elements are equal."));
    return;
  }
  const int decades = decadesOf(pair_->histogram);
  drawBound(painter);
  drawAxes(painter, range, decades);
  const QRectF plot = area();
  const double width = plot.width() / static_cast<double>(range.end - range.begin);
  for (std::size_t bin = range.begin; bin < range.end; ++bin) {
    const std::int64_t count = pair_->histogram.counts[bin];
    if (count == 0) continue;
    // One element is a tenth of a decade high, so that it is visible.
    const double share = (std::log10(static_cast<double>(count)) + 0.1) / (decades + 0.1);
    const QRectF bar(plot.left() + static_cast<double>(bin - range.begin) * width,
                     plot.bottom() - share * plot.height(), std::max(1.0, width - 1), share * plot.height());
    painter.fillRect(bar, hovered_ == bin ? palette().color(QPalette::Highlight) : palette().color(QPalette::Text));
  }
}

void DifferenceChart::drawAxes(QPainter& painter, const Range& range, int decades) const {
  const QRectF plot = area();
  const double em = line();
  QColor rule = palette().color(QPalette::Text);
  rule.setAlphaF(0.13F);
  const int count = static_cast<int>((range.end - range.begin) / kBinsPerDecade);
  const int every = std::max(1, static_cast<int>(std::ceil(count * 3.2 * em / plot.width())));
  for (int decade = 0; decade <= count; decade += every) {
    const double x = plot.left() + plot.width() * decade / count;
    painter.setPen(QPen(rule, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(quietColor(this));
    const int power = static_cast<int>(range.begin / kBinsPerDecade) + decade + compare::kLowestDecade;
    painter.drawText(QRectF(x - 2 * em, plot.bottom() + 0.1 * em, 4 * em, em), Qt::AlignCenter,
                     QStringLiteral("1e%1").arg(power));
  }
  const int rise = std::max(1, static_cast<int>(std::ceil(decades * 1.4 * em / plot.height())));
  for (int decade = 0; decade <= decades; decade += rise) {
    const double y = plot.bottom() - plot.height() * (decade + 0.1) / (decades + 0.1);
    painter.setPen(QPen(rule, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(quietColor(this));
    painter.drawText(QRectF(below().left(), y - em / 2, plot.left() - below().left() - 0.3 * em, em),
                     Qt::AlignRight | Qt::AlignVCenter,
                     shortCount(static_cast<qint64>(std::llround(std::pow(10, decade)))));
  }
  const QRectF foot(below().left(), plot.bottom() + 1.1 * em, below().width(), 1.1 * em);
  const QString caption = tr("absolute difference; height: elements");
  painter.drawText(foot, Qt::AlignCenter,
                   painter.fontMetrics().elidedText(caption, Qt::ElideRight, static_cast<int>(foot.width())));
}

// Rounding explains differences left of the band everywhere, and differences right of it nowhere.
void DifferenceChart::drawBound(QPainter& painter) const {
  if (!pair_->accepted || !(pair_->accepted->highest > 0)) return;
  const QRectF plot = area();
  QColor color(0xd5, 0x5e, 0x00);
  const double high = placeOf(pair_->accepted->highest);
  const double low = pair_->accepted->lowest > 0 ? placeOf(pair_->accepted->lowest) : plot.left();
  QColor wash = color;
  wash.setAlphaF(0.16F);
  painter.fillRect(QRectF(QPointF(low, plot.top()), QPointF(high, plot.bottom())), wash);
  painter.setPen(QPen(color, 1.6));
  painter.drawLine(QPointF(high, plot.top()), QPointF(high, plot.bottom()));
  painter.setPen(QPen(color, 1, Qt::DashLine));
  painter.drawLine(QPointF(low, plot.top()), QPointF(low, plot.bottom()));
}

QString DifferenceChart::words(std::size_t bin) const {
  return tr("%1 elements differ by %2 to %3")
      .arg(formatCount(pair_->histogram.counts[bin]), numberText(DifferenceHistogram::lowerEdge(bin), 3),
           numberText(DifferenceHistogram::lowerEdge(bin + 1), 3));
}

QString DifferenceChart::point(const QPointF& position) {
  std::optional<std::size_t> bin;
  if (pair_ && area().contains(position))
    if (const Range range = shown(); range.begin < range.end)
      bin = range.begin + static_cast<std::size_t>((position.x() - area().left()) / area().width() *
                                                       static_cast<double>(range.end - range.begin - 1) +
                                                   0.5);
  if (bin != hovered_) {
    hovered_ = bin;
    update();
  }
  return bin ? words(*bin) : QString();
}

void DifferenceChart::leave() {
  hovered_.reset();
  update();
}

void DifferenceChart::keyPressEvent(QKeyEvent* event) {
  const bool on = event->key() == Qt::Key_Right, back = event->key() == Qt::Key_Left;
  const Range range = pair_ ? shown() : Range{};
  if ((!on && !back) || range.begin == range.end) {
    Plot::keyPressEvent(event);
    return;
  }
  const std::size_t now = hovered_.value_or(on ? range.begin - 1 : range.end);
  hovered_ = std::clamp(on ? now + 1 : now - 1, range.begin, range.end - 1);
  setAccessibleDescription(words(*hovered_));
  update();
}

std::string DifferenceChart::csv() const { return pair_ ? toCsv(pair_->histogram) : std::string(); }

}  // namespace sscope

#include "moc_difference_chart.cpp"
