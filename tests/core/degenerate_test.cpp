#include "core/filter/families/degenerate.h"
#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/fitting_bank.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

std::string reasonOf(const char* spec, const FilterGrid& grid = {}) {
  return degenerateReason(parseFilterSpec(spec), grid);
}

}  // namespace

TEST_CASE("a length far below the grid is told") {
  CHECK(reasonOf("dog:sigma=0.0703mm").find("gives zero everywhere") != std::string::npos);
  CHECK(reasonOf("dog:sigma=0.0703mm").find("0.0703 voxels") != std::string::npos);
  CHECK(reasonOf("gaussian:sigma=0.07mm").find("changes nothing") != std::string::npos);
  CHECK(reasonOf("bilateral:sigma=0.07mm").find("changes nothing") != std::string::npos);
  CHECK(reasonOf("sharpen:sigma=0.07mm,amount=3").find("changes nothing") != std::string::npos);
  CHECK(reasonOf("gaussian:sigma=0.07mm", {3, {1, 1, 5}}).find("0.07 x 0.07 x 0.014 voxels") != std::string::npos);
  // What still does something is left alone: another axis, a derivative, a length of usual size, taps of one's own.
  CHECK(reasonOf("gaussian:sigma=1mm", {3, {1, 1, 20}}).empty());
  CHECK(reasonOf("gaussian:sigma=0.07mm,order_x=1").empty());
  CHECK(reasonOf("log:sigma=0.07mm").empty());
  for (const FilterFamily& family : filterFamilies())
    if (family.make) CHECK(reasonOf(family.name.c_str()).empty());
}

TEST_CASE("banks that compute the same have the same computed part") {
  FilterBank bank;
  bank.filters = {parseFilterSpec("gaussian:sigma=1"), parseFilterSpec("box")};
  FilterBank other = bank;
  other.filters[0].name = "smooth";
  CHECK(computedPart(bank) == computedPart(other));
  other.filters[1].enabled = false;
  CHECK_FALSE(computedPart(bank) == computedPart(other));
  FilterBank third = other;
  third.filters[1].parameters["size"] = std::int64_t{9};  // of the one that is switched off
  CHECK(computedPart(third) == computedPart(other));
  third.boundary = Boundary::wrap;
  CHECK_FALSE(computedPart(third) == computedPart(other));
}

TEST_CASE("what does not fit an image is named") {
  FilterRecipe recipe = parseFilterSpec("sobel:axis=z");
  recipe.name = "edges";
  CHECK_THROWS_WITH(makeStencil(recipe, {2, {1, 1, 1}}), ContainsSubstring("the filter edges: axis=z"));
}
