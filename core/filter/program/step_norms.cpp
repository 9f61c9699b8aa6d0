#include "core/filter/program/step_norms.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cmath>
#include <type_traits>

namespace sscope {

namespace {

template <class Before, class After>
void addRow(const Before* before, std::int64_t beforeStride, const After* after, std::int64_t afterStride,
            std::int64_t count, StepNorms& sum) {
  StepNorms row;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto now = static_cast<double>(after[i * afterStride]);
    const double change = now - static_cast<double>(before[i * beforeStride]);
    const bool finite = std::isfinite(change);
    row.change += finite ? change * change : 0;
    row.size += finite ? now * now : 0;
  }
  sum.change += row.change;
  sum.size += row.size;
}

}  // namespace

StepNorms stepNorms(const ConstArrayView& before, const ConstArrayView& after, const Control& control) {
  const std::int64_t height = after.extent[1];
  return dispatch(before.type, [&](auto beforeTag) {
    return dispatch(after.type, [&](auto afterTag) {
      if constexpr (std::is_integral_v<decltype(afterTag)>) return StepNorms{};
      const auto* from = before.as<decltype(beforeTag)>();
      const auto* to = after.as<decltype(afterTag)>();
      return tbb::parallel_reduce(
          tbb::blocked_range<std::int64_t>(0, height * after.extent[2]), StepNorms{},
          [&](const tbb::blocked_range<std::int64_t>& rows, StepNorms sum) {
            for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
              control.check();
              for (std::int64_t c = 0; c < after.extent[3]; ++c)
                addRow(from + before.offset(0, row % height, row / height, c), before.stride[0],
                       to + after.offset(0, row % height, row / height, c), after.stride[0], after.extent[0], sum);
            }
            return sum;
          },
          [](const StepNorms& a, const StepNorms& b) {
            return StepNorms{a.change + b.change, a.size + b.size};
          });
    });
  });
}

}  // namespace sscope
