#include <vector>

#include "core/boundary/boundary.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {
// The five rules drawn out for n = 4 as in scipy's documentation: indices -6..9.
std::vector<std::int64_t> drawn(Boundary boundary, std::int64_t n) {
  std::vector<std::int64_t> row;
  for (std::int64_t i = -6; i < n + 6; ++i) row.push_back(boundaryIndex(i, n, boundary));
  return row;
}
}  // namespace

TEST_CASE("boundary rules match their drawings") {
  CHECK(drawn(Boundary::constant, 4) ==
        std::vector<std::int64_t>{-1, -1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1, -1});
  CHECK(drawn(Boundary::nearest, 4) == std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3});
  CHECK(drawn(Boundary::mirror, 4) == std::vector<std::int64_t>{0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3});
  CHECK(drawn(Boundary::reflect, 4) == std::vector<std::int64_t>{2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1});
  CHECK(drawn(Boundary::wrap, 4) == std::vector<std::int64_t>{2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1});
}

TEST_CASE("boundary rules stay inside for any distance and any extent") {
  for (const Boundary boundary : kBoundaries)
    for (std::int64_t n = 1; n <= 5; ++n)
      for (std::int64_t i = -40; i <= 40; ++i) {
        const std::int64_t at = boundaryIndex(i, n, boundary);
        CHECK(at < n);
        CHECK(at >= (boundary == Boundary::constant ? -1 : 0));
      }
}

TEST_CASE("boundary names are read back") {
  for (const Boundary boundary : kBoundaries) CHECK(parseBoundary(toString(boundary)) == boundary);
  CHECK_FALSE(parseBoundary("edge"));
}
