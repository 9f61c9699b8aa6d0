#include "tests/views/views_support.h"

#include <algorithm>
#include <cstdlib>

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPalette>
#include <QPixmap>
#include <QWindow>

namespace sscope::test {

bool waitFor(const std::function<bool()>& done, int milliseconds) {
  QElapsedTimer timer;
  timer.start();
  while (!done()) {
    if (timer.elapsed() > milliseconds) return false;
    QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
  return true;
}

void showAt(QWidget& widget, const QSize& size) {
  widget.resize(size);
  widget.show();
  waitFor([&] { return widget.windowHandle() != nullptr && widget.windowHandle()->isExposed(); });
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
}

void sendKey(QWidget& widget, int key, Qt::KeyboardModifiers modifiers) {
  QKeyEvent event(QEvent::KeyPress, key, modifiers);
  QApplication::sendEvent(&widget, &event);
}

void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& at, Qt::MouseButton button,
               Qt::KeyboardModifiers modifiers) {
  const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::MouseButtons(button);
  QMouseEvent event(type, at, widget.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button, held,
                    modifiers);
  QApplication::sendEvent(&widget, &event);
}

void usePalette(QWidget& widget, bool dark) {
  QPalette palette = widget.palette();
  palette.setColor(QPalette::Window, dark ? QColor(32, 34, 37) : QColor(246, 246, 247));
  palette.setColor(QPalette::Base, dark ? QColor(26, 28, 31) : QColor(255, 255, 255));
  palette.setColor(QPalette::Text, dark ? QColor(225, 228, 232) : QColor(30, 32, 35));
  palette.setColor(QPalette::PlaceholderText, dark ? QColor(150, 155, 160) : QColor(110, 114, 120));
  palette.setColor(QPalette::Highlight, QColor(60, 130, 220));
  widget.setPalette(palette);
}

QImage pictureOf(QWidget& widget) {
  for (int i = 0; i < 3; ++i) QApplication::processEvents();
  return widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

void keepPicture(const QImage& image, const QString& name) {
  const char* folder = std::getenv("SSCOPE_TEST_PICTURES");
  if (folder != nullptr) image.save(QDir(QString::fromLocal8Bit(folder)).filePath(name + ".png"_q));
}

double lightnessAround(const QImage& image, const QPoint& center, int radius) {
  double sum = 0;
  int count = 0;
  for (int y = center.y() - radius; y <= center.y() + radius; ++y)
    for (int x = center.x() - radius; x <= center.x() + radius; ++x) {
      if (!image.valid(x, y)) continue;
      sum += qGray(image.pixel(x, y));
      ++count;
    }
  return count > 0 ? sum / count : -1;
}

bool closeTo(QRgb pixel, const QColor& color, int tolerance) {
  return std::abs(qRed(pixel) - color.red()) <= tolerance && std::abs(qGreen(pixel) - color.green()) <= tolerance &&
         std::abs(qBlue(pixel) - color.blue()) <= tolerance;
}

int countOf(const QImage& image, const QColor& color, int tolerance) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += closeTo(image.pixel(x, y), color, tolerance) ? 1 : 0;
  return count;
}

std::shared_ptr<const Volume> markedVolume(const VolumeShape& shape, const std::array<std::int64_t, 3>& at,
                                           float background, float value, Geometry geometry) {
  Volume volume(shape, ElementType::f32, std::move(geometry));
  std::ranges::fill(volume.elements<float>(), background);
  volume.elements<float>()[static_cast<std::size_t>((at[2] * shape.ny + at[1]) * shape.nx + at[0])] = value;
  return std::make_shared<const Volume>(std::move(volume));
}

}  // namespace sscope::test
