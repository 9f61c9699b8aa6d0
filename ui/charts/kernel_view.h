#pragma once
// The picture of a filter: its taps as a heat map, with numbers where there is room, or the voxels of its window.

#include <vector>

#include <QImage>
#include <QString>
#include <QWidget>

#include "core/filter/operator.h"
#include "ui/base/background_task.h"
#include "ui/charts/kernel_slices.h"

namespace sscope {

// Shows the heaviest slices of the taps (the xy slice for flat filters; xy, xz and yz for others): zero is the
// background, positive orange, negative blue, the anchor framed.
class KernelView : public QWidget {
  Q_OBJECT

 public:
  explicit KernelView(QWidget* parent = nullptr);
  ~KernelView() override;
  // Large filters are drawn later, on another thread; the newest wins. Filters with more than 30 million taps are not
  // drawn, and formulas have no taps.
  void setOperator(const Operator& shown);
  void clear();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Plane;
  void showSlices(KernelSlices made, const QString& caption);
  void arrange();
  [[nodiscard]] QImage imageOf(const KernelSlice& taps) const;
  void paintPlane(QPainter& painter, Plane& plane) const;

  std::vector<Plane> planes_;
  double largest_ = 0;  // |tap|
  QString caption_;
  BackgroundTask task_;  // last member, so that it ends before the others are destroyed
};

}  // namespace sscope
