#pragma once
// One line of text as wide as there is room for: the middle is left out where it does not fit, the tooltip has it all.

#include <QLabel>

namespace sscope {

class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  // `tip` is shown instead of the whole text, where it is not empty.
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

}  // namespace sscope
