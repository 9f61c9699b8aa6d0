#pragma once
// The histogram of the differences of two results, with the range that rounding explains; both axes are logarithmic.

#include <optional>

#include "core/compare/result_pair.h"
#include "ui/charts/chart.h"

namespace sscope {

class DifferenceChart : public Plot {
  Q_OBJECT
 public:
  explicit DifferenceChart(QWidget* parent = nullptr);
  // Null: nothing was compared yet.
  void setPair(std::shared_ptr<const compare::ResultPair> pair);
  [[nodiscard]] std::string csv() const override;
  // Where a difference is, in logical pixels from the left.
  [[nodiscard]] double placeOf(double difference) const;

 protected:
  void draw(QPainter& painter) const override;
  QString point(const QPointF& position) override;
  void leave() override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  using Range = compare::DifferenceHistogram::Range;
  [[nodiscard]] Range shown() const;  // bins, from and to a whole power of ten
  [[nodiscard]] QRectF area() const;
  [[nodiscard]] QString words(std::size_t bin) const;
  void drawAxes(QPainter& painter, const Range& range, int decades) const;
  void drawBound(QPainter& painter) const;
  [[nodiscard]] QString note() const;

  std::shared_ptr<const compare::ResultPair> pair_;
  std::optional<std::size_t> hovered_;  // a bin
};

}  // namespace sscope
