#pragma once
// One figure of a ladder: drawn, pointed at, clicked, exported. Painted with QPainter in the system's font and palette.

#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ladder/figure.h"
#include "core/measure/measurement.h"
#include "ui/rooms/ladder/figure_canvas.h"

namespace sscope {

using SharedMeasurements = std::shared_ptr<const std::vector<Measurement>>;

class FigureChart : public QWidget {
  Q_OBJECT
 public:
  explicit FigureChart(QWidget* parent = nullptr);

  // `measurements` are those that the figure was made from.
  void setFigure(Figure figure, SharedMeasurements measurements);
  [[nodiscard]] const Figure& figure() const { return figure_; }
  [[nodiscard]] QImage picture(double scale) const;
  [[nodiscard]] std::string csv() const;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  // Where the points were last painted; published ones included.
  [[nodiscard]] const std::vector<FigureMark>& marks() const { return marks_; }
  // What hovering shows, as rich text.
  [[nodiscard]] QString tip(const FigureMark& mark) const;

 Q_SIGNALS:
  // A measured point, as index into the measurements of the figure.
  void chosen(const sscope::Measurement& measurement);
  void exportRequested(bool png);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void draw(QPainter& painter, std::vector<FigureMark>& marks) const;
  [[nodiscard]] double headHeight(double width) const;
  [[nodiscard]] double noteHeight(double width) const;
  [[nodiscard]] const Measurement* measurementAt(const FigureMark& mark) const;
  [[nodiscard]] const FigurePoint& pointAt(const FigureMark& mark) const;
  [[nodiscard]] int markAt(const QPointF& position) const;
  void light(int mark, bool speak);

  Figure figure_;
  SharedMeasurements measurements_;
  std::vector<FigureMark> marks_;
  int lit_ = -1;  // index into marks_, -1 for none
};

}  // namespace sscope
