#include "ui/charts/chart.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QSvgGenerator>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/base/look.h"
#include "ui/charts/chart_format.h"

namespace sscope {

namespace {

constexpr double kMargin = 0.5, kHead = 1.7;  // lines

QColor withOpacity(QColor color, float opacity) {
  color.setAlphaF(opacity);
  return color;
}

void showTip(const QPoint& at, const QString& tip, QWidget* chart) {
  tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(at, tip, chart);
}

}  // namespace

Chart::Chart(QWidget* parent) : QWidget(parent) { setMouseTracking(true); }

QImage Chart::picture(double scale) const {
  const auto pixels = [scale](int length) { return std::max(1, static_cast<int>(std::lround(length * scale))); };
  QImage image(pixels(width()), pixels(height()), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  image.fill(palette().color(QPalette::Base));
  QPainter painter(&image);
  prepare(painter);
  draw(painter);
  return image;
}

std::string Chart::svg() const {
  QBuffer buffer;
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size());
  generator.setViewBox(rect());
  generator.setResolution(logicalDpiX());
  generator.setTitle(accessibleName());
  QPainter painter(&generator);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  prepare(painter);
  draw(painter);
  painter.end();
  return buffer.data().toStdString();
}

QString Chart::point(const QPointF& /*position*/) { return {}; }

double Chart::line() const { return QFontMetricsF(font()).height(); }

QColor Chart::ink(float opacity) const { return withOpacity(palette().color(QPalette::Text), opacity); }

QColor Chart::pale() const { return palette().color(QPalette::PlaceholderText); }

QColor Chart::wash(float opacity) const { return withOpacity(palette().color(QPalette::Highlight), opacity); }

void Chart::light(int item) {
  if (item == lit_) return;
  lit_ = item;
  update();
}

void Chart::drawLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries) const {
  QFont letters = font();
  const auto widthIn = [&](const QFont& f) {
    const QFontMetricsF metrics(f);
    double sum = 0;
    for (const LegendEntry& entry : entries) sum += metrics.horizontalAdvance(entry.name) + 1.9 * metrics.ascent();
    return sum;
  };
  const double wanted = widthIn(letters);
  if (wanted > area.width()) letters.setPointSizeF(letters.pointSizeF() * std::max(0.75, area.width() / wanted));
  const QFontMetricsF metrics(letters);
  const double side = 0.6 * metrics.ascent();
  double x = area.left();
  painter.save();
  painter.setFont(letters);
  for (const LegendEntry& entry : entries) {
    entry.drawSwatch(painter, QRectF(x, area.center().y() - side / 2, 1.2 * side, side));
    x += 1.6 * side;
    painter.setPen(pale());
    const double width = metrics.horizontalAdvance(entry.name);
    painter.drawText(QRectF(x, area.top(), width + 2, area.height()), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
    x += width + 1.1 * side;
  }
  painter.restore();
}

void Chart::prepare(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(font());
}

void Chart::drawFocus(QPainter& painter) const {
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool Chart::event(QEvent* event) {
  if (event->type() == QEvent::FontChange) updateGeometry();
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
    const auto* help = static_cast<QHelpEvent*>(event);
    showTip(help->globalPos(), point(help->pos()), this);
    return true;
  }
  return QWidget::event(event);
}

void Chart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  prepare(painter);
  draw(painter);
}

void Chart::leaveEvent(QEvent* /*event*/) { leave(); }

void Chart::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Export as PNG…"), this, [this] { Q_EMIT exportRequested(true); });
  menu.addAction(tr("Export as CSV…"), this, [this] { Q_EMIT exportRequested(false); });
  menu.exec(event->globalPos());
}

Plot::Plot(QWidget* parent) : Chart(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Plot::setTitle(const QString& title, const QString& stem) {
  title_ = title;
  stem_ = stem;
  setAccessibleName(title);
}

QSize Plot::sizeHint() const { return {em(this, 22), em(this, 12)}; }
QSize Plot::minimumSizeHint() const { return {em(this, 11), em(this, 6)}; }

void Plot::drawTitle(QPainter& painter) const {
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(ink());
  const double margin = kMargin * line(), inner = width() - 2 * margin;
  painter.drawText(QRectF(margin, 0.25 * line(), inner, 1.2 * line()), Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(bold).elidedText(title_, Qt::ElideRight, inner));
  painter.setFont(font());
}

QRectF Plot::below() const {
  const double margin = kMargin * line();
  return QRectF(rect()).adjusted(margin, kHead * line(), -margin, -margin);
}

double Plot::heightOf(const QString& note) const {
  if (note.isEmpty()) return 0;
  return QFontMetricsF(font()).boundingRect(QRectF(0, 0, below().width(), 1e4), Qt::TextWordWrap, note).height();
}

void Plot::drawTick(QPainter& painter, const QRectF& area, double x, const QString& number, float opacity) const {
  const double at = std::round(x) + 0.5, half = QFontMetricsF(font()).horizontalAdvance(number) / 2 + 1;
  painter.setPen(QPen(ink(opacity), 1));
  painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
  painter.setPen(pale());
  painter.drawText(QRectF(at - half, area.bottom() + 0.15 * line(), 2 * half, line()), Qt::AlignCenter, number);
}

void Plot::drawAxisName(QPainter& painter, const QRectF& area, const QString& name) const {
  painter.setPen(pale());
  painter.drawText(QRectF(area.left(), area.bottom() + 1.1 * line(), area.width(), 1.1 * line()), Qt::AlignCenter,
                   name);
}

double Plot::drawZeroBasedAxis(QPainter& painter, const QRectF& area, double highest, const QString& name) const {
  const auto ticks = zeroBasedTicks(highest, std::clamp(static_cast<int>(area.width() / (3.5 * line())), 1, 6));
  const double scale = area.width() / ticks.back();
  for (const double tick : ticks)
    drawTick(painter, area, area.left() + tick * scale, QString::number(tick, 'g', 4), tick == 0 ? kAxis : kGrid);
  drawAxisName(painter, area, name);
  return scale;
}

void Plot::paintEvent(QPaintEvent* event) {
  QPainter(this).fillRect(rect(), palette().color(QPalette::Base));
  Chart::paintEvent(event);
  QPainter painter(this);
  drawFocus(painter);
}

void Plot::mouseMoveEvent(QMouseEvent* event) {
  showTip(event->globalPosition().toPoint(), point(event->position()), this);
}

}  // namespace sscope

#include "moc_chart.cpp"
