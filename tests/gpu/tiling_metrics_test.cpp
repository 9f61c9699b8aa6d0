// The metrics of the tiled 2D convolution against tables 2 and 3 of the paper.

#include "gpu/run/tiling_metrics.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope::test {

namespace {

struct Gpu {
  TilingLimits limits;
  std::int64_t blockX, blockY, largestFilter;
};

// Table 3. Kernels of compute capability 1.x have their arguments in shared memory.
const Gpu kC2050{{1536, 32768, 48800, 0, 0, 32, 48, 8}, 16, 32, 27};
const Gpu kGtx280{{1024, 16384, 16384, 0, 104, 32, 32, 8}, 16, 16, 25};
const Gpu k8800Gt{{768, 8192, 16384, 0, 104, 32, 24, 8}, 16, 16, 25};

using Metric = TilingChoice (*)(const TilingLimits&, const TilingProblem&);

TilingProblem problemOf(const Gpu& gpu, std::int64_t width, std::int64_t height) {
  return {gpu.blockX, gpu.blockY, width, height, 4, [](int) { return 20; }};
}

struct Means {
  double tiling = 0, occupancy = 0;
};

Means meansOf(const Gpu& gpu, Metric metric) {
  Means sums;
  double count = 0;
  for (std::int64_t w = 3; w <= gpu.largestFilter; ++w)
    for (std::int64_t h = 3; h <= gpu.largestFilter; ++h, ++count) {
      const TilingChoice choice = metric(gpu.limits, problemOf(gpu, w, h));
      REQUIRE(choice.tiling >= 1);
      sums.tiling += choice.tiling;
      sums.occupancy += choice.occupancy;
    }
  return {sums.tiling / count, sums.occupancy / count};
}

}  // namespace

TEST_CASE("the metrics give table 2 from table 3", "[tiling]") {
  const Means c2050Occupancy = meansOf(kC2050, phiOccupancy), c2050Tiling = meansOf(kC2050, phiTiling);
  CHECK(c2050Occupancy.tiling == Approx(3.83).margin(0.04));
  CHECK(c2050Occupancy.occupancy == Approx(1.0));
  CHECK(c2050Tiling.tiling == Approx(14.33).margin(0.01));
  CHECK(c2050Tiling.occupancy == Approx(0.3334).margin(0.0002));

  const Means gtxOccupancy = meansOf(kGtx280, phiOccupancy), gtxTiling = meansOf(kGtx280, phiTiling);
  CHECK(gtxOccupancy.tiling == Approx(1.63).margin(0.02));
  CHECK(gtxOccupancy.occupancy == Approx(0.75).margin(0.015));  // the largest filters leave room for two blocks only
  CHECK(gtxTiling.occupancy == Approx(0.25));

  const Means gtOccupancy = meansOf(k8800Gt, phiOccupancy), gtTiling = meansOf(k8800Gt, phiTiling);
  CHECK(gtOccupancy.tiling == Approx(7.35).margin(0.12));
  CHECK(gtOccupancy.occupancy == Approx(0.3334).margin(0.0002));
  CHECK(gtTiling.tiling == Approx(gtOccupancy.tiling));  // "the two metrics do not yield any difference"
  CHECK(gtTiling.occupancy == Approx(gtOccupancy.occupancy));

  // The paper's 3.83 cannot be: what fits on an 8800 GT fits on a GTX280.
  CHECK(gtxTiling.tiling == Approx(gtTiling.tiling));
}

TEST_CASE("the shared memory of a block is the example of section 3", "[tiling]") {
  CHECK(sharedTileBytes({16, 32, 29, 29, 1, {}}, 1) == 2640);
}

TEST_CASE("factors stay within their limits", "[tiling]") {
  CHECK(tilingFactors().front() == 1);
  CHECK(tilingFactors().back() == 16);
  CHECK(phiTiling(kC2050.limits, problemOf(kC2050, 3, 3)).tiling == 16);
  CHECK(phiOccupancy(kC2050.limits, problemOf(kC2050, 3, 3)).blocks == 3);
  // Too large for shared memory, or too many registers: nothing fits, and that is told.
  CHECK(phiTiling(k8800Gt.limits, problemOf(k8800Gt, 101, 101)).tiling == 0);
  TilingProblem greedy = problemOf(k8800Gt, 3, 3);
  greedy.registersPerThread = [](int) { return 33; };
  CHECK(phiOccupancy(k8800Gt.limits, greedy).tiling == 0);
  // Registers that grow with the factor end it earlier.
  greedy.registersPerThread = [](int tiling) { return 28 + tiling; };
  CHECK(phiTiling(k8800Gt.limits, greedy).tiling == 4);
  // One block may not take all that a multiprocessor has.
  TilingLimits narrow = kC2050.limits;
  narrow.sharedBytesOfBlock = sharedTileBytes(problemOf(kC2050, 3, 3), 4);
  CHECK(phiTiling(narrow, problemOf(kC2050, 3, 3)).tiling == 4);
}

}  // namespace sscope::test
