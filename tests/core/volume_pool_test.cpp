#include <cstring>
#include <optional>

#include "core/volume/volume.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

Volume pooled(VolumePool& pool, std::int64_t edge, std::size_t alike = 1) {
  return pool.make({edge, edge, edge, 1}, ElementType::f32, {}, alike);
}

}  // namespace

TEST_CASE("a pool gives the memory of dropped volumes to the next of the same size") {
  VolumePool pool;
  std::optional<Volume> first = pooled(pool, 32);
  const std::int64_t bytes = first->bytes();
  const std::byte* place = first->data();
  Volume held = pooled(pool, 32);
  CHECK(held.data() != place);
  CHECK(pool.kept() == 0);
  first.reset();
  CHECK(pool.kept() == bytes);
  CHECK(pooled(pool, 32).data() == place);

  SECTION("no more of them than are made together") {
    held = Volume();
    CHECK(pool.kept() == bytes);
  }
  SECTION("and none of another size") {
    const Volume other = pooled(pool, 16);
    CHECK(pool.kept() == 0);
    held = Volume();  // of the size that nobody wants any more
    CHECK(pool.kept() == 0);
  }
  SECTION("until it is released") {
    pool.release();
    CHECK(pool.kept() == 0);
    held = Volume();
    CHECK(pool.kept() == 0);
  }
}

TEST_CASE("a volume outlives its pool") {
  std::optional<VolumePool> pool(std::in_place);
  Volume volume = pooled(*pool, 8);
  pool.reset();
  std::memset(volume.data(), 1, static_cast<std::size_t>(volume.bytes()));
  CHECK(static_cast<int>(volume.data()[volume.bytes() - 1]) == 1);
}
