// The taps of the magic filter: the published ones, and what defines those of every order.
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/wavelet.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// RR-LIG-032, forward, positions -8..+7.
constexpr double kPublished[] = {8.4334247333529341094733325815816e-7,
                                 -0.1290557201342060969516786758559028e-4,
                                 0.8762984476210559564689161894116397e-4,
                                 -0.30158038132690463167163703826169879e-3,
                                 0.174723713672993903449447812749852942e-2,
                                 -0.942047030201080385922711540948195075e-2,
                                 0.2373821463724942397566389712597274535e-1,
                                 0.612625895831207982195380597e-1,
                                 0.9940415697834003993178616713,
                                 -0.604895289196983516002834636e-1,
                                 -0.2103025160930381434955489412839065067e-1,
                                 0.1337263414854794752733423467013220997e-1,
                                 -0.344128144493493857280881509686821861e-2,
                                 0.49443227688689919192282259476750972e-3,
                                 -0.5185986881173432922848736639911487e-4,
                                 2.72734492911979659657715313017228e-6};

}  // namespace

TEST_CASE("the magic filter of order 8 is the published one") {
  const std::vector<double> taps = magicTaps(8);
  REQUIRE(taps.size() == 16);
  for (std::size_t i = 0; i < taps.size(); ++i) {
    INFO("tap " << i);
    CHECK(std::abs(taps[i] - kPublished[i]) < 1e-15);
  }
}

TEST_CASE("magic taps sum to one and refuse orders there are none of") {
  for (int m = 1; m <= kMagicMaximumOrder; ++m) {
    const std::vector<double> taps = magicTaps(m);
    INFO("order " << m);
    REQUIRE(taps.size() == static_cast<std::size_t>(2 * m));
    CHECK(std::abs(std::accumulate(taps.begin(), taps.end(), 0.0) - 1) < 1e-15);
  }
  CHECK_THROWS_AS(magicTaps(0), Error);
  CHECK_THROWS_WITH(magicTaps(11), Catch::Matchers::ContainsSubstring("from 1 to 10"));
}

// The integral I(p) of phi(x) p(x) is the only functional with I(1) = 1 that the two-scale relation leaves alone:
// I(p) = sum_k (h_k / sqrt(2)) I(p((x + k) / 2)). So exactness for polynomials can be tested without integrals.
TEST_CASE("magic taps integrate every polynomial of degree below 2m exactly") {
  for (int m = 1; m <= kMagicMaximumOrder; ++m) {
    const std::vector<double> taps = magicTaps(m);
    const std::vector<double>& lowPass = waveletNamed(m == 1 ? "haar" : "sym" + std::to_string(m)).recLow;
    const auto quadrature = [&](const auto& f) {
      double sum = 0;
      for (int j = -m; j < m; ++j) sum += taps[static_cast<std::size_t>(j + m)] * f(j);
      return sum;
    };
    for (int power = 0; power < 2 * m; ++power) {
      INFO("order " << m << ", power " << power);
      const auto monomial = [&](double x) { return std::pow(x / m, power); };
      double refined = 0;
      for (int k = -m; k < m; ++k)
        refined += lowPass[static_cast<std::size_t>(k + m)] / std::sqrt(2.0) *
                   quadrature([&](double j) { return monomial((j + k) / 2); });
      CHECK(std::abs(quadrature(monomial) - refined) < 1e-13);
    }
  }
}
