#pragma once
// Shares of a whole as horizontal bars, one below the other: filled, and before a change as an outline.

#include <QColor>
#include <optional>
#include <string>
#include <vector>

#include "ui/charts/chart.h"

namespace sscope {

struct Bar {
  QString name;                    // left of the bar
  double value = 0;                // filled
  std::optional<double> before{};  // an outline
  QString text;                    // right of the bar
  QString tip;                     // rich text, below the name
  QString spoken{};                // for screen readers; empty: name and text
};

struct BarPlot {
  QString title, stem;          // "Time per kernel", "kernel-shares"
  QString axis;                 // the meaning of the numbers
  QString note{};               // below the title, or in place of the bars if there are none; may be empty
  QString filled{}, outline{};  // names in the legend; empty: no legend
  QColor color{};               // not valid: the accent color
  std::vector<Bar> bars{};
  std::string csv{};
};

class BarChart : public Plot {
  Q_OBJECT
 public:
  explicit BarChart(QWidget* parent = nullptr);
  void setPlot(BarPlot plot);
  [[nodiscard]] const BarPlot& plot() const { return plot_; }
  [[nodiscard]] std::string csv() const override { return plot_.csv; }
  // As high as its rows need.
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;

 private:
  [[nodiscard]] double top() const;  // of the bars
  [[nodiscard]] double rowHeight() const { return 1.35 * line(); }
  [[nodiscard]] QColor color() const;

  BarPlot plot_;
};

}  // namespace sscope
