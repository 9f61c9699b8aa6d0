#pragma once
// The base of all charts: the same function paints the screen and exported pictures; export through the context menu.

#include <QImage>
#include <QPainter>
#include <QWidget>
#include <string>

namespace sscope {

class Chart : public QWidget {
  Q_OBJECT
 public:
  // Redrawn on the base color with `scale` pixels per logical pixel, whatever the screen's scale.
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
  // Draws a frame if the chart has the keyboard focus.
  void drawFocus(QPainter& painter) const;
  // Sets up the painter for draw().
  void prepare(QPainter& painter) const;

  bool event(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
};

}  // namespace sscope
