#pragma once
// Every contender as a dot on the measured roofs of its engine, log-log, with the settings before as a fading trail.

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <deque>
#include <optional>
#include <vector>

#include "core/compare/comparison.h"
#include "ui/charts/chart.h"

namespace sscope {

struct RoofDot {
  std::string engine;
  QString name;
  QColor color;
  double intensity = 0;  // operations per byte of compulsory traffic
  double gflops = 0;     // of the median without transfers
  Ceilings roofs;
  Precision precision = Precision::f32;
  QString words;  // all of it, for the tooltip and for screen readers
};

// Of lanes with figures and measured roofs; `foreign` ones are gray.
[[nodiscard]] std::vector<RoofDot> roofDots(const compare::Comparison& comparison, bool foreign);

class RooflineChart : public Chart {
  Q_OBJECT
 public:
  static constexpr std::size_t kTrail = 20;  // settings
  explicit RooflineChart(QWidget* parent = nullptr);

  // Another setting: the dots before join the trail.
  void add(std::vector<RoofDot> dots);
  // Those of capsules, which leave no trail.
  void setForeign(std::vector<RoofDot> dots);
  [[nodiscard]] const std::vector<RoofDot>& dots() const { return dots_; }
  [[nodiscard]] const std::deque<std::vector<RoofDot>>& trail() const { return trail_; }
  // Where a dot is, in logical pixels.
  [[nodiscard]] QPointF place(const RoofDot& dot) const;
  [[nodiscard]] std::string csv() const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void draw(QPainter& painter) const override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Range {
    double low = 0, high = 1;  // powers of ten
  };
  [[nodiscard]] Range intensities() const;
  [[nodiscard]] Range rates() const;
  [[nodiscard]] QRectF plotArea() const;
  [[nodiscard]] QPointF at(double intensity, double gflops) const;
  void drawGrid(QPainter& painter) const;
  void drawRoofs(QPainter& painter, const RoofDot& dot) const;
  void drawTrail(QPainter& painter) const;
  [[nodiscard]] QRectF titleArea() const;
  [[nodiscard]] QRectF freePlace(const QRectF& wanted, const std::vector<QRectF>& taken) const;
  void drawDots(QPainter& painter) const;
  void tellWords();
  [[nodiscard]] std::vector<const RoofDot*> all() const;

  std::vector<RoofDot> dots_, foreign_;
  std::deque<std::vector<RoofDot>> trail_;  // the oldest first
  std::optional<std::size_t> lit_;          // of all()
};

}  // namespace sscope
