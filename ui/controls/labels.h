#pragma once
// Small labels of panels: elided text, and the square of an engine's color.

#include <QColor>
#include <QLabel>
#include <QWidget>

class QProgressBar;

namespace sscope {

// One line of text, elided in the middle if it does not fit; the tooltip shows the whole text.
class ElidedLabel : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  // `tip`, if not empty, is the tooltip instead of the whole text.
  void setWholeText(const QString& text, const QString& tip = {});
  [[nodiscard]] const QString& wholeText() const { return whole_; }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void elide();
  QString whole_;
};

// A square of an engine's color, as in the charts.
class Swatch : public QWidget {
 public:
  Swatch(const QColor& color, QWidget* parent);
  void setColor(const QColor& color);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QColor color_;
};

// Shows how far work is, 0..1 or negative if unknown, and its stage.
void showProgress(QProgressBar* bar, double fraction, const QString& stage);

}  // namespace sscope
