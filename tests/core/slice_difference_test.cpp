#include "core/volume/slice_difference.h"

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

const VolumeShape kShape{5, 4, 3, 1};

Volume source() {
  return test::filledVolume(kShape, ElementType::i16,
                            [](auto x, auto y, auto z, int) { return x + 10 * y - 100 * z + 3; });
}
Volume result() {
  return test::filledVolume(kShape, ElementType::f32, [](auto x, auto y, auto z, int) {
    return 0.5 * static_cast<double>(x * y) + static_cast<double>(7 * z - 4);
  });
}

}  // namespace

TEST_CASE("a slice's difference is that of each voxel, across every axis, and its norms are their sums") {
  const Volume a = source(), b = result();
  const std::array<std::int64_t, 3> extent{5, 4, 3};
  const std::size_t axis = GENERATE(0U, 1U, 2U);
  const auto kind = GENERATE(DifferenceKind::Signed, DifferenceKind::Absolute, DifferenceKind::Relative);
  const std::int64_t at = extent[axis] - 2;
  const SliceDifference made = sliceDifference(a, at, b, at, axis, 0, kind);
  double sum = 0, squares = 0, most = 0, sourceSquares = 0, low = 1e9, high = -1e9;
  std::int64_t count = 0;
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 4; ++y)
      for (std::int64_t x = 0; x < 5; ++x) {
        const std::array<std::int64_t, 3> voxel{x, y, z};
        if (voxel[axis] != at) continue;
        const double s = a.value(x, y, z), d = b.value(x, y, z) - s;
        const double wanted = kind == DifferenceKind::Absolute ? std::abs(d)
                              : kind == DifferenceKind::Signed ? d
                              : s == 0                         ? std::numeric_limits<double>::quiet_NaN()
                                                               : d / std::abs(s);
        const double found = made.values.value(axis == 0 ? 0 : x, axis == 1 ? 0 : y, axis == 2 ? 0 : z);
        CAPTURE(x, y, z, found, wanted);
        CHECK((found == wanted || (std::isnan(found) && std::isnan(wanted))));
        sum += std::abs(d);
        squares += d * d;
        sourceSquares += s * s;
        most = std::max(most, std::abs(d));
        low = std::min(low, s);
        high = std::max(high, s);
        ++count;
      }
  const DifferenceNorms& norms = made.norms;
  CHECK(norms.elements == count);
  CHECK(norms.leftOut == 0);
  CHECK(norms.meanAbsolute == Approx(sum / static_cast<double>(count)));
  CHECK(norms.rootMeanSquare == Approx(std::sqrt(squares / static_cast<double>(count))));
  CHECK(norms.maximum == most);
  CHECK(norms.relative == Approx(std::sqrt(squares / sourceSquares)));
  CHECK(norms.peak == high - low);
  CHECK(norms.decibels.value() == Approx(20 * std::log10((high - low) / norms.rootMeanSquare)));
}

TEST_CASE("a slice by itself is compared with the slice of a volume that it is of") {
  const Volume a = source();
  Volume alone({5, 4, 1, 1}, ElementType::f64);
  for (std::int64_t y = 0; y < 4; ++y)
    for (std::int64_t x = 0; x < 5; ++x)
      alone.elements<double>()[static_cast<std::size_t>(5 * y + x)] = a.value(x, y, 2);
  const SliceDifference made = sliceDifference(a, 2, alone, 0, 2, 0, DifferenceKind::Signed);
  CHECK(made.norms.maximum == 0);
  CHECK(std::isinf(made.norms.decibels.value()));
  CHECK(sliceDifference(a, 1, alone, 0, 2, 0, DifferenceKind::Signed).norms.maximum == 100);
  CHECK_THROWS_AS(sliceDifference(a, 0, alone, 0, 0, 0, DifferenceKind::Signed), Error);
}

TEST_CASE("colors differ by the mean of their channels, and 8 bits have a peak of 255") {
  const VolumeShape shape{2, 1, 1, 3};
  const Volume a = test::filledVolume(shape, ElementType::u8, [](auto x, auto, auto, int c) { return 10 * x + c; });
  const Volume b = test::filledVolume(shape, ElementType::f32,
                                      [](auto x, auto, auto, int c) { return 10 * x + c + (c == 1 ? -9 : 3); });
  CHECK(sliceDifference(a, 0, b, 0, 2, -1, DifferenceKind::Signed).values.value(1, 0, 0) == -1);
  const SliceDifference magnitude = sliceDifference(a, 0, b, 0, 2, -1, DifferenceKind::Absolute);
  CHECK(magnitude.values.value(1, 0, 0) == 5);
  CHECK(magnitude.norms.elements == 6);
  CHECK(magnitude.norms.peak == 255);
  CHECK(sliceDifference(a, 0, b, 0, 2, -1, DifferenceKind::Relative).values.value(1, 0, 0) == -3.0 / 33);
  CHECK(sliceDifference(a, 0, b, 0, 2, 1, DifferenceKind::Signed).values.value(0, 0, 0) == -9);
}

TEST_CASE("what is not finite is left out of a difference, and numbers of any size have norms") {
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> ours{0, 0, 1e200, inf, 2}, theirs{0, 3, -1e200, inf, std::nan("")};
  const VolumeShape shape{5, 1, 1, 1};
  const Volume a = test::filledVolume(shape, ElementType::f64,
                                      [&](auto x, auto, auto, int) { return ours[static_cast<std::size_t>(x)]; });
  const Volume b = test::filledVolume(shape, ElementType::f64,
                                      [&](auto x, auto, auto, int) { return theirs[static_cast<std::size_t>(x)]; });
  const SliceDifference made = sliceDifference(a, 0, b, 0, 2, 0, DifferenceKind::Relative);
  CHECK(made.norms.elements == 3);
  CHECK(made.norms.leftOut == 2);
  CHECK(made.norms.maximum == 2e200);
  CHECK(made.norms.rootMeanSquare == Approx(2e200 / std::sqrt(3.0)));
  CHECK(made.norms.relative == Approx(2));
  CHECK(made.values.value(0, 0, 0) == 0);
  CHECK(std::isnan(made.values.value(1, 0, 0)));
  CHECK(made.values.value(2, 0, 0) == -2);
  CHECK(std::isnan(made.values.value(3, 0, 0)));
  CHECK(std::isnan(made.values.value(4, 0, 0)));
  const Volume none = test::filledVolume(shape, ElementType::f64, [&](auto, auto, auto, int) { return inf; });
  CHECK(sliceDifference(none, 0, b, 0, 2, 0, DifferenceKind::Signed).norms.elements == 0);
}
