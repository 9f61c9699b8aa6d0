#pragma once
// How busy each processor core is.

#include <vector>

#include <QWidget>

namespace sscope {

class BusyMeter : public QWidget {
  Q_OBJECT

 public:
  explicit BusyMeter(QWidget* parent = nullptr);
  // Percent, 0..100, one per core; empty: "unavailable".
  void setBusy(std::vector<double> percent);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<double> percent_;
  bool known_ = false;  // setBusy() was called; before that nothing is shown
};

}  // namespace sscope
