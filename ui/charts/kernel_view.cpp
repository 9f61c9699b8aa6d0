#include "ui/charts/kernel_view.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "ui/charts/color_scale.h"

namespace sscope {

namespace {

// A term's weight along one axis of the whole box, zero outside the term.
std::vector<double> padded(const AxisTaps& taps, std::int64_t anchor, std::int64_t size) {
  std::vector<double> weights(static_cast<std::size_t>(size), 0.0);
  std::ranges::copy(taps.weights, weights.begin() + (anchor - taps.anchor));
  return weights;
}

// The taps, a row along x at a time.
class TapRows {
 public:
  explicit TapRows(const Stencil& filter) : filter_(filter), size_(filter.size()) {
    const auto anchor = filter.anchor();
    for (const SeparableTerm& term : filter.terms) {
      auto& axes = terms_.emplace_back();
      for (std::size_t a = 0; a < 3; ++a) axes[a] = padded(term.axis[a], anchor[a], size_[a]);
    }
  }

  void read(std::int64_t y, std::int64_t z, std::vector<double>& row) const {
    if (!filter_.separable()) {
      const auto first = filter_.dense.weights.begin() + (z * size_[1] + y) * size_[0];
      row.assign(first, first + size_[0]);
      return;
    }
    row.assign(static_cast<std::size_t>(size_[0]), 0.0);
    for (const auto& [alongX, alongY, alongZ] : terms_) {
      const double factor = alongY[static_cast<std::size_t>(y)] * alongZ[static_cast<std::size_t>(z)];
      for (std::size_t x = 0; x < row.size(); ++x) row[x] += factor * alongX[x];
    }
  }

 private:
  const Stencil& filter_;
  std::array<std::int64_t, 3> size_;
  std::vector<std::array<std::vector<double>, 3>> terms_;
};

std::int64_t heaviest(const std::vector<double>& masses, std::int64_t anchor) {
  std::int64_t best = anchor;
  for (std::size_t k = 0; k < masses.size(); ++k)
    if (masses[k] > masses[static_cast<std::size_t>(best)] * (1 + 1e-9)) best = static_cast<std::int64_t>(k);
  return best;
}

// Up to this number of taps the picture takes well under a millisecond, on the window's thread.
constexpr std::int64_t kQuickTaps = 8000;
constexpr std::int64_t kDrawableTaps = 30'000'000;

QString tapText(double weight) {
  if (weight == std::round(weight) && std::abs(weight) < 1000) return QString::number(weight, 'f', 0);
  return QString::number(weight, 'g', 2);
}

// 1 at each member of the window.
Stencil drawn(const RankWindow& window) {
  Stencil picture;
  picture.dense = {window.size, window.anchor, {}};
  picture.dense.weights.assign(static_cast<std::size_t>(window.size[0] * window.size[1] * window.size[2]), 0.0);
  for (const auto& [x, y, z] : window.members)
    picture.dense.weights[static_cast<std::size_t>((z * window.size[1] + y) * window.size[0] + x)] = 1;
  return picture;
}

// The weights of equal values.
Stencil drawn(const RangeWindow& window) {
  Stencil picture;
  const auto [x, y, z] = window.reach;
  picture.dense = {{2 * x + 1, 2 * y + 1, 2 * z + 1}, window.reach, {}};
  for (const double exponent : rangeExponents(window)) picture.dense.weights.push_back(std::exp2(exponent));
  picture.dense.weights[picture.dense.weights.size() / 2] = 1;
  return picture;
}

// For operators without taps, the weights of the values that they read.
Stencil drawn(const Operator& op) {
  if (op.stencil() != nullptr) return *op.stencil();
  if (op.entropy() != nullptr) return drawn(op.entropy()->shape);
  return op.range() != nullptr ? drawn(*op.range()) : drawn(*op.window());
}

}  // namespace

KernelSlices kernelSlices(const Stencil& filter, const Control& control) {
  const auto size = filter.size();
  const auto anchor = filter.anchor();
  const TapRows taps(filter);
  KernelSlices out;
  std::array<std::vector<double>, 3> masses;
  for (std::size_t a = 0; a < 3; ++a) masses[a].assign(static_cast<std::size_t>(size[a]), 0.0);
  std::vector<double> row;
  for (std::int64_t z = 0; z < size[2]; ++z) {
    control.check();
    for (std::int64_t y = 0; y < size[1]; ++y) {
      taps.read(y, z, row);
      double mass = 0;
      for (std::size_t x = 0; x < row.size(); ++x) {
        const double weight = std::abs(row[x]);
        mass += weight;
        masses[0][x] += weight;
        out.largest = std::max(out.largest, weight);
      }
      masses[1][static_cast<std::size_t>(y)] += mass;
      masses[2][static_cast<std::size_t>(z)] += mass;
    }
  }

  const auto add = [&](std::size_t across, std::size_t down) {
    KernelSlice slice;
    slice.across = across;
    slice.down = down;
    slice.hidden = 3 - across - down;
    const std::int64_t at = heaviest(masses[slice.hidden], anchor[slice.hidden]);
    slice.offset = at - anchor[slice.hidden];
    slice.thickness = size[slice.hidden];
    slice.columns = size[across];
    slice.rows = size[down];
    slice.anchorColumn = anchor[across];
    slice.anchorRow = anchor[down];
    for (std::int64_t j = 0; j < slice.rows; ++j) {
      std::array<std::int64_t, 3> place{};
      place[slice.hidden] = at;
      place[down] = j;
      for (std::int64_t i = 0; i < slice.columns; ++i) {
        place[across] = i;
        // Rows along x are read whole; a plane across x takes one tap of each.
        if (i == 0 || across != 0) taps.read(place[1], place[2], row);
        slice.weights.push_back(row[static_cast<std::size_t>(place[0])]);
      }
    }
    out.slices.push_back(std::move(slice));
  };
  add(0, 1);
  if (size[2] > 1) {
    add(0, 2);
    add(1, 2);
  }
  return out;
}

struct KernelView::Plane {
  KernelSlice taps;
  QString title;
  QImage image{};  // a pixel for each tap; made when it is painted first
  QRectF area{};
};

KernelView::KernelView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Kernel"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}
KernelView::~KernelView() = default;

void KernelView::setOperator(const Operator& shown) {
  if (shown.formula() != nullptr) {
    clear();
    return;
  }
  const Stencil filter = drawn(shown);
  const auto size = filter.size();
  QString caption = QStringLiteral("%1×%2").arg(size[0]).arg(size[1]);
  if (size[2] > 1) caption += QStringLiteral("×%1").arg(size[2]);
  caption = shown.stencil() != nullptr ? tr("%1 taps").arg(caption)
            : shown.range() != nullptr ? tr("%1 voxels, weights of equal values").arg(caption)
                                       : tr("%1 voxels, %2 used").arg(caption).arg(shown.taps());
  task_.cancel();
  if (filter.denseTaps() > kDrawableTaps) {
    showSlices({}, caption);
  } else if (filter.denseTaps() <= kQuickTaps) {
    showSlices(kernelSlices(filter, {}), caption);
  } else {
    task_.start([this, filter, caption](const Control& control) -> BackgroundTask::Finish {
      auto made = std::make_shared<KernelSlices>(kernelSlices(filter, control));
      return [this, made, caption] { showSlices(std::move(*made), caption); };
    });
  }
}

void KernelView::showSlices(KernelSlices made, const QString& caption) {
  static constexpr std::array kAxes{"x", "y", "z"};
  planes_.clear();
  for (KernelSlice& slice : made.slices) {
    QString title = QLatin1String(kAxes[slice.across]) + QLatin1String(kAxes[slice.down]);
    if (slice.thickness > 1)
      title += QStringLiteral("  %1=%2").arg(QLatin1String(kAxes[slice.hidden])).arg(slice.offset);
    planes_.push_back({std::move(slice), title});
  }
  largest_ = made.largest;
  caption_ = caption;
  setAccessibleDescription(caption_);
  update();
}

void KernelView::clear() {
  task_.cancel();
  showSlices({}, {});
}

void KernelView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange)
    for (Plane& plane : planes_) plane.image = {};
  QWidget::changeEvent(event);
}

QImage KernelView::imageOf(const KernelSlice& taps) const {
  const QColor zero = palette().color(QPalette::Base);
  QImage image(static_cast<int>(taps.columns), static_cast<int>(taps.rows), QImage::Format_RGB32);
  for (int row = 0; row < image.height(); ++row)
    for (int column = 0; column < image.width(); ++column)
      image.setPixel(column, row, tapColor(largest_ > 0 ? taps.at(column, row) / largest_ : 0, zero).rgb());
  return image;
}

QSize KernelView::sizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(16 * line), static_cast<int>(8.2 * line)};
}
QSize KernelView::minimumSizeHint() const {
  const double line = QFontMetricsF(font()).height();
  return {static_cast<int>(8 * line), static_cast<int>(6 * line)};
}

void KernelView::arrange() {
  const double line = QFontMetricsF(font()).height();
  const QRectF all = QRectF(rect()).adjusted(0.25 * line, 0.25 * line, -0.25 * line, -1.4 * line);
  const double gap = 0.6 * line;
  const auto count = static_cast<double>(planes_.size());
  const double room = (all.width() - gap * (count - 1)) / std::max(1.0, count);
  const double title = planes_.size() > 1 ? 1.1 * line : 0;
  double x = all.left();
  for (Plane& plane : planes_) {
    const double cell = std::min(room / static_cast<double>(plane.taps.columns),
                                 (all.height() - title) / static_cast<double>(plane.taps.rows));
    const double w = cell * static_cast<double>(plane.taps.columns), h = cell * static_cast<double>(plane.taps.rows);
    plane.area = QRectF(x + (room - w) / 2, all.top() + title + (all.height() - title - h) / 2, w, h);
    x += room + gap;
  }
}

void KernelView::paintPlane(QPainter& painter, Plane& plane) const {
  const KernelSlice& taps = plane.taps;
  const double cell = plane.area.width() / static_cast<double>(taps.columns);
  const auto box = [&](std::int64_t column, std::int64_t row) {
    return QRectF(plane.area.left() + cell * static_cast<double>(column),
                  plane.area.top() + cell * static_cast<double>(row), cell, cell);
  };
  if (plane.image.isNull()) plane.image = imageOf(taps);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(plane.area, plane.image);
  if (cell > 1.5 * QFontMetricsF(font()).height()) {
    QFont small = font();
    double widest = 0;
    for (const double w : taps.weights) widest = std::max(widest, QFontMetricsF(small).horizontalAdvance(tapText(w)));
    const double fits = widest > 0 ? 0.9 * cell / widest : 1;
    if (fits < 1) small.setPointSizeF(small.pointSizeF() * fits);
    painter.setFont(small);
    for (std::int64_t row = 0; row < taps.rows && fits > 0.62; ++row)  // smaller is unreadable
      for (std::int64_t column = 0; column < taps.columns; ++column) {
        const QColor color = plane.image.pixelColor(static_cast<int>(column), static_cast<int>(row));
        painter.setPen(inkOn(color));
        painter.drawText(box(column, row), Qt::AlignCenter, tapText(taps.at(column, row)));
      }
  }
  QColor ink = palette().color(QPalette::Text);
  ink.setAlphaF(0.35F);
  painter.setPen(QPen(ink, 1));
  painter.drawRect(plane.area);
  // The anchor.
  painter.setPen(QPen(palette().color(QPalette::Text), 1.4));
  painter.drawRect(box(taps.anchorColumn, taps.anchorRow));
  if (planes_.size() > 1) {
    painter.setFont(font());
    const double line = QFontMetricsF(font()).height();
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRectF(plane.area.center().x() - 6 * line, plane.area.top() - 1.15 * line, 12 * line, line),
                     Qt::AlignCenter, plane.title);
  }
}

void KernelView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const double line = QFontMetricsF(font()).height();
  painter.setPen(palette().color(QPalette::PlaceholderText));
  const QRectF bottom = QRectF(rect()).adjusted(0, height() - 1.25 * line, 0, 0);
  painter.drawText(bottom, Qt::AlignCenter, caption_);
  if (planes_.empty()) {
    painter.drawText(QRectF(rect()).adjusted(0, 0, 0, -1.25 * line), Qt::AlignCenter,
                     caption_.isEmpty() ? tr("no taps") : tr("too large to draw"));
    return;
  }
  arrange();
  for (Plane& plane : planes_) paintPlane(painter, plane);
}

bool KernelView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const Plane& plane : planes_) {
    if (!plane.area.contains(help->pos())) continue;
    const KernelSlice& taps = plane.taps;
    const double cell = plane.area.width() / static_cast<double>(taps.columns);
    const auto index = [cell](double pixels, std::int64_t count) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(pixels / cell), 0, count - 1);
    };
    const auto column = index(help->pos().x() - plane.area.left(), taps.columns);
    const auto row = index(help->pos().y() - plane.area.top(), taps.rows);
    QToolTip::showText(help->globalPos(),
                       tr("%1 at offset (%2, %3)")
                           .arg(taps.at(column, row), 0, 'g', 9)
                           .arg(column - taps.anchorColumn)
                           .arg(row - taps.anchorRow),
                       this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

}  // namespace sscope

#include "moc_kernel_view.cpp"
