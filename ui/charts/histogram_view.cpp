#include "ui/charts/histogram_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <optional>
#include <vector>

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include "ui/base/background_task.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr int kBins = 256;

// At most four powers of ten up to `most`, from 1.
std::vector<std::int64_t> countTicks(std::int64_t most) {
  int decades = 0;
  for (std::int64_t power = 1; power <= most / 10; power *= 10) ++decades;
  const int step = decades / 3 + 1;
  std::vector<std::int64_t> ticks;
  std::int64_t power = 1;
  for (int decade = 0; decade <= decades; ++decade, power *= 10)
    if (decade % step == 0) ticks.push_back(power);
  return ticks;
}

QString valueText(const Histogram& of, double value) { return of.whole ? numberText(value) : formatNumber(value); }

// Two different values get the digits in which they differ.
std::array<QString, 2> valueTexts(const Histogram& of, double low, double high) {
  std::array<QString, 2> texts{valueText(of, low), valueText(of, high)};
  if (texts[0] == texts[1] && low < high) texts = formatEnds(low, high);
  return texts;
}

QString binText(const Histogram& of, std::int64_t bin) {
  const double low = of.edge(bin), high = of.edge(bin + 1);
  // The edges of bins of integers are between the integers.
  const double margin = of.whole ? 0.5 : 0, first = low + margin, last = std::max(first, high - margin);
  if (of.whole && first == last) return valueText(of, first);
  const auto [from, to] = valueTexts(of, first, last);
  return HistogramView::tr("%1 to %2").arg(from, to);
}

}  // namespace

struct HistogramView::Impl {
  HistogramView& view;
  Histogram histogram{};
  QString note{};
  bool counting = false;
  std::optional<std::array<double, 2>> window{};
  int grabbed = -1;       // 0 or 1: the marker under the mouse button
  BackgroundTask task{};  // last: it ends before the others are destroyed

  [[nodiscard]] QRectF plot() const {
    const double line = view.line();
    return QRectF(view.rect()).adjusted(countsWidth() + 0.5 * line, 0.7 * line, -0.5 * line, -1.4 * line);
  }
  [[nodiscard]] std::int64_t most() const {
    return histogram.counts.empty() ? 0 : *std::ranges::max_element(histogram.counts);
  }
  // The width of the numbers of the count axis at the left.
  [[nodiscard]] double countsWidth() const {
    if (histogram.counts.empty()) return 0;
    double width = 0;
    for (const std::int64_t tick : countTicks(most()))
      width = std::max(width, QFontMetricsF(view.font()).horizontalAdvance(shortCount(tick)));
    return width;
  }
  // The share of the height for a count: logarithmic, with 1 a little above the axis, so that a single voxel is visible
  // beside a background of millions.
  [[nodiscard]] double shareOf(std::int64_t count) const {
    return count < 1 ? 0 : std::log(2.0 * static_cast<double>(count)) / std::log(2.0 * static_cast<double>(most()));
  }
  [[nodiscard]] double xOf(double value) const {
    const QRectF p = plot();
    return p.left() + histogram.position(value) * p.width();
  }
  [[nodiscard]] double valueAt(double x) const {
    const QRectF p = plot();
    return std::lerp(histogram.low, histogram.high, (x - p.left()) / p.width());
  }
  [[nodiscard]] double markerX(std::size_t i) const {
    const QRectF p = plot();
    return std::clamp(xOf((*window)[i]), p.left(), p.right());
  }
  [[nodiscard]] int markerNear(double x) const {
    if (!window || histogram.counts.empty()) return -1;
    const double reach = 0.6 * view.line();
    const double toLow = std::abs(x - markerX(0)), toHigh = std::abs(x - markerX(1));
    if (std::min(toLow, toHigh) > reach) return -1;
    return toLow < toHigh ? 0 : 1;
  }
  void draw(QPainter& painter) const;
  void drawCountAxis(QPainter& painter, const QRectF& area) const;
  void drawMarkers(QPainter& painter, const QRectF& area) const;
};

void HistogramView::Impl::draw(QPainter& painter) const {
  const QRectF area = plot();
  const double line = view.line();
  if (histogram.counts.empty()) {
    painter.setPen(view.pale());
    painter.drawText(view.rect(), Qt::AlignCenter,
                     counting ? HistogramView::tr("counting…") : HistogramView::tr("no data"));
    return;
  }
  drawCountAxis(painter, area);
  QPainterPath shape;
  shape.moveTo(area.bottomLeft());
  const double width = area.width() / static_cast<double>(histogram.counts.size());
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double x = area.left() + static_cast<double>(i) * width;
    const double y = area.bottom() - shareOf(histogram.counts[i]) * area.height();
    shape.lineTo(x, y);
    shape.lineTo(x + width, y);
  }
  shape.lineTo(area.bottomRight());
  shape.closeSubpath();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillPath(shape, view.wash(0.75F));
  painter.setPen(QPen(view.ink(kAxis), 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());

  painter.setPen(view.pale());
  const QRectF labels(area.left(), area.bottom() + 0.15 * line, area.width(), 1.2 * line);
  const auto [least, most] = valueTexts(histogram, histogram.least, histogram.most);
  painter.drawText(labels, Qt::AlignLeft | Qt::AlignTop, least);
  painter.drawText(labels, Qt::AlignRight | Qt::AlignTop, most);
  const QString caption = histogram.nonFinite > 0
                              ? HistogramView::tr("value · %1 not finite").arg(formatCount(histogram.nonFinite))
                              : HistogramView::tr("value (log count)");
  const QFontMetricsF metrics(view.font());
  if (!note.isEmpty())
    painter.drawText(area, Qt::AlignRight | Qt::AlignTop, metrics.elidedText(note, Qt::ElideRight, area.width()));
  const double ends = std::max(metrics.horizontalAdvance(least), metrics.horizontalAdvance(most));
  if (metrics.horizontalAdvance(caption) + 2 * ends + line <= area.width())
    painter.drawText(labels, Qt::AlignHCenter | Qt::AlignTop, caption);
  if (window) drawMarkers(painter, area);
}

void HistogramView::Impl::drawCountAxis(QPainter& painter, const QRectF& area) const {
  const double line = view.line();
  for (const std::int64_t tick : countTicks(most())) {
    const double y = std::round(area.bottom() - shareOf(tick) * area.height()) + 0.5;
    painter.setPen(QPen(view.ink(kGrid), 1));
    painter.drawLine(QPointF(area.left() - 0.2 * line, y), QPointF(area.right(), y));
    painter.setPen(view.pale());
    painter.drawText(QRectF(0, y - line / 2, area.left() - 0.3 * line, line), Qt::AlignRight | Qt::AlignVCenter,
                     shortCount(tick));
  }
}

void HistogramView::Impl::drawMarkers(QPainter& painter, const QRectF& area) const {
  const double line = view.line();
  QColor shade = view.palette().color(QPalette::Base);
  shade.setAlphaF(0.55F);
  painter.fillRect(QRectF(area.topLeft(), QPointF(markerX(0), area.bottom())), shade);
  painter.fillRect(QRectF(QPointF(markerX(1), area.top()), area.bottomRight()), shade);
  for (std::size_t i = 0; i < 2; ++i) {
    const double x = markerX(i);
    painter.setPen(QPen(view.ink(), 1.3));
    painter.drawLine(QPointF(x, area.top() - 0.25 * line), QPointF(x, area.bottom()));
    // The handles show which value becomes black and which white.
    painter.setBrush(i == 0 ? Qt::black : Qt::white);
    painter.setPen(QPen(view.ink(), 1));
    painter.drawEllipse(QPointF(x, area.top() - 0.3 * line), 0.26 * line, 0.26 * line);
  }
}

HistogramView::HistogramView(QWidget* parent) : Chart(parent), impl_(std::make_unique<Impl>(*this)) {
  setAccessibleName(tr("Histogram"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

HistogramView::~HistogramView() = default;

const Histogram& HistogramView::histogram() const { return impl_->histogram; }

void HistogramView::setVolume(const std::shared_ptr<const Volume>& volume, int component) {
  impl_->histogram = {};
  setArray(volume && !volume->empty() ? hostArray({}, volume) : nullptr, component);
}

void HistogramView::setArray(std::shared_ptr<ResidentArray> array, int component) {
  Impl& i = *impl_;
  i.counting = array != nullptr;
  if (!array) {
    i.histogram = {};
    if (i.task.busy()) i.task.cancel();
  } else {
    i.task.start([this, array = std::move(array), component](const Control& control) -> BackgroundTask::Finish {
      Histogram made;
      try {
        made = makeHistogram(*array, wholeBox(array->spec()), component, kBins, control);
      } catch (const Canceled&) {
        throw;
      } catch (const std::exception&) {
        made = {};  // no memory for the bins, or the array is lost: an empty picture
      }
      return [this, made = std::move(made)] {
        impl_->histogram = made;
        impl_->counting = false;
        const std::array<QString, 2> ends = valueTexts(made, made.least, made.most);
        setAccessibleDescription(tr("Values from %1 to %2").arg(ends[0], ends[1]));
        update();
        Q_EMIT histogramReady();
      };
    });
  }
  update();
}

bool HistogramView::stopCounting() {
  if (!impl_->task.busy()) return false;
  impl_->task.cancel();
  return true;
}

void HistogramView::setWindow(std::optional<std::array<double, 2>> window) {
  impl_->window = window;
  update();
}

QSize HistogramView::sizeHint() const { return {static_cast<int>(16 * line()), static_cast<int>(6.2 * line())}; }
QSize HistogramView::minimumSizeHint() const { return {static_cast<int>(8 * line()), static_cast<int>(4.5 * line())}; }

void HistogramView::draw(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing, false);
  impl_->draw(painter);
}

void HistogramView::setNote(const QString& note) {
  impl_->note = note;
  update();
}

std::string HistogramView::csv() const {
  std::string out = impl_->note.isEmpty() ? std::string() : "# " + fromQt(impl_->note) + '\n';
  out += "from,to,count\n";
  const Histogram& h = impl_->histogram;
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    const auto bin = static_cast<std::int64_t>(i);
    out += csvLine(h.edge(bin), h.edge(bin + 1), h.counts[i]);
  }
  return out;
}

void HistogramView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) impl_->grabbed = impl_->markerNear(event->position().x());
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
  Impl& i = *impl_;
  setCursor(i.grabbed >= 0 || i.markerNear(event->position().x()) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
  if (i.grabbed < 0 || !i.window || i.histogram.counts.empty()) return;
  auto window = *i.window;
  const double least = 1e-3 * i.histogram.high - 1e-3 * i.histogram.low;
  const double value = i.valueAt(event->position().x());
  if (i.grabbed == 0) {
    window[0] = std::min(value, window[1] - least);
  } else {
    window[1] = std::max(value, window[0] + least);
  }
  setWindow(window);
  Q_EMIT windowEdited(window[0], window[1]);
}

void HistogramView::mouseReleaseEvent(QMouseEvent*) { impl_->grabbed = -1; }

QString HistogramView::point(const QPointF& position) {
  const Histogram& h = impl_->histogram;
  if (h.counts.empty()) return {};
  const double place = std::floor(h.position(impl_->valueAt(position.x())) * static_cast<double>(h.counts.size()));
  if (place < 0 || place >= static_cast<double>(h.counts.size())) return {};
  const auto bin = static_cast<std::int64_t>(place);
  return tr("%1: %2 voxels").arg(binText(h, bin), formatCount(h.counts[static_cast<std::size_t>(bin)]));
}

}  // namespace sscope

#include "moc_histogram_view.cpp"
