#pragma once
// What all charts share: painted by one function on screen and in pictures, exported from the context menu.

#include <QImage>
#include <QPainter>
#include <QWidget>
#include <string>

namespace sscope {

class Chart : public QWidget {
  Q_OBJECT
 public:
  // Drawn anew on the base color with `scale` pixels for each logical one, whatever the screen's scale.
  [[nodiscard]] QImage picture(double scale) const;
  [[nodiscard]] virtual std::string csv() const = 0;

 Q_SIGNALS:
  // Asked from the context menu; the window chooses the file (false: CSV).
  void exportRequested(bool png);

 protected:
  explicit Chart(QWidget* parent);
  // With antialiasing, in the widget's font.
  virtual void draw(QPainter& painter) const = 0;
  // A frame around the chart that has the keyboard.
  void drawFocus(QPainter& painter) const;
  // The painter that draw() gets.
  void prepare(QPainter& painter) const;

  bool event(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
};

}  // namespace sscope
