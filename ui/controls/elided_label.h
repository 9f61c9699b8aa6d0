#pragma once
// One line of text, elided in the middle if it does not fit; the tooltip shows all of it.

#include <QLabel>

namespace sscope {

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

}  // namespace sscope
