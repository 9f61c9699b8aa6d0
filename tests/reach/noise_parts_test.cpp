#include <cstring>

#include "core/base/error.h"
#include "core/parts/sparse_volume.h"
#include "core/workload/noise.h"
#include "tests/support/catch.h"

using namespace sscope;

TEST_CASE("parts of the noise are those of the whole, in any order and more than once") {
  for (const ElementType type : kElementTypes) {
    const Volume whole = noiseVolume({11, 7, 5, 2}, type, 42, {});
    const auto bytes = static_cast<std::int64_t>(bytesOf(type));
    std::vector<std::byte> got(static_cast<std::size_t>(300 * bytes));
    fillNoise({{500, 100, got.data()}, {3, 100, got.data() + 100 * bytes}, {520, 100, got.data() + 200 * bytes}}, type,
              42, {});
    const std::byte* data = whole.data();
    CHECK(std::memcmp(got.data(), data + 500 * bytes, static_cast<std::size_t>(100 * bytes)) == 0);
    CHECK(std::memcmp(got.data() + 100 * bytes, data + 3 * bytes, static_cast<std::size_t>(100 * bytes)) == 0);
    CHECK(std::memcmp(got.data() + 200 * bytes, data + 520 * bytes, static_cast<std::size_t>(100 * bytes)) == 0);
  }
}

TEST_CASE("making noise is canceled") {
  std::stop_source stop;
  stop.request_stop();
  double value = 0;
  CHECK_THROWS_AS(fillNoise({{std::int64_t{1} << 40, 1, reinterpret_cast<std::byte*>(&value)}}, ElementType::f64, 1,
                            {stop.get_token(), {}}),
                  Canceled);
}

TEST_CASE("an array of which only some planes are here may be larger than memory") {
  const ArraySpec spec{ElementType::f64, {1024, 1024, 1 << 20, 1}};  // 8 TiB
  reach::SparseVolume array(spec);
  reinterpret_cast<double*>(array.plane((1 << 20) - 1))[1024 * 1024 - 1] = 7;
  const ConstArrayView view = array.volume().view();
  CHECK(view.as<double>()[view.offset(1023, 1023, (1 << 20) - 1)] == 7);
  CHECK(view.as<double>()[0] == 0);
}
