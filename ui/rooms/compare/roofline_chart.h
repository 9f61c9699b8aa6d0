#pragma once
// Every contender as a dot under the measured roofs of its engine, log-log, with a fading trail of earlier settings.

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <deque>
#include <optional>
#include <vector>

#include "ui/charts/chart.h"
#include "ui/rooms/compare/roof_dot.h"

namespace sscope {

class RooflineChart : public Chart {
  Q_OBJECT
 public:
  static constexpr std::size_t kTrail = 20;  // settings
  explicit RooflineChart(QWidget* parent = nullptr);

  // Sets the dots of a new setting; earlier dots join the trail.
  void add(std::vector<RoofDot> dots);
  // Sets the dots of capsules, which leave no trail.
  void setForeign(std::vector<RoofDot> dots);
  [[nodiscard]] const std::vector<RoofDot>& dots() const { return dots_; }
  [[nodiscard]] const std::deque<std::vector<RoofDot>>& trail() const { return trail_; }
  // Where a dot is, in logical pixels.
  [[nodiscard]] QPointF place(const RoofDot& dot) const;
  [[nodiscard]] QPolygonF line(const Roof& roof) const;
  // The dot or roof at a position, if there is one.
  [[nodiscard]] QString wordsAt(QPointF point) const;
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
  [[nodiscard]] std::vector<const RoofDot*> withRoofs() const;

  std::vector<RoofDot> dots_, foreign_;
  std::deque<std::vector<RoofDot>> trail_;  // the oldest first
  std::optional<std::size_t> hovered_;      // index into all()
};

}  // namespace sscope
