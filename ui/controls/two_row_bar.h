#pragma once
// A bar of controls in two groups: side by side if there is room, else one below the other.

#include <QWidget>

class QBoxLayout;
class QHBoxLayout;

namespace sscope {

class TwoRowBar : public QWidget {
 public:
  explicit TwoRowBar(QWidget* parent);
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  [[nodiscard]] QHBoxLayout* first() { return first_; }
  [[nodiscard]] QHBoxLayout* second() { return second_; }
  // The second group may have texts that it can hide: the width that this saves, and a function that does it.
  [[nodiscard]] virtual int wordsWidth() const { return 0; }
  virtual void showWords(bool /*shown*/) {}

  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  [[nodiscard]] int secondWidth() const;  // minimum, with short words

  QBoxLayout* rows_;
  QHBoxLayout *first_, *second_;
  bool words_ = true;
};

}  // namespace sscope
