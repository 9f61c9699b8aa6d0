#pragma once
// The lanes of a race, one below the other on common scales: pictures, clocks, quoted times, and what disturbed them.

#include <QRectF>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/charts/chart.h"
#include "ui/rooms/compare/drawn_lane.h"

namespace sscope {

class LaneBoard : public Chart {
  Q_OBJECT
 public:
  // `numbers`: what csv() gives, made when it is asked for.
  explicit LaneBoard(std::function<std::string()> numbers, QWidget* parent = nullptr);

  // `title`: what is raced at; `sentences`: who won, below it. `window`: of values, for all pictures.
  void setLanes(const QString& title, const QStringList& sentences, std::vector<DrawnLane> lanes,
                const LaneWindow& window);
  [[nodiscard]] const std::vector<DrawnLane>& lanes() const { return lanes_; }
  [[nodiscard]] std::string csv() const override { return numbers_(); }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  // In logical pixels.
  [[nodiscard]] QRectF laneArea(std::size_t lane) const;
  [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }

 Q_SIGNALS:
  void laneShown(const QRect& area);  // chosen by a key; it shall be seen

 protected:
  void draw(QPainter& painter) const override;
  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Scale;  // of a bar
  void choose(std::optional<std::size_t> lane);
  [[nodiscard]] std::optional<std::size_t> laneAt(const QPointF& at) const;
  [[nodiscard]] double headHeight(double width) const;
  [[nodiscard]] double laneHeight(const DrawnLane& lane, double width) const;
  [[nodiscard]] double footHeight() const;
  [[nodiscard]] Scale scaleOf(bool quoted) const;
  void drawHead(QPainter& painter) const;
  void drawSlim(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawLane(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawPicture(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawQuoted(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawFirst(QPainter& painter, const DrawnLane& lane, const QRectF& area) const;
  void drawAxes(QPainter& painter) const;
  [[nodiscard]] QRectF barArea(const QRectF& lane) const;

  std::function<std::string()> numbers_;
  QString title_;
  QStringList sentences_;
  std::vector<DrawnLane> lanes_;
  LaneWindow window_{0, 1};
  std::optional<std::size_t> chosen_;
};

}  // namespace sscope
