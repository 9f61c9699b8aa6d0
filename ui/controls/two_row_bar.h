#pragma once
// A bar of controls in two groups: side by side where there is room, else one below the other.

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
  // Words in the second group that go where there is no room for them: their width now, and showing or hiding them.
  [[nodiscard]] virtual int wordsWidth() const { return 0; }
  virtual void showWords(bool /*shown*/) {}

  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  [[nodiscard]] int secondWidth() const;  // at least, without the words

  QBoxLayout* rows_;
  QHBoxLayout *first_, *second_;
  bool words_ = true;
};

}  // namespace sscope
