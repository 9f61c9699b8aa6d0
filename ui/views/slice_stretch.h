#pragma once
// The picture of a slice as large as it is on the screen, made in the thread that paints. QPainter hands the same to
// other threads and waits for them, which takes milliseconds where all processors are busy.

#include <QImage>
#include <QRect>
#include <QRectF>

namespace sscope {

class StretchedPicture {
 public:
  // Interpolates linearly between the centers of the pixels of a picture in Format_RGB32 that covers `target`, where
  // they lie in `seen`; both in pixels of the screen. Levels differ from exact interpolation by less than 2 of 255.
  // Does nothing if nothing has changed.
  void update(const QImage& picture, const QRectF& target, const QRect& seen);

  // Of those pixels of the screen whose centers are covered; null where there are none.
  [[nodiscard]] const QImage& image() const { return image_; }
  // Of its upper left pixel.
  [[nodiscard]] QPoint corner() const { return corner_; }

 private:
  QImage image_;
  QPoint corner_;
  // What it was made of.
  qint64 picture_ = 0;
  QRectF target_;
  QRect seen_;
};

}  // namespace sscope
