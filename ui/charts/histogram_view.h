#pragma once
// A histogram of values with the limits of the display window.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/resident_array.h"
#include "core/volume/histogram.h"
#include "ui/charts/chart.h"

namespace sscope {

class HistogramView : public Chart {
  Q_OBJECT

 public:
  explicit HistogramView(QWidget* parent = nullptr);
  ~HistogramView() override;

  // Counts all voxels on another thread; the newest volume wins. component -1: all components. Null: empty.
  void setVolume(const std::shared_ptr<const Volume>& volume, int component = 0);
  // Counts where the values are stored. The picture shows the previous counts until the new ones arrive.
  void setArray(std::shared_ptr<ResidentArray> array, int component = 0);
  // What is counted if it is not the values themselves; shown in the picture and in the CSV.
  void setNote(const QString& note);
  // False if nothing was being counted.
  bool stopCounting();
  // Markers at the values shown as black and as white; the user can drag them.
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
  QString point(const QPointF& position) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sscope
