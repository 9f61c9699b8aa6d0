#pragma once
// The bases of all charts. The same function paints the screen and exported pictures; the context menu exports,
// hovering shows a tooltip.

#include <QImage>
#include <QPainter>
#include <QString>
#include <QWidget>
#include <functional>
#include <string>
#include <vector>

namespace sscope {

class Chart : public QWidget {
  Q_OBJECT
 public:
  // Drawn on the base color with `scale` pixels per logical pixel, whatever the screen's scale.
  [[nodiscard]] QImage picture(double scale) const;
  // The same as text of an SVG file.
  [[nodiscard]] std::string svg() const;
  [[nodiscard]] virtual std::string csv() const = 0;

 Q_SIGNALS:
  // Requested in the context menu; the window chooses the file (false: CSV).
  void exportRequested(bool png);

 protected:
  explicit Chart(QWidget* parent);
  // With antialiasing, in the widget's font.
  virtual void draw(QPainter& painter) const = 0;
  // The tooltip at a position, as rich text; may be empty. Repaints if the picture changes.
  virtual QString point(const QPointF& position);
  // The mouse left the chart.
  virtual void leave() { light(-1); }
  // The item under the mouse, which is drawn highlighted; -1: none.
  void light(int item);
  [[nodiscard]] int lit() const { return lit_; }

  [[nodiscard]] double line() const;  // height of a line of text
  // The text color, opaque or as a line with this opacity; and the color of secondary text.
  static constexpr float kGrid = 0.13F, kAxis = 0.55F;
  [[nodiscard]] QColor ink(float opacity = 1) const;
  [[nodiscard]] QColor pale() const;
  // The accent color with this opacity.
  [[nodiscard]] QColor wash(float opacity) const;
  struct LegendEntry {
    QString name;
    std::function<void(QPainter&, const QRectF&)> drawSwatch;
  };
  // Swatches with their names side by side; the letters shrink to the width of a narrow area.
  void drawLegend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries) const;
  // Draws a frame if the chart has the keyboard focus.
  void drawFocus(QPainter& painter) const;
  // Sets up the painter for draw().
  void prepare(QPainter& painter) const;

  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  int lit_ = -1;
};

// A chart with a title and the keyboard focus, whose tooltip follows the mouse.
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

  void drawTitle(QPainter& painter) const;
  [[nodiscard]] QRectF below() const;  // the area below the title
  // Of a note that wraps in the width of below(); 0 for an empty one.
  [[nodiscard]] double heightOf(const QString& note) const;
  // A vertical line of a grid in `area` at x, with its number below.
  void drawTick(QPainter& painter, const QRectF& area, double x, const QString& number, float opacity = kGrid) const;
  // Below the numbers of drawTick().
  void drawAxisName(QPainter& painter, const QRectF& area, const QString& name) const;
  // A grid in `area` for values from 0 to `highest` at least, with numbers and `name` below. Returns the pixels per
  // unit.
  double drawZeroBasedAxis(QPainter& painter, const QRectF& area, double highest, const QString& name) const;

  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QString title_, stem_;
};

}  // namespace sscope
