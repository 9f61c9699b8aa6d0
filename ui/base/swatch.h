#pragma once
// A small square of an engine's color, as in the charts.

#include <QColor>
#include <QWidget>

namespace sscope {

class Swatch : public QWidget {
 public:
  Swatch(const QColor& color, QWidget* parent);
  void setColor(const QColor& color);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QColor color_;
};

}  // namespace sscope
