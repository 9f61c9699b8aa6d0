#pragma once
// The list of rows inside the list of filters.

#include <QListWidget>
#include <algorithm>

#include "ui/base/look.h"

namespace sscope {

// As tall as its rows: at least as some of them, and as all where there is room.
class RowsList : public QListWidget {
 public:
  using QListWidget::QListWidget;
  [[nodiscard]] QSize sizeHint() const override { return {em(this, 8), heightOf(std::clamp(count(), 2, kAtLeast))}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }
  void fitRows() {
    setMaximumHeight(heightOf(std::max(count(), 2)));
    updateGeometry();
  }

 private:
  static constexpr int kAtLeast = 8;
  [[nodiscard]] int heightOf(int rows) const {
    const int row = count() > 0 ? sizeHintForRow(0) : em(this, 1.4);
    return rows * row + 2 * frameWidth() + 2;
  }
};

}  // namespace sscope
