// The taps of the kinetic filter: the published ones, their moments, and what defines them.
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/wavelet.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// L. Genovese et al., J. Chem. Phys. 129 (2008) 014109, as BigDFT has them: the integrals of phi(x) phi''(x - i),
// i = 0..14, of the 16 taps' scaling function; the kinetic filter is -1/2 of them.
constexpr double kPublishedKinetic[] = {-3.5536922899131901941296809374,
                                        2.2191465938911163898794546405,
                                        -0.6156141465570069496314853949,
                                        0.2371780582153805636239247476,
                                        -0.0822663999742123340987663521,
                                        0.02207029188482255523789911295638968409,
                                        -0.409765689342633823899327051188315485e-2,
                                        0.45167920287502235349480037639758496e-3,
                                        -0.2398228524507599670405555359023135e-4,
                                        2.0904234952920365957922889447361e-6,
                                        -3.7230763047369275848791496973044e-7,
                                        -1.05857055496741470373494132287e-8,
                                        -5.813879830282540547959250667e-11,
                                        2.70800493626319438269856689037647576e-13,
                                        -6.924474940639200152025730585882e-18};

// Sum of i^power t_i, and of its magnitudes.
double moment(const std::vector<double>& taps, int power, bool magnitude = false) {
  const auto middle = static_cast<double>(taps.size() / 2);
  double sum = 0;
  for (std::size_t i = 0; i < taps.size(); ++i) {
    const double term = std::pow(static_cast<double>(i) - middle, power) * taps[i];
    sum += magnitude ? std::abs(term) : term;
  }
  return sum;
}

}  // namespace

TEST_CASE("the kinetic filter of order 8 is the published one") {
  const std::vector<double> taps = kineticTaps(8);
  REQUIRE(taps.size() == 29);
  for (std::size_t i = 0; i < 15; ++i) {
    INFO("tap " << i);
    const double exact = -0.5 * kPublishedKinetic[i];
    CHECK(std::abs(taps[14 + i] - exact) < 1e-15);
    CHECK(taps[14 + i] == Approx(exact).epsilon(1e-9));
    CHECK(taps[14 - i] == taps[14 + i]);
  }
}

TEST_CASE("kinetic taps are -1/2 of the second derivative of every polynomial they are exact for") {
  for (int m = kKineticMinimumOrder; m <= kMagicMaximumOrder; ++m) {
    INFO("order " << m);
    const std::vector<double> taps = kineticTaps(m);
    REQUIRE(taps.size() == static_cast<std::size_t>(4 * m - 3));
    CHECK(std::abs(moment(taps, 0)) < 1e-14);
    CHECK(std::abs(moment(taps, 2) + 1) < 1e-13);
    // Connection coefficients annihilate the further moments up to 2m - 1 (G. Beylkin, 1992).
    for (int power = 3; power < 2 * m; ++power) {
      INFO("power " << power);
      CHECK(std::abs(moment(taps, power)) < 1e-13 * moment(taps, power, true));
    }
  }
  CHECK_THROWS_WITH(kineticTaps(2), Catch::Matchers::ContainsSubstring("from 3 to 10"));
  CHECK_THROWS_AS(kineticTaps(11), Error);
}

// The two-scale relation, which the solution was not asked for at i = 1.
TEST_CASE("kinetic taps satisfy the two-scale relation at every place, with either family's low pass") {
  for (int m = kKineticMinimumOrder; m <= kMagicMaximumOrder; ++m)
    for (const char* family : {"db", "sym"}) {
      INFO(family << m);
      const std::vector<double> taps = kineticTaps(m);
      const std::vector<double>& h = waveletNamed(family + std::to_string(m)).recLow;
      const int last = 2 * m - 2;
      const auto at = [&](int i) { return std::abs(i) > last ? 0.0 : taps[static_cast<std::size_t>(i + last)]; };
      for (int i = -last; i <= last; ++i) {
        double refined = 0;
        for (std::size_t k = 0; k < h.size(); ++k)
          for (std::size_t l = 0; l < h.size(); ++l)
            refined += 4 * h[k] * h[l] * at(2 * i + static_cast<int>(l) - static_cast<int>(k));
        CHECK(std::abs(refined - at(i)) < 1e-13);
      }
    }
}
