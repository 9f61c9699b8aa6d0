#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "core/parts/communicator.h"
#include "core/parts/partition.h"
#include "core/volume/volume.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::reach;

namespace {

// Follow each other from the first plane to the last.
void checkCovers(const std::vector<Range>& ranges, std::int64_t planes) {
  std::int64_t at = 0;
  for (const Range& range : ranges) {
    CHECK(range.begin == at);
    CHECK(range.size() >= 0);
    at = range.end;
  }
  CHECK(at == planes);
}

}  // namespace

TEST_CASE("planes are cut evenly, and parts without a plane come last") {
  CHECK(evenly(10, 4) == std::vector<Range>{{0, 3}, {3, 6}, {6, 8}, {8, 10}});
  CHECK(evenly(2, 3) == std::vector<Range>{{0, 1}, {1, 2}, {2, 2}});
  CHECK(evenly(0, 1) == std::vector<Range>{{0, 0}});
}

TEST_CASE("planes are cut by weights, and nobody who wants some goes without") {
  CHECK(weighted(10, std::vector<double>{1, 1}) == std::vector<Range>{{0, 5}, {5, 10}});
  CHECK(weighted(10, std::vector<double>{3, 0, 1}) == std::vector<Range>{{0, 8}, {8, 8}, {8, 10}});
  CHECK(weighted(3, std::vector<double>{1e6, 1, 1}) == std::vector<Range>{{0, 1}, {1, 2}, {2, 3}});
  CHECK(weighted(4, std::vector<double>{1e-9, 1, 1e-9}) == std::vector<Range>{{0, 1}, {1, 3}, {3, 4}});
  std::mt19937 generator(1);
  for (int trial = 0; trial < 500; ++trial) {
    const auto planes = static_cast<std::int64_t>(generator() % 40);
    std::vector<double> weights(1 + generator() % 9);
    for (double& weight : weights) weight = static_cast<double>(generator() % 4);
    if (std::accumulate(weights.begin(), weights.end(), 0.0) == 0) weights.front() = 1;
    const auto ranges = weighted(planes, weights);
    REQUIRE(ranges.size() == weights.size());
    checkCovers(ranges, planes);
    std::int64_t wanting = 0;
    for (const double weight : weights) wanting += weight > 0 ? 1 : 0;
    for (std::size_t part = 0; part < weights.size(); ++part) {
      if (weights[part] == 0) CHECK(ranges[part].size() == 0);
      if (weights[part] > 0 && planes >= wanting) CHECK(ranges[part].size() > 0);
    }
  }
}

TEST_CASE("a part of a view begins at its box") {
  Volume volume({5, 4, 3, 2}, ElementType::u16, {});
  const ArrayView part = viewOfBox(volume.view(), slab(volume.view().extent, 2, {1, 3}));
  CHECK(part.extent == std::array<std::int64_t, 4>{5, 4, 2, 2});
  CHECK(part.data == volume.view().data + volume.view().offset(0, 0, 1) * 2);
  CHECK(slowestAxis({5, 4, 1, 1}) == 1);
  CHECK(slowestAxis({5, 1, 1, 1}) == 0);
}

TEST_CASE("a process by itself is a rank of one") {
  const auto lone = loneRank();
  const std::vector<std::byte> sent{std::byte{1}, std::byte{2}};
  std::vector<std::byte> received(2);
  const Send send{0, 7, sent};
  const Receive receive{0, 7, received};
  lone->begin({&send, 1}, {&receive, 1})->end({});
  CHECK(received == sent);
  CHECK(lone->gather(std::vector<double>{1, 2}, {}) == std::vector<double>{1, 2});
  CHECK_NOTHROW(lone->agree(nullptr, {}));
  CHECK_THROWS_AS(lone->agree(std::make_exception_ptr(Error(ErrorKind::Io, "the disk is full")), {}), Error);
}
