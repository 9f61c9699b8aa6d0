#include <algorithm>
#include <cmath>
#include <limits>

#include "core/volume/change.h"
#include "core/volume/histogram.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::array<double, 2> extremes(const Volume& volume, int component) {
  const ValueRange range = rangeOf(volume.view(), component, {});
  return {range.least, range.most};
}

}  // namespace

TEST_CASE("logarithms of a field: zeros lie a decade below what is smallest, what is not finite stays so") {
  Volume field({2, 2, 1, 2}, ElementType::f64, {});
  const double values[] = {0, 1e-12, 100, 1, std::numeric_limits<double>::quiet_NaN(), -3, 1e-3, 0};
  std::copy(std::begin(values), std::end(values), field.elements<double>().begin());
  const auto logarithms = logarithmOf(field);
  REQUIRE(logarithms);
  CHECK(logarithms->type() == ElementType::f32);
  CHECK(logarithms->shape() == field.shape());
  const double expected[] = {-13, -12, 2, 0, 0, -13, -3, -13};
  for (std::size_t i = 0; i < 8; ++i)
    if (i == 4) {
      CHECK(std::isnan(logarithms->elements<float>()[i]));
    } else {
      CHECK(static_cast<double>(logarithms->elements<float>()[i]) == Approx(expected[i]).margin(1e-6));
    }
  CHECK(extremes(*logarithms, -1) == std::array<double, 2>{-13, 2});
  CHECK(extremes(*logarithms, 0) == std::array<double, 2>{-13, 2});
  CHECK(extremes(*logarithms, 1) == std::array<double, 2>{-13, 0});
  CHECK(extremes(field, 0) == std::array<double, 2>{0, 100});
}

TEST_CASE("a field without a positive value has no logarithms") {
  Volume field({3, 2, 1, 1}, ElementType::f64, {});
  std::fill(field.elements<double>().begin(), field.elements<double>().end(), 0.0);
  CHECK(logarithmOf(field) == nullptr);
  field.elements<double>()[3] = -1;
  CHECK(logarithmOf(field) == nullptr);
}
