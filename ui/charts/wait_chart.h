#pragma once
// What somebody waited for while a slider moved, as one bar with its parts.

#include <optional>
#include <string>
#include <vector>

#include <QRectF>

#include "ui/charts/chart.h"

namespace sscope {

// Seconds from a slider's event to the pixels that follow it.
struct Wait {
  std::string engine;  // that computed the slices
  int slices = 0;      // that were seen
  int steps = 1;       // that this is the median of
  double kernel = 0, copies = 0;
  double pictures = 0;  // from the slices in the window's hands to the frame in the window system's
  double total = 0;
  // Handing over between threads, preparing, and waiting for what ran before.
  [[nodiscard]] double rest() const { return total - kernel - copies - pictures; }
};

class WaitChart : public Chart {
  Q_OBJECT
 public:
  explicit WaitChart(QWidget* parent = nullptr);
  void setWait(const std::optional<Wait>& wait);
  [[nodiscard]] const std::optional<Wait>& wait() const { return wait_; }
  // What hovering over a point of the widget tells, as rich text.
  [[nodiscard]] QString tipAt(const QPointF& position) const;
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Part {
    QString name, meaning;
    QColor color;  // invalid: an outline
    double seconds = 0;
    QRectF box;
  };
  // In the order of the bar.
  [[nodiscard]] std::vector<Part> parts() const;
  void drawPart(QPainter& painter, const QRectF& box, const QColor& color) const;

  std::optional<Wait> wait_;
};

}  // namespace sscope
