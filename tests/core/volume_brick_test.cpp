#include "core/volume/volume_brick.h"

#include <cmath>
#include <limits>
#include <random>

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

// The mean of a block's finite elements, one voxel after the other.
double meanOf(const Volume& volume, const VolumeBrick& brick, int component, std::array<std::int64_t, 3> block,
              std::array<std::int64_t, 3> at) {
  const VolumeShape& shape = volume.shape();
  double sum = 0, count = 0;
  for (std::int64_t z = at[2] * block[2]; z < std::min(shape.nz, (at[2] + 1) * block[2]); ++z)
    for (std::int64_t y = at[1] * block[1]; y < std::min(shape.ny, (at[1] + 1) * block[1]); ++y)
      for (std::int64_t x = at[0] * block[0]; x < std::min(shape.nx, (at[0] + 1) * block[0]); ++x)
        for (std::int64_t c = 0; c < shape.components; ++c) {
          if (component >= 0 && c != component) continue;
          const auto i = static_cast<std::size_t>(((z * shape.ny + y) * shape.nx + x) * shape.components + c);
          const auto value = static_cast<double>(volume.elements<float>()[i]);
          if (!std::isfinite(value)) continue;
          sum += value;
          ++count;
        }
  return std::clamp(brick.level(count > 0 ? sum / count : 0), 0.0, 255.0);
}

}  // namespace

TEST_CASE("every level of a brick is that of its block's mean, whatever the shape and the component") {
  constexpr std::int64_t kEdge = 5;
  std::mt19937 random(7);
  for (const VolumeShape& shape :
       {VolumeShape{16, 7, 3, 1}, VolumeShape{5, 5, 5, 3}, VolumeShape{1, 30, 2, 2}, VolumeShape{31, 1, 1, 1}}) {
    Volume volume(shape, ElementType::f32);
    for (float& value : volume.elements<float>()) value = static_cast<float>(random() % 1000) / 10 - 30;
    // Some that have no mean, and one block in which nothing has.
    volume.elements<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    volume.elements<float>()[volume.elements<float>().size() / 2] = std::numeric_limits<float>::infinity();
    for (int component = -1; component < shape.components; ++component) {
      const VolumeBrick brick = makeBrick(volume, component, kEdge, {}, std::array<double, 2>{-30, 70});
      const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
      std::array<std::int64_t, 3> block{};
      for (std::size_t a = 0; a < 3; ++a) block[a] = (extent[a] + kEdge - 1) / kEdge;
      REQUIRE(brick.values.size() == static_cast<std::size_t>(brick.size[0] * brick.size[1] * brick.size[2]));
      for (std::int64_t z = 0; z < brick.size[2]; ++z)
        for (std::int64_t y = 0; y < brick.size[1]; ++y)
          for (std::int64_t x = 0; x < brick.size[0]; ++x) {
            const auto i = static_cast<std::size_t>((z * brick.size[1] + y) * brick.size[0] + x);
            INFO(shape.text() << " component " << component << " block " << x << " " << y << " " << z);
            CHECK(std::abs(brick.values[i] - meanOf(volume, brick, component, block, {x, y, z})) <= 0.51);
          }
    }
  }
}
