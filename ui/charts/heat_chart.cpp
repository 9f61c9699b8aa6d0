#include "ui/charts/heat_chart.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr int kReadDigits = 5;

}  // namespace

// The cells, and the strip of the legend right of them.
struct HeatChart::Frame {
  QRectF cells, legend;
  double legendText = 0;  // its width

  [[nodiscard]] QRectF cell(const HeatPlot& plot, std::int64_t column, std::int64_t row) const {
    const double w = cells.width() / static_cast<double>(plot.across.count),
                 h = cells.height() / static_cast<double>(plot.down.count);
    return {cells.left() + w * static_cast<double>(column), cells.top() + h * static_cast<double>(row), w, h};
  }
};

HeatChart::HeatChart(QWidget* parent) : Plot(parent) {}

void HeatChart::setPlot(HeatPlot plot) {
  const bool same = plot.stem == plot_.stem && plot.across.count == plot_.across.count &&
                    plot.down.count == plot_.down.count && !plot.values.empty();
  if (!same) at_.reset();
  plot_ = std::move(plot);
  setTitle(plot_.title, plot_.stem);
  setAccessibleDescription(plot_.note);
  update();
}

double HeatChart::noteHeight() const { return plot_.note.isEmpty() ? 0 : heightOf(plot_.note) + 0.2 * line(); }

HeatChart::Frame HeatChart::frame() const {
  const double em = line();
  const QFontMetricsF metrics(font());
  Frame f;
  QRectF area = below();
  // A low chart leaves the note out, which is also the accessible description.
  constexpr double kLeast = 6;
  const double note = noteHeight();
  area.adjust(0, area.height() - note > kLeast * em ? note : 0, 0, 0);
  double left = 0;
  for (const QString& name : plot_.down.names) left = std::max(left, metrics.horizontalAdvance(name));
  if (plot_.down.names.isEmpty()) left = metrics.horizontalAdvance(QStringLiteral("-0.25"));
  left = std::min(left, area.width() / 3) + 0.4 * em;
  for (const double end : {plot_.low, plot_.high})
    f.legendText = std::max(f.legendText, metrics.horizontalAdvance(toQt(shortNumber(end))));
  f.legendText = std::max(f.legendText, metrics.horizontalAdvance(plot_.unit));
  const double right = 1.3 * em + f.legendText;
  area.adjust(left, 1.6 * em, -right, -2.3 * em);
  const double scale = std::min(area.width() / plot_.across.extent(), area.height() / plot_.down.extent());
  const double w = std::max(0.0, scale * plot_.across.extent()), h = std::max(0.0, scale * plot_.down.extent());
  f.cells = QRectF(area.left() + (area.width() - w) / 2, area.top(), w, h);
  f.legend = QRectF(f.cells.right() + 0.5 * em, f.cells.top(), 0.6 * em, h);
  return f;
}

QImage HeatChart::image() const {
  const std::vector<std::uint32_t> steps = colorSteps(plot_.colors);
  QImage image(static_cast<int>(plot_.across.count), static_cast<int>(plot_.down.count), QImage::Format_RGB32);
  const QRgb none = palette().color(QPalette::Mid).rgb();
  const double range = plot_.high > plot_.low ? plot_.high - plot_.low : 1;
  for (int row = 0; row < image.height(); ++row) {
    auto* to = reinterpret_cast<QRgb*>(image.scanLine(row));
    for (int column = 0; column < image.width(); ++column) {
      const double share = (value(column, row) - plot_.low) / range;
      const auto last = static_cast<double>(steps.size() - 1);
      to[column] = std::isnan(share) ? none : steps[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * last + 0.5)];
    }
  }
  return image;
}

void HeatChart::drawAxes(QPainter& painter, const Frame& f) const {
  const double em = line();
  const QFontMetricsF metrics(font());
  painter.setPen(pale());
  const auto ticks = [&](const HeatAxis& axis, double pixels, double each) {
    std::vector<double> found;
    const double low = axis.first - axis.step / 2, high = low + axis.extent();
    for (const double tick : roundTicks(low, high, std::clamp(static_cast<int>(pixels / each), 2, 8)))
      if (tick >= low - 1e-9 * axis.extent() && tick <= high + 1e-9 * axis.extent()) found.push_back(tick);
    return found;
  };
  const auto share = [](const HeatAxis& axis, double tick) {
    return (tick - axis.first + axis.step / 2) / axis.extent();
  };
  const auto markAcross = [&](double x, const QString& text) {
    const double half = metrics.horizontalAdvance(text) / 2 + 1;
    painter.drawText(QRectF(x - half, f.cells.bottom() + 0.1 * em, 2 * half, em), Qt::AlignCenter, text);
  };
  const auto markDown = [&](double y, const QString& text) {
    const QRectF room(below().left(), y - em / 2, f.cells.left() - 0.3 * em - below().left(), em);
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, room.width()));
  };
  if (plot_.across.names.isEmpty()) {
    for (const double tick : ticks(plot_.across, f.cells.width(), 2.4 * em))
      markAcross(f.cells.left() + share(plot_.across, tick) * f.cells.width(), QString::number(tick, 'g', 4));
  } else if (f.cell(plot_, 0, 0).width() > metrics.horizontalAdvance(QStringLiteral("00"))) {
    const QStringList& names = plot_.across.shortNames.isEmpty() ? plot_.across.names : plot_.across.shortNames;
    for (std::int64_t i = 0; i < plot_.across.count; ++i)
      markAcross(f.cell(plot_, i, 0).center().x(), names.value(static_cast<int>(i)));
  }
  if (plot_.down.names.isEmpty()) {
    for (const double tick : ticks(plot_.down, f.cells.height(), 1.8 * em))
      markDown(f.cells.top() + share(plot_.down, tick) * f.cells.height(), QString::number(tick, 'g', 4));
  } else if (f.cell(plot_, 0, 0).height() > 0.8 * em) {
    for (std::int64_t i = 0; i < plot_.down.count; ++i)
      markDown(f.cell(plot_, 0, i).center().y(), plot_.down.names.value(static_cast<int>(i)));
  }
  painter.drawText(QRectF(below().left(), f.cells.bottom() + 1.1 * em, below().width(), 1.1 * em), Qt::AlignCenter,
                   metrics.elidedText(plot_.across.label, Qt::ElideRight, below().width()));
  painter.drawText(QRectF(below().left(), f.cells.top() - 1.6 * em, below().width(), 1.1 * em),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(plot_.down.label, Qt::ElideRight, below().width()));
}

void HeatChart::drawNumbers(QPainter& painter, const Frame& f) const {
  const QFontMetricsF metrics(font());
  const QRectF first = f.cell(plot_, 0, 0);
  if (first.height() < 1.1 * line() || first.width() < metrics.horizontalAdvance(QStringLiteral("-0.000"))) return;
  const double range = plot_.high > plot_.low ? plot_.high - plot_.low : 1;
  for (std::int64_t row = 0; row < plot_.down.count; ++row)
    for (std::int64_t column = 0; column < plot_.across.count; ++column) {
      const double v = value(column, row);
      if (std::isnan(v)) continue;
      const QColor color = usedColor(plot_.colors, (v - plot_.low) / range);
      painter.setPen(color.lightnessF() > 0.5F ? Qt::black : Qt::white);
      painter.drawText(f.cell(plot_, column, row), Qt::AlignCenter,
                       QString::number(std::abs(v) < 1e-12 ? 0 : v, 'g', 2));
    }
}

void HeatChart::drawLegend(QPainter& painter, const Frame& f) const {
  const double em = line();
  const int steps = std::max(2, static_cast<int>(f.legend.height()));
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (int i = 0; i < steps; ++i) {
    const double share = 1 - (i + 0.5) / steps;
    painter.fillRect(QRectF(f.legend.left(), f.legend.top() + f.legend.height() * i / steps, f.legend.width(),
                            f.legend.height() / steps + 1),
                     usedColor(plot_.colors, share));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pale());
  const auto mark = [&](double y, const QString& text) {
    painter.drawText(QRectF(f.legend.right() + 0.25 * em, y - em / 2, f.legendText + em, em),
                     Qt::AlignLeft | Qt::AlignVCenter, text);
  };
  mark(f.legend.top() + em / 2, toQt(shortNumber(plot_.high)));
  mark(f.legend.bottom() - em / 2, toQt(shortNumber(plot_.low)));
  if (!plot_.unit.isEmpty() && f.legend.height() > 3.5 * em) mark(f.legend.center().y(), plot_.unit);
}

void HeatChart::draw(QPainter& painter) const {
  drawTitle(painter);
  if (!plot_.note.isEmpty() && (empty() || frame().cells.top() > below().top() + noteHeight())) {
    painter.setPen(pale());
    painter.drawText(below(), Qt::TextWordWrap, plot_.note);
  }
  if (empty()) return;
  const Frame f = frame();
  if (f.cells.height() < line() || f.cells.width() < line()) return;
  painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  painter.drawImage(f.cells, image());
  if (plot_.numbers) drawNumbers(painter, f);
  painter.setBrush(Qt::NoBrush);
  if (plot_.framed) {
    painter.setPen(QPen(ink(), 1.4));
    painter.drawRect(f.cell(plot_, (*plot_.framed)[0], (*plot_.framed)[1]));
  }
  if (at_) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.4));
    painter.drawRect(f.cell(plot_, (*at_)[0], (*at_)[1]));
  }
  drawAxes(painter, f);
  drawLegend(painter, f);
}

QString HeatChart::placeText(const HeatAxis& axis, std::int64_t cell) const {
  if (!axis.names.isEmpty()) return axis.names.value(static_cast<int>(cell)).toHtmlEscaped();
  return axis.label.toHtmlEscaped() + QStringLiteral(" ") + numberText(axis.at(cell), kReadDigits);
}

QString HeatChart::reading(std::int64_t column, std::int64_t row) const {
  const double v = value(column, row);
  QString text = std::isnan(v) ? tr("none") : numberText(v, kReadDigits);
  if (!plot_.unit.isEmpty() && !std::isnan(v)) text += QLatin1Char(' ') + plot_.unit;
  return QStringLiteral("<p style='white-space:pre'>%1<br>%2</p>%3 <b>%4</b>")
      .arg(placeText(plot_.across, column), placeText(plot_.down, row), plot_.valueName.toHtmlEscaped(), text);
}

QString HeatChart::point(const QPointF& position) {
  const Frame f = empty() ? Frame() : frame();
  if (empty() || !f.cells.contains(position)) {
    leave();
    return {};
  }
  const auto index = [](double from, double length, std::int64_t count) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(from / length * static_cast<double>(count)), 0,
                                    count - 1);
  };
  at_ = Cell{index(position.x() - f.cells.left(), f.cells.width(), plot_.across.count),
             index(position.y() - f.cells.top(), f.cells.height(), plot_.down.count)};
  update();
  return reading((*at_)[0], (*at_)[1]);
}

void HeatChart::leave() {
  if (!at_) return;
  at_.reset();
  update();
}

void HeatChart::keyPressEvent(QKeyEvent* event) {
  const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if ((right == 0 && down == 0) || empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  const Cell last{plot_.across.count - 1, plot_.down.count - 1};
  Cell now = at_.value_or(plot_.framed.value_or(Cell{plot_.across.count / 2, plot_.down.count / 2}));
  if (at_) {
    now[0] = std::clamp<std::int64_t>(now[0] + right * std::max<std::int64_t>(1, last[0] / 64), 0, last[0]);
    now[1] = std::clamp<std::int64_t>(now[1] + down * std::max<std::int64_t>(1, last[1] / 64), 0, last[1]);
  }
  at_ = now;
  const QString text = reading(now[0], now[1]);
  setAccessibleDescription(text);
  QToolTip::showText(mapToGlobal(frame().cell(plot_, now[0], now[1]).bottomRight().toPoint()), text, this);
  update();
}

std::string HeatChart::csv() const {
  const auto head = [](const HeatAxis& axis, const char* fallback) {
    return csvCell(axis.label.isEmpty() ? std::string(fallback) : fromQt(axis.label));
  };
  const auto place = [](const HeatAxis& axis, std::int64_t cell) {
    return axis.names.isEmpty() ? csvNumber(axis.at(cell)) : csvCell(fromQt(axis.names.value(static_cast<int>(cell))));
  };
  const QString name = plot_.unit.isEmpty() ? plot_.valueName : plot_.valueName + QStringLiteral(", ") + plot_.unit;
  std::string out = head(plot_.across, "column") + ',' + head(plot_.down, "row") + ',' + csvCell(fromQt(name)) + '\n';
  if (empty()) return out;
  for (std::int64_t row = 0; row < plot_.down.count; ++row)
    for (std::int64_t column = 0; column < plot_.across.count; ++column)
      out += place(plot_.across, column) + ',' + place(plot_.down, row) + ',' + csvLine(value(column, row));
  return out;
}

}  // namespace sscope

#include "moc_heat_chart.cpp"
