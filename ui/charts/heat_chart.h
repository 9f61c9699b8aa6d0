#pragma once
// A function of two variables, or a matrix, as colored cells with axes and a legend. Hovering shows the value of a
// cell; the arrow keys move from cell to cell.

#include <array>
#include <optional>
#include <vector>

#include <QStringList>

#include "ui/charts/chart.h"
#include "ui/charts/color_scale.h"

namespace sscope {

// Cells of the same width along one axis.
struct HeatAxis {
  QString label;
  double first = 0, step = 1;  // the middle of the first cell, and the distance to the next
  std::int64_t count = 0;
  QStringList names{};       // of the cells, in place of numbers
  QStringList shortNames{};  // beside the cells; empty: the names
  [[nodiscard]] double at(std::int64_t cell) const { return first + step * static_cast<double>(cell); }
  [[nodiscard]] double extent() const { return step * static_cast<double>(count); }
};

struct HeatPlot {
  QString title, stem;         // "Spectrum", "spectrum"
  HeatAxis across, down;       // to the right and downward; a unit of both is equally long
  std::vector<double> values;  // row by row; NaN: no value
  ColorUse colors;
  double low = 0, high = 1;                             // the values of the first and the last color
  QString valueName, unit;                              // "|H|", "dB"; the unit may be empty
  QString note;                                         // one sentence below the title; may be empty
  bool numbers = false;                                 // written in the cells where there is room
  std::optional<std::array<std::int64_t, 2>> framed{};  // a cell: column and row
};

class HeatChart : public Plot {
  Q_OBJECT
 public:
  explicit HeatChart(QWidget* parent = nullptr);
  // Without values, only title and note are shown. The reading position stays if the new plot has the same stem.
  void setPlot(HeatPlot plot);
  [[nodiscard]] const HeatPlot& plot() const { return plot_; }
  // One row for each cell: its place along both axes and its value.
  [[nodiscard]] std::string csv() const override;
  // Of a cell, as rich text.
  [[nodiscard]] QString reading(std::int64_t column, std::int64_t row) const;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Frame;
  using Cell = std::array<std::int64_t, 2>;
  [[nodiscard]] bool empty() const { return plot_.values.empty(); }
  [[nodiscard]] double value(std::int64_t column, std::int64_t row) const {
    return plot_.values[static_cast<std::size_t>(row * plot_.across.count + column)];
  }
  [[nodiscard]] double noteHeight() const;
  [[nodiscard]] Frame frame() const;
  [[nodiscard]] QImage image() const;
  void drawAxes(QPainter& painter, const Frame& frame) const;
  void drawNumbers(QPainter& painter, const Frame& frame) const;
  void drawLegend(QPainter& painter, const Frame& frame) const;
  [[nodiscard]] QString placeText(const HeatAxis& axis, std::int64_t cell) const;

  HeatPlot plot_;
  std::optional<Cell> at_;  // under the mouse or the keyboard
};

}  // namespace sscope
