#pragma once
// A transfer function as points over the histogram of the values; mouse or keys move them.

#include <vector>

#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/volume/transfer_curve.h"

namespace sscope {

class TransferEditor : public QWidget {
  Q_OBJECT
 public:
  explicit TransferEditor(QWidget* parent = nullptr);

  // Emit nothing. The unit is written after values; it may be empty.
  void setLevels(const LevelCounts& levels, const QString& unit);
  void setPoints(std::vector<TransferPoint> points);
  void clear();

  [[nodiscard]] const std::vector<TransferPoint>& points() const { return points_; }
  [[nodiscard]] int selected() const { return selected_; }  // -1: none
  void select(int point);
  // Sets the color of the selected point as an edit of the user.
  void setColor(const Rgb& color);
  [[nodiscard]] QPointF positionOf(const TransferPoint& point) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  // By the user; edits with the same gesture are one step of undo.
  void edited(const QString& gesture);
  void colorRequested();  // of the selected point

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF plot() const;
  [[nodiscard]] double valueAt(double x) const;
  [[nodiscard]] int pointNear(const QPointF& at) const;
  [[nodiscard]] QString wordsOf(const TransferPoint& point) const;
  void drawHistogram(QPainter& painter) const;
  void drawCurve(QPainter& painter) const;
  void drawPoints(QPainter& painter) const;
  void drawAxis(QPainter& painter) const;
  // Between its neighbors.
  void move(int point, double value, double opacity);
  void add(double value, double opacity);
  void addBeside();
  void remove();
  bool step(int key, bool large);
  void describe();  // for screen readers
  void emitEdited();

  std::vector<TransferPoint> points_;
  LevelCounts levels_;
  bool known_ = false;  // setLevels() was called
  QString unit_;
  double low_ = 0, high_ = 1;  // of the axis
  int selected_ = -1;
  bool dragging_ = false;
  QPointF grip_;  // from the mouse to the point
  QTimer rest_;   // ends a gesture
  std::uint64_t gesture_ = 0;
};

}  // namespace sscope
