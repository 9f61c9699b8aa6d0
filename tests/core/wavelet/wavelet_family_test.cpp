// The filters of wavelet transforms as families.
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/wavelet.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

Stencil made(const char* spec, int dimensions = 3) {
  return makeStencil(parseFilterSpec(spec), {dimensions, {1, 1, 1}});
}

double sumOf(const AxisTaps& taps) { return std::accumulate(taps.weights.begin(), taps.weights.end(), 0.0); }

}  // namespace

TEST_CASE("low passes keep constants and high passes remove polynomials") {
  for (const std::string family : {"daubechies", "symlet"})
    for (int order = family == "symlet" ? 2 : 1; order <= 10; ++order) {
      const std::string spec = family + ":order=" + std::to_string(order);
      INFO(spec);
      const Stencil low = made(spec.c_str());
      REQUIRE(low.terms.size() == 1);
      for (const AxisTaps& taps : low.terms[0].axis) {
        CHECK(taps.size() == 2 * order);
        CHECK(taps.anchor == order - 1);
        CHECK(sumOf(taps) == Approx(1));
      }
      const Stencil high = made((spec + ",pass=high,axis=y").c_str());
      CHECK(sumOf(high.terms[0].axis[0]) == Approx(1));
      CHECK(sumOf(high.terms[0].axis[2]) == Approx(1));
      for (int power = 0; power < std::min(order, 4); ++power) {
        const AxisTaps& taps = high.terms[0].axis[1];
        double sum = 0, scale = 0;
        for (std::size_t k = 0; k < taps.weights.size(); ++k) {
          sum += std::pow(static_cast<double>(k), power) * taps.weights[k];
          scale += std::pow(static_cast<double>(k), power) * std::abs(taps.weights[k]);
        }
        CHECK(std::abs(sum) < 1e-12 * scale);
      }
    }
  CHECK(made("symlet:pass=high", 2).terms[0].axis[2].identity());
  CHECK(std::abs(sumOf(made("symlet:pass=high").terms[0].axis[2])) < 1e-12);
  CHECK_THROWS_AS(made("symlet:pass=high,axis=z", 2), Error);
  CHECK_THROWS_WITH(made("symlet:order=1"), ContainsSubstring("order"));
}

TEST_CASE("the magic family has the magic filter's taps, and the adjoint's") {
  const std::vector<double> taps = magicTaps(5);
  const AxisTaps forward = made("magic:order=5").terms[0].axis[1];
  const AxisTaps inverse = made("magic:order=5,direction=inverse").terms[0].axis[1];
  CHECK(forward.weights == taps);
  CHECK(forward.anchor == 5);
  CHECK(inverse.anchor == 4);
  for (std::size_t i = 0; i < taps.size(); ++i) CHECK(inverse.weights[i] == taps[taps.size() - 1 - i]);
  CHECK(made("magic").terms[0].axis[0].size() == 16);
}

TEST_CASE("wavelets are offered by the names they have, in their order") {
  std::vector<std::string> names;
  for (const Wavelet& wavelet : wavelets()) names.push_back(wavelet.name);
  CHECK(waveletNames() == names);
}
