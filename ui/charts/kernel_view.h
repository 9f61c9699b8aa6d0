#pragma once
// The picture of a filter: its taps as a heat map, with numbers where there is room.

#include <cstdint>
#include <vector>

#include <QString>
#include <QWidget>

#include "core/filter/filter.h"

namespace sscope {

// Shows the heaviest slices of the taps (the xy slice for flat filters; xy, xz and yz for others): zero is the
// background, positive orange, negative blue, the anchor framed.
class KernelView : public QWidget {
  Q_OBJECT

 public:
  explicit KernelView(QWidget* parent = nullptr);
  ~KernelView() override;
  // Filters above a million taps are named, not drawn.
  void setFilter(const Filter& filter);
  void clear();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Slice;
  void arrange();
  void paintSlice(QPainter& painter, const Slice& slice) const;

  std::vector<Slice> slices_;
  double largest_ = 0;  // |tap|
  QString caption_;
};

}  // namespace sscope
