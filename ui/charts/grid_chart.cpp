#include "ui/charts/grid_chart.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "ui/base/look.h"

namespace sscope {

namespace {

// In lines of text.
constexpr double kLeastRow = 1.5, kMostRow = 3.2, kLeastColumn = 5, kMostColumn = 14, kNamesMost = 16;
constexpr float kWash = 0.45F, kHatch = 0.35F, kHatchInDark = 0.6F;

}  // namespace

GridChart::GridChart(QWidget* parent) : Plot(parent) {}

void GridChart::setPlot(GridPlot plot) {
  plot_ = std::move(plot);
  setTitle(plot_.title, plot_.stem);
  if (chosen_ && *chosen_ >= plot_.cells.size()) chosen_.reset();
  if (!chosen_) setAccessibleDescription(plot_.cells.empty() ? plot_.empty : plot_.note);
  updateGeometry();
  update();
}

QSize GridChart::sizeHint() const {
  const double height = 4 + static_cast<double>(rows()) * 2.2;
  return {em(this, 30), em(this, std::max(14.0, height))};
}

QSize GridChart::minimumSizeHint() const {
  const double inner = 4.2 * line() + noteHeight() + static_cast<double>(rows()) * kLeastRow * line();
  const double width = namesWidth() + (1 + kLeastColumn * static_cast<double>(columns())) * line();
  return {std::max(em(this, 14), static_cast<int>(width)), std::max(em(this, 8), static_cast<int>(inner))};
}

double GridChart::namesWidth() const {
  const QFontMetricsF metrics(font());
  double width = metrics.horizontalAdvance(plot_.corner);
  for (const QString& name : plot_.down) width = std::max(width, metrics.horizontalAdvance(name));
  return std::min(width + 0.8 * line(), kNamesMost * line());
}

double GridChart::noteHeight() const { return plot_.note.isEmpty() ? 0 : heightOf(plot_.note) + 0.4 * line(); }

// Two lines if a name of two words is too long for one.
double GridChart::headHeight() const {
  const double cell = (width() - line() - namesWidth()) / static_cast<double>(std::max<std::size_t>(1, columns()));
  const bool two = std::ranges::any_of(plot_.across, [&](const QString& name) {
    return name.contains(QLatin1Char(' ')) &&
           QFontMetricsF(font()).horizontalAdvance(name) > std::min(cell, kMostColumn * line()) - 0.4 * line();
  });
  return (two ? 2.3 : 1.3) * line();
}

QRectF GridChart::grid() const {
  const QRectF room = below().adjusted(namesWidth(), noteHeight() + headHeight(), 0, 0);
  if (columns() == 0 || rows() == 0) return {room.topLeft(), QSizeF(0, 0)};
  const double wide = std::min(room.width() / static_cast<double>(columns()), kMostColumn * line());
  const double high = std::clamp(room.height() / static_cast<double>(rows()), kLeastRow * line(), kMostRow * line());
  return {room.topLeft(), QSizeF(wide * static_cast<double>(columns()), high * static_cast<double>(rows()))};
}

QRectF GridChart::cellArea(std::size_t cell) const {
  const QRectF all = grid();
  const double wide = all.width() / static_cast<double>(columns()), high = all.height() / static_cast<double>(rows());
  return {all.left() + static_cast<double>(cell % columns()) * wide,
          all.top() + static_cast<double>(cell / columns()) * high, wide, high};
}

std::optional<std::size_t> GridChart::cellAt(const QPointF& position) const {
  const QRectF all = grid();
  if (plot_.cells.empty() || !all.contains(position)) return {};
  const auto place = [](double at, double length, std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(at / length * static_cast<double>(count)));
  };
  return place(position.y() - all.top(), all.height(), rows()) * columns() +
         place(position.x() - all.left(), all.width(), columns());
}

void GridChart::draw(QPainter& painter) const {
  drawTitle(painter);
  painter.setPen(quietColor(this));
  const QRectF room = below();
  if (!plot_.note.isEmpty())
    painter.drawText(QRectF(room.left(), room.top(), room.width(), noteHeight()), Qt::TextWordWrap, plot_.note);
  if (plot_.cells.empty()) {
    painter.drawText(room.adjusted(0, noteHeight(), 0, 0), Qt::AlignCenter | Qt::TextWordWrap, plot_.empty);
    return;
  }
  drawNames(painter);
  for (std::size_t i = 0; i < plot_.cells.size(); ++i) drawCell(painter, plot_.cells[i], cellArea(i));
  if (!chosen_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
  painter.drawRect(cellArea(*chosen_).adjusted(1, 1, -1, -1));
}

void GridChart::drawNames(QPainter& painter) const {
  const QRectF all = grid();
  const double em = line();
  const QFontMetricsF metrics(font());
  const auto elided = [&](const QString& text, double width) {
    return metrics.elidedText(text, Qt::ElideRight, width);
  };
  painter.drawText(QRectF(below().left(), all.top() - 1.3 * em, namesWidth(), 1.2 * em), Qt::AlignVCenter,
                   elided(plot_.corner, namesWidth() - 0.4 * em));
  painter.setPen(ink());
  for (std::size_t c = 0; c < columns(); ++c) {
    const QRectF cell = cellArea(c);
    QStringList lines{plot_.across[static_cast<qsizetype>(c)]};
    if (headHeight() > 2 * em)
      lines = {lines[0].section(QLatin1Char(' '), 0, 0), lines[0].section(QLatin1Char(' '), 1)};
    double top = cell.top() - headHeight();
    for (const QString& text : lines) {
      painter.drawText(QRectF(cell.left(), top, cell.width(), 1.1 * em), Qt::AlignCenter,
                       elided(text, cell.width() - 0.4 * em));
      top += 1.05 * em;
    }
  }
  for (std::size_t r = 0; r < rows(); ++r) {
    const QRectF cell = cellArea(r * columns());
    painter.drawText(QRectF(below().left(), cell.top(), namesWidth() - 0.5 * em, cell.height()),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     elided(plot_.down[static_cast<qsizetype>(r)], namesWidth() - 0.6 * em));
  }
}

// A stripe of the color at the left; the rest is tinted or hatched, so that the text stays readable.
void GridChart::drawCell(QPainter& painter, const GridCell& cell, const QRectF& area) const {
  const double em = line(), stripe = 0.35 * em;
  const QRectF inner = area.adjusted(1, 1, -1, -1);
  if (cell.color.isValid()) {
    QColor shade = cell.color;
    shade.setAlphaF(cell.fill == GridCell::Fill::Solid ? kWash : darkPalette(this) ? kHatchInDark : kHatch);
    if (cell.fill != GridCell::Fill::None)
      painter.fillRect(inner, QBrush(shade, cell.fill == GridCell::Fill::Solid ? Qt::SolidPattern : Qt::BDiagPattern));
    painter.fillRect(QRectF(inner.topLeft(), QSizeF(stripe, inner.height())), cell.color);
  } else {
    painter.fillRect(inner, QBrush(ink(kGrid), Qt::Dense7Pattern));
  }
  const QRectF text = inner.adjusted(stripe + 0.35 * em, 0, -0.2 * em, 0);
  const QFontMetricsF metrics(font());
  const bool two = text.height() >= 2.1 * em && !cell.detail.isEmpty();
  painter.setPen(ink());
  if (two) {
    const QRectF upper(text.left(), text.center().y() - 1.05 * em, text.width(), em);
    painter.drawText(upper, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(cell.title, Qt::ElideRight, text.width()));
    painter.setPen(quietColor(this));
    painter.drawText(upper.translated(0, 1.05 * em), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(cell.detail, Qt::ElideRight, text.width()));
    return;
  }
  const QString both = cell.detail.isEmpty() ? cell.title : cell.title + QLatin1Char(' ') + cell.detail;
  painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(both, Qt::ElideRight, text.width()));
}

QString GridChart::point(const QPointF& position) {
  if (const auto cell = cellAt(position))
    return QStringLiteral("<p>%1</p>").arg(plot_.cells[*cell].words.toHtmlEscaped());
  const QRectF all = grid();
  if (plot_.cells.empty() || position.x() >= all.left() || position.y() < all.top() || position.y() >= all.bottom())
    return {};
  const auto row = static_cast<qsizetype>((position.y() - all.top()) / all.height() * static_cast<double>(rows()));
  return row < plot_.explanations.size() ? QStringLiteral("<p>%1</p>").arg(plot_.explanations[row].toHtmlEscaped())
                                         : QString();
}

void GridChart::choose(std::size_t cell) {
  chosen_ = cell;
  setAccessibleDescription(plot_.cells[cell].words);
  QAccessibleEvent change(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&change);
  update();
}

void GridChart::activate() {
  if (chosen_) Q_EMIT cellActivated(static_cast<int>(*chosen_ % columns()), static_cast<int>(*chosen_ / columns()));
}

void GridChart::mousePressEvent(QMouseEvent* event) {
  const auto cell = event->button() == Qt::LeftButton ? cellAt(event->position()) : std::nullopt;
  if (cell) {
    choose(*cell);
    activate();
  }
  Plot::mousePressEvent(event);
}

void GridChart::keyPressEvent(QKeyEvent* event) {
  if (plot_.cells.empty()) {
    Plot::keyPressEvent(event);
    return;
  }
  const auto wide = static_cast<int>(columns()), high = static_cast<int>(rows());
  const int now = chosen_ ? static_cast<int>(*chosen_) : 0;
  int column = now % wide, row = now / wide;
  const bool moved = chosen_.has_value();  // the first arrow key chooses the first cell
  switch (event->key()) {
    case Qt::Key_Left: column -= moved ? 1 : 0; break;
    case Qt::Key_Right: column += moved ? 1 : 0; break;
    case Qt::Key_Up: row -= moved ? 1 : 0; break;
    case Qt::Key_Down: row += moved ? 1 : 0; break;
    case Qt::Key_Home: column = row = 0; break;
    case Qt::Key_End: column = wide - 1, row = high - 1; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: activate(); return;
    default: Plot::keyPressEvent(event); return;
  }
  choose(static_cast<std::size_t>(std::clamp(row, 0, high - 1) * wide + std::clamp(column, 0, wide - 1)));
}

}  // namespace sscope

#include "moc_grid_chart.cpp"
