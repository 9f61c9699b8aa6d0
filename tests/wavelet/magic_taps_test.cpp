// The taps of the magic filter: the published ones, and what defines those of every order.
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/wavelet/magic_taps.h"
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
  CHECK_THROWS_WITH(magicTaps(11), Catch::Contains("from 1 to 10"));
}
