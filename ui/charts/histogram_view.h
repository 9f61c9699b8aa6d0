#pragma once
// How often each value occurs, with the borders of the shown window.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "ui/charts/chart.h"
#include "ui/charts/histogram.h"

namespace sscope {

class HistogramView : public Chart {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);
  ~HistogramView() override;

  // Counts all voxels in another thread; the newest volume wins. component -1: all components together. Null: empty.
  void setVolume(std::shared_ptr<const Volume> volume, int component = 0);
  // Markers at the values shown black and white, movable by mouse.
  void setWindow(std::optional<std::array<double, 2>> window);

  [[nodiscard]] const Histogram& histogram() const;  // empty while it is being counted
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void histogramReady();
  void windowEdited(double low, double high);

 protected:
  void draw(QPainter& painter) const override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
