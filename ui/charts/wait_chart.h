#pragma once
// The time from a moving slider to the pixels, as one bar with its parts.

#include <optional>
#include <string>
#include <vector>

#include <QRectF>

#include "ui/charts/chart.h"

namespace sscope {

// Seconds from a slider's event to the pixels that follow it.
struct Wait {
  std::string engine;  // computed the slices
  int slices = 0;      // visible ones
  int steps = 1;       // of the slider; the times are their medians
  double kernel = 0, copies = 0;
  double pictures = 0;  // from the arrival of the slices in the window to the frame in the window system
  double total = 0;
  // Passing between threads, preparing, and waiting for earlier work.
  [[nodiscard]] double rest() const { return total - kernel - copies - pictures; }
};

class WaitChart : public Chart {
  Q_OBJECT
 public:
  explicit WaitChart(QWidget* parent = nullptr);
  void setWait(const std::optional<Wait>& wait);
  [[nodiscard]] const std::optional<Wait>& wait() const { return wait_; }
  QString point(const QPointF& position) override;
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;

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
