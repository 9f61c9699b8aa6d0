#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstdint>

#include "core/base/control.h"
#include "core/volume/array_view.h"

namespace sscope {

// Calls row(total, offset of its first element, elements) for every row along x of the box, on all cores, and adds the
// totals (+=) in an order that does not depend on the number of cores. Rows step by view.stride[0]. Throws Canceled.
template <class Total, class View, class Row>
[[nodiscard]] Total sumOverRows(const View& view, const Box& box, const Control& control, const Row& row) {
  constexpr std::int64_t kRowsAtOnce = 64;
  const std::int64_t ny = box.size(1);
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<std::int64_t>(0, ny * box.size(2), kRowsAtOnce), Total{},
      [&](const tbb::blocked_range<std::int64_t>& range, Total total) {
        control.check();
        for (std::int64_t r = range.begin(); r < range.end(); ++r)
          row(total, view.offset(box.begin[0], box.begin[1] + r % ny, box.begin[2] + r / ny), box.size(0));
        return total;
      },
      [](Total left, const Total& right) { return left += right; });
}

}  // namespace sscope
