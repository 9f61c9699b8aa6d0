#pragma once
// The base of plots other than engine charts and ladder figures.

#include <QPainter>
#include <QString>

#include "ui/charts/chart.h"

namespace sscope {

class Plot : public Chart {
  Q_OBJECT
 public:
  [[nodiscard]] QString title() const { return title_; }
  // For file names: "scaling-function".
  [[nodiscard]] QString stem() const { return stem_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  explicit Plot(QWidget* parent);
  void setTitle(const QString& title, const QString& stem);
  // The tooltip at a position, as rich text; may be empty. Repaints if the picture changes.
  virtual QString point(const QPointF& position) = 0;
  virtual void leave() = 0;

  [[nodiscard]] double line() const;  // height of a line of text
  void drawTitle(QPainter& painter) const;
  [[nodiscard]] QRectF below() const;  // the area below the title
  // A grid in `area` for values from 0 to `highest` at least, with numbers and `name` below. Returns the pixels per
  // unit.
  double drawZeroBasedAxis(QPainter& painter, const QRectF& area, double highest, const QString& name) const;

  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QString title_, stem_;
};

}  // namespace sscope
