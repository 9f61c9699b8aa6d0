#include "ui/charts/kernel_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr double kDrawableTaps = 1e6;

double tapCount(const Filter& filter) {
  const auto size = filter.size();
  return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

// Blue and orange of Okabe and Ito, toward the background at zero.
QColor heat(double share, const QColor& zero) {
  const QColor full = share >= 0 ? QColor(0xE6, 0x9F, 0x00) : QColor(0x00, 0x72, 0xB2);
  const auto t = static_cast<float>(std::pow(std::min(1.0, std::abs(share)), 0.7));
  return QColor::fromRgbF(zero.redF() + t * (full.redF() - zero.redF()),
                          zero.greenF() + t * (full.greenF() - zero.greenF()),
                          zero.blueF() + t * (full.blueF() - zero.blueF()));
}

QString tapText(double weight) {
  if (weight == std::round(weight) && std::abs(weight) < 1000) return QString::number(weight, 'f', 0);
  return QString::number(weight, 'g', 2);
}

}  // namespace

// A plane of taps: (columns, rows) at one place of the remaining axis; y grows downward as in the slices.
struct KernelView::Slice {
  QString title;
  std::int64_t columns = 1, rows = 1;
  std::int64_t anchorColumn = 0, anchorRow = 0;
  std::vector<double> weights;
  QRectF area{};

  [[nodiscard]] double at(std::int64_t column, std::int64_t row) const {
    return weights[static_cast<std::size_t>(row * columns + column)];
  }
};

KernelView::KernelView(QWidget* parent) : QWidget(parent) {
  setAccessibleName(QStringLiteral("Kernel"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}
KernelView::~KernelView() = default;

void KernelView::setFilter(const Filter& filter) {
  const auto size = filter.size();
  slices_.clear();
  largest_ = 0;
  if (tapCount(filter) <= kDrawableTaps) {
    const DenseTaps taps = filter.expanded();
    for (const double w : taps.weights) largest_ = std::max(largest_, std::abs(w));
    const auto add = [&](std::size_t across, std::size_t down, const QString& title) {
      Slice slice{title, taps.size[across], taps.size[down], taps.anchor[across], taps.anchor[down], {}};
      // Through the heaviest place along the hidden axis: antisymmetric kernels vanish at the anchor.
      const std::size_t hidden = 3 - across - down;
      std::int64_t best = taps.anchor[hidden];
      double bestMass = -1;
      const auto weightAt = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
        std::array<std::int64_t, 3> at{};
        at[across] = i;
        at[down] = j;
        at[hidden] = k;
        return taps.at(at[0], at[1], at[2]);
      };
      for (std::int64_t k = 0; k < taps.size[hidden]; ++k) {
        double mass = 0;
        for (std::int64_t j = 0; j < slice.rows; ++j)
          for (std::int64_t i = 0; i < slice.columns; ++i) mass += std::abs(weightAt(i, j, k));
        const bool anchor = k == taps.anchor[hidden];
        if (mass > bestMass * (1 + 1e-9) || (anchor && mass >= bestMass * (1 - 1e-9))) {
          best = k;
          bestMass = std::max(mass, bestMass);
        }
      }
      for (std::int64_t j = 0; j < slice.rows; ++j)
        for (std::int64_t i = 0; i < slice.columns; ++i) slice.weights.push_back(weightAt(i, j, best));
      if (taps.size[hidden] > 1) {
        static constexpr std::array kAxes{"x", "y", "z"};
        slice.title += QStringLiteral("  %1=%2").arg(QLatin1String(kAxes[hidden])).arg(best - taps.anchor[hidden]);
      }
      slices_.push_back(std::move(slice));
    };
    add(0, 1, QStringLiteral("xy"));
    if (taps.size[2] > 1) {
      add(0, 2, QStringLiteral("xz"));
      add(1, 2, QStringLiteral("yz"));
    }
  }
  caption_ = QStringLiteral("%1×%2×%3 taps").arg(size[0]).arg(size[1]).arg(size[2]);
  setAccessibleDescription(caption_);
  update();
}

void KernelView::clear() {
  slices_.clear();
  caption_.clear();
  update();
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
  const auto count = static_cast<double>(slices_.size());
  const double room = (all.width() - gap * (count - 1)) / std::max(1.0, count);
  const double title = slices_.size() > 1 ? 1.1 * line : 0;
  double x = all.left();
  for (Slice& slice : slices_) {
    const double cell =
        std::min(room / static_cast<double>(slice.columns), (all.height() - title) / static_cast<double>(slice.rows));
    const double w = cell * static_cast<double>(slice.columns), h = cell * static_cast<double>(slice.rows);
    slice.area = QRectF(x + (room - w) / 2, all.top() + title + (all.height() - title - h) / 2, w, h);
    x += room + gap;
  }
}

void KernelView::paintSlice(QPainter& painter, const Slice& slice) const {
  const QColor zero = palette().color(QPalette::Base);
  const double cell = slice.area.width() / static_cast<double>(slice.columns);
  painter.setRenderHint(QPainter::Antialiasing, false);
  QFont small = font();
  bool numbers = false;
  if (cell > 1.5 * QFontMetricsF(font()).height()) {
    double widest = 0;
    for (const double w : slice.weights) widest = std::max(widest, QFontMetricsF(small).horizontalAdvance(tapText(w)));
    const double fits = widest > 0 ? 0.9 * cell / widest : 1;
    numbers = fits > 0.62;  // smaller would not be read
    if (fits < 1) small.setPointSizeF(small.pointSizeF() * fits);
  }
  painter.setFont(small);
  for (std::int64_t row = 0; row < slice.rows; ++row)
    for (std::int64_t column = 0; column < slice.columns; ++column) {
      const double weight = slice.at(column, row);
      const double share = largest_ > 0 ? weight / largest_ : 0;
      const QColor color = heat(share, zero);
      const double left = slice.area.left() + cell * static_cast<double>(column);
      const double top = slice.area.top() + cell * static_cast<double>(row);
      const QRectF box(left, top, cell, cell);
      painter.fillRect(box, color);
      if (!numbers) continue;
      painter.setPen(color.lightnessF() > 0.5F ? Qt::black : Qt::white);
      painter.drawText(box, Qt::AlignCenter, tapText(weight));
    }
  QColor ink = palette().color(QPalette::Text);
  ink.setAlphaF(0.35F);
  painter.setPen(QPen(ink, 1));
  painter.drawRect(slice.area);
  // Which tap meets the voxel itself.
  painter.setPen(QPen(palette().color(QPalette::Text), 1.4));
  painter.drawRect(QRectF(slice.area.left() + cell * static_cast<double>(slice.anchorColumn),
                          slice.area.top() + cell * static_cast<double>(slice.anchorRow), cell, cell));
  if (slices_.size() > 1) {
    painter.setFont(font());
    const double line = QFontMetricsF(font()).height();
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(QRectF(slice.area.center().x() - 6 * line, slice.area.top() - 1.15 * line, 12 * line, line),
                     Qt::AlignCenter, slice.title);
  }
}

void KernelView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const double line = QFontMetricsF(font()).height();
  painter.setPen(palette().color(QPalette::PlaceholderText));
  const QRectF bottom = QRectF(rect()).adjusted(0, height() - 1.25 * line, 0, 0);
  painter.drawText(bottom, Qt::AlignCenter, caption_);
  if (slices_.empty()) {
    painter.drawText(QRectF(rect()).adjusted(0, 0, 0, -1.25 * line), Qt::AlignCenter,
                     caption_.isEmpty() ? QStringLiteral("no filter") : QStringLiteral("too large to draw"));
    return;
  }
  arrange();
  for (const Slice& slice : slices_) paintSlice(painter, slice);
}

bool KernelView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const Slice& slice : slices_) {
    if (!slice.area.contains(help->pos())) continue;
    const double cell = slice.area.width() / static_cast<double>(slice.columns);
    const auto column = std::clamp<std::int64_t>(
        static_cast<std::int64_t>((help->pos().x() - slice.area.left()) / cell), 0, slice.columns - 1);
    const auto row = std::clamp<std::int64_t>(static_cast<std::int64_t>((help->pos().y() - slice.area.top()) / cell), 0,
                                              slice.rows - 1);
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("%1 at offset (%2, %3)")
                           .arg(slice.at(column, row), 0, 'g', 9)
                           .arg(column - slice.anchorColumn)
                           .arg(row - slice.anchorRow),
                       this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

}  // namespace sscope
