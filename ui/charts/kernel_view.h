#pragma once
// The picture of a filter: its taps as a heat map, with numbers where there is room.

#include <optional>

#include <QWidget>

#include "core/filter/filter.h"

namespace sscope {

// Shows the slice of the taps through the anchor (the z slice for flat filters; three slices for others): zero is the
// background, positive orange, negative blue.
class KernelView : public QWidget {
  Q_OBJECT

 public:
  explicit KernelView(QWidget* parent = nullptr);
  // Expands separable filters; those above a million taps are shown by their profile along each axis.
  void setFilter(const Filter& filter);
  void clear();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::optional<DenseTaps> taps_;
  double lostTailMass_ = 0;
};

}  // namespace sscope
