// Lengths with a unit: what they are on data of other units.

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/grid.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

double sigmaOf(const std::string& spec) {
  const FilterRecipe recipe = parseFilterSpec(spec);
  const Length length = std::get<Length>(recipe.parameters.at("sigma"));
  CHECK(length.millimeters);
  return length.value;
}

Geometry spaced(double spacing, const std::string& unit) {
  Geometry geometry;
  geometry.spacing = {spacing, spacing, spacing};
  geometry.unit = unit;
  return geometry;
}

// The taps along x of a Gaussian on such data.
std::vector<double> tapsOn(const std::string& spec, const Geometry& geometry) {
  FilterBank bank;
  bank.filters.push_back(parseFilterSpec(spec));
  return FilterWorkload::of(bank, {ElementType::f32, {9, 9, 9, 1}}, geometry).stencil(0).terms.front().axis[0].weights;
}

}  // namespace

TEST_CASE("units of length are converted to millimeters when they are read") {
  CHECK(sigmaOf("gaussian:sigma=0.8mm") == 0.8);
  CHECK(sigmaOf("gaussian:sigma=7um") == 0.007);
  CHECK(sigmaOf("gaussian:sigma=7\xc2\xb5m") == 0.007);
  CHECK(sigmaOf("gaussian:sigma=300nm") == 0.0003);
  CHECK(sigmaOf("gaussian:sigma=1.5cm") == 15);
  CHECK(sigmaOf("gaussian:sigma=0.002m") == 2);
  CHECK(sigmaOf("gaussian:sigma=30angstrom") == 3e-6);
  CHECK(sigmaOf("gaussian:sigma=2inch") == 50.8);
  for (const char* wrong : {"gaussian:sigma=1mmm", "gaussian:sigma=mm", "gaussian:sigma=1 ell", "gaussian:sigma=1px"})
    CHECK_THROWS_AS(static_cast<void>(parseFilterSpec(wrong)), Error);
}

TEST_CASE("a length in millimeters is the same length whatever the unit of the data") {
  const std::vector<double> expected = tapsOn("gaussian:sigma=2", spaced(1, "mm"));
  CHECK(tapsOn("gaussian:sigma=2mm", spaced(1, "mm")) == expected);
  CHECK(tapsOn("gaussian:sigma=0.1mm", spaced(50, "um")).size() == expected.size());
  CHECK(tapsOn("gaussian:sigma=100um", spaced(50, "um")).size() == expected.size());
  CHECK(tapsOn("gaussian:sigma=100um", spaced(0.05, "mm")).size() == expected.size());
}

TEST_CASE("a length has no unit where the data have none") {
  for (const char* unit : {"", "pixel", "furlong"}) {
    try {
      static_cast<void>(tapsOn("gaussian:sigma=1mm", spaced(1, unit)));
      FAIL("millimeters were found in " + std::string(unit));
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::Usage);
      CHECK(std::string(error.what()).find("in voxels") != std::string::npos);
    }
    CHECK_NOTHROW(static_cast<void>(tapsOn("gaussian:sigma=1", spaced(1, unit))));
  }
}
