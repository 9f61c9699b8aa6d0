#pragma once
// Quantities over time as strips one below the other on one axis. Hovering and the arrow keys show the values of all at
// one time.

#include <QColor>
#include <QPointF>
#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "ui/charts/chart.h"

namespace sscope {

struct StripSeries {
  QString name;
  QColor color{};
  std::vector<QPointF> points;  // seconds and values, in the order of time; a value that is not finite is a gap
};

struct Strip {
  enum class Kind {
    Lines,
    Dots,
    Rows,  // a row for each series, colored by value; a point holds from the point before it
  };
  QString name, unit;
  Kind kind = Kind::Lines;
  double highest = 0;  // value at the upper edge; 0: the largest shown
  std::vector<StripSeries> series;
  QString unavailable{};  // not empty: the reason; the strip is one line high then
};

struct StripPlot {
  QString title, stem;
  QString note{};               // below the title; may be empty
  double begin = -60, end = 0;  // seconds
  std::vector<Strip> strips;
};

class StripChart : public Plot {
  Q_OBJECT
 public:
  explicit StripChart(QWidget* parent = nullptr);
  void setPlot(StripPlot plot);
  [[nodiscard]] const StripPlot& plot() const { return plot_; }
  // One line for each point: strip, unit, series, seconds, value; and one for each strip without values.
  [[nodiscard]] std::string csv() const override;
  // All quantities at a time, as rich text.
  [[nodiscard]] QString reading(double seconds) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] double namesWidth() const;
  [[nodiscard]] QRectF area() const;  // of all strips, right of their names
  [[nodiscard]] std::vector<QRectF> stripAreas() const;
  [[nodiscard]] double placeOf(double seconds) const;
  void drawTime(QPainter& painter) const;
  void drawStrip(QPainter& painter, const Strip& strip, const QRectF& area) const;
  void drawName(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const;
  void drawLines(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const;
  void drawRows(QPainter& painter, const Strip& strip, const QRectF& area, double highest) const;

  StripPlot plot_;
  std::optional<double> at_;  // seconds
};

}  // namespace sscope
