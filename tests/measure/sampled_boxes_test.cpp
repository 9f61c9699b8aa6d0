// Which boxes are compared with the reference.
#include <algorithm>

#include "core/measure/compared_output.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

bool holds(const Box& outer, const Box& inner) {
  for (std::size_t a = 0; a < 3; ++a)
    if (inner.begin[a] < outer.begin[a] || inner.end[a] > outer.end[a]) return false;
  return true;
}

}  // namespace

TEST_CASE("the pieces of a whole are alike and cover it once") {
  for (const std::array<std::int64_t, 4>& extent :
       {std::array<std::int64_t, 4>{48, 33, 70, 1}, {1, 1, 1, 3}, {32, 64, 65, 2}, {5, 1000, 1, 1}}) {
    std::int64_t voxels = 0;
    for (const Box& piece : wholeVolume(extent, 32)) {
      voxels += piece.voxels();
      for (int a = 0; a < 3; ++a) {
        CHECK(piece.size(a) <= 32);
        CHECK(piece.size(a) >= std::min<std::int64_t>(extent[static_cast<std::size_t>(a)], 16));
      }
    }
    CHECK(voxels == extent[0] * extent[1] * extent[2]);
  }
}

TEST_CASE("boxes are joined where what lies around them is most of their cost") {
  const std::vector<Box> boxes = sampledBoxes({100, 90, 80, 1}, 3);
  const auto around = [](std::int64_t reach) {
    return [reach](const Box& box) {
      double cost = 1;
      for (int a = 0; a < 3; ++a) cost *= static_cast<double>(box.size(a) + 2 * reach);
      return cost;
    };
  };
  const auto sum = [](const std::vector<Box>& all, const auto& cost) {
    double total = 0;
    for (const Box& box : all) total += cost(box);
    return total;
  };
  std::size_t before = boxes.size() + 1;
  for (const std::int64_t reach : {0, 5, 40}) {
    const auto cost = around(reach);
    const std::vector<Box> joined = joinedBoxes(boxes, cost, 1);
    for (const Box& box : boxes) CHECK(std::ranges::any_of(joined, [&](const Box& one) { return holds(one, box); }));
    CHECK(sum(joined, cost) <= sum(boxes, cost));
    CHECK(joined.size() < before);
    before = joined.size();
  }
  CHECK(before == 1);
}
