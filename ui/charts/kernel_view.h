#pragma once
// The picture of a filter: its taps as a heat map, with numbers if there is space, or the voxels of its window.

#include <QImage>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "core/base/control.h"
#include "core/filter/operator.h"
#include "core/filter/stencil.h"
#include "ui/base/background_task.h"

namespace sscope {

// The taps of one plane, row by row; `across` points right and `down` down, as in slices of a volume.
struct KernelSlice {
  std::size_t across = 0, down = 1, hidden = 2;  // axes: 0 is x
  std::int64_t offset = 0;                       // of the plane along the hidden axis, relative to the anchor
  std::int64_t thickness = 1;                    // taps along the hidden axis
  std::int64_t columns = 1, rows = 1;
  std::int64_t anchorColumn = 0, anchorRow = 0;
  std::vector<double> weights;

  [[nodiscard]] double at(std::int64_t column, std::int64_t row) const {
    return weights[static_cast<std::size_t>(row * columns + column)];
  }
};

struct KernelSlices {
  std::vector<KernelSlice> slices;  // xy; for filters that reach along z also xz and yz
  double largest = 0;               // |tap| of the whole filter
};

// Each plane has the largest sum of magnitudes along its hidden axis (antisymmetric kernels vanish at the anchor);
// among equals, the plane of the anchor. Visits every tap once without expanding all of them: 81^3 taps take a few
// milliseconds. Throws Canceled.
[[nodiscard]] KernelSlices kernelSlices(const Stencil& filter, const Control& control);

// Shows the heaviest slices of the taps (the xy slice for flat filters; xy, xz and yz for others): zero is the
// background, positive orange, negative blue, the anchor framed.
class KernelView : public QWidget {
  Q_OBJECT

 public:
  explicit KernelView(QWidget* parent = nullptr);
  ~KernelView() override;
  // Large filters are prepared on another thread; the newest replaces older ones. Filters with more than 30 million
  // taps are not drawn, and formulas have no taps.
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
