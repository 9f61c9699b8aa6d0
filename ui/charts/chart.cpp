#include "ui/charts/chart.h"

#include <QBuffer>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

namespace sscope {

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
  return QWidget::event(event);
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("Export as PNG…"), this, [this] { Q_EMIT exportRequested(true); });
  menu.addAction(tr("Export as CSV…"), this, [this] { Q_EMIT exportRequested(false); });
  menu.exec(event->globalPos());
}

}  // namespace sscope

#include "moc_chart.cpp"
