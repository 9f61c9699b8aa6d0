#include "core/filter/rank_window.h"

#include <string>

#include "core/base/error.h"

namespace sscope {

namespace {

bool within(WindowShape shape, const std::array<std::int64_t, 3>& at, std::int64_t size) {
  const std::int64_t squared = at[0] * at[0] + at[1] * at[1] + at[2] * at[2];
  switch (shape) {
    case WindowShape::Box: return true;
    case WindowShape::Ball: return 4 * squared <= (size - 1) * (size - 1);
    case WindowShape::Cross: return (at[0] != 0) + (at[1] != 0) + (at[2] != 0) <= 1;
  }
  return false;
}

}  // namespace

RankWindow medianWindow(WindowShape shape, std::int64_t size, int dimensions) {
  if (size < 1 || size > kLargestWindow || size % 2 == 0)
    throw Error(ErrorKind::Usage, "the window of a median cannot be " + std::to_string(size) + " voxels wide",
                "choose an odd number from 3 to " + std::to_string(kLargestWindow));
  const std::int64_t reach = size / 2, deep = dimensions == 3 ? reach : 0;
  RankWindow window;
  window.size = {size, size, 2 * deep + 1};
  window.anchor = {reach, reach, deep};
  window.members.clear();
  for (std::int64_t z = -deep; z <= deep; ++z)
    for (std::int64_t y = -reach; y <= reach; ++y)
      for (std::int64_t x = -reach; x <= reach; ++x)
        if (within(shape, {x, y, z}, size)) window.members.push_back({x + reach, y + reach, z + deep});
  window.rank = window.count() / 2;
  return window;
}

}  // namespace sscope
