// The taps of all wavelets: what defines them, and PyWavelets' tables.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/wavelet/spectral_factor.h"
#include "core/wavelet/wavelet.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/wavelet/pywt.h"

using namespace sscope;

TEST_CASE("every wavelet is orthonormal to its even shifts and has its vanishing moments") {
  for (const auto choice : {PhaseChoice::Minimum, PhaseChoice::LeastAsymmetric})
    for (int order = 1; order <= kMaximumOrder; ++order) {
      INFO((choice == PhaseChoice::Minimum ? "db" : "sym") << order);
      const std::vector<Quad> taps = orthogonalLowPass(order, choice);
      REQUIRE(taps.size() == static_cast<std::size_t>(2 * order));
      const auto n = taps.size();
      Quad sum = 0;
      for (const Quad tap : taps) sum += tap;
      CHECK(static_cast<double>(absolute(sum - squareRoot(Quad(2)))) < 1e-17);
      for (std::size_t shift = 0; shift < n; shift += 2) {
        Quad product = shift == 0 ? -1 : 0;
        for (std::size_t k = 0; k + shift < n; ++k) product += taps[k] * taps[k + shift];
        CHECK(static_cast<double>(absolute(product)) < 1e-17);
      }
      // sum (-1)^k k^l taps[k] = 0 for l < order, relative to the same sum of magnitudes.
      for (int moment = 0; moment < order; ++moment) {
        Quad total = 0, scale = 0;
        for (std::size_t k = 0; k < n; ++k) {
          Quad term = taps[k];
          for (int i = 0; i < moment; ++i) term *= Quad(static_cast<double>(k));
          total += k % 2 == 0 ? term : -term;
          scale += absolute(term);
        }
        CHECK(static_cast<double>(absolute(total) / scale) < 1e-17);
      }
    }
}

TEST_CASE("wavelets are found by name and have four consistent filters") {
  CHECK(wavelets().size() == 20);
  for (const Wavelet& w : wavelets()) {
    INFO(w.name);
    CHECK(&waveletNamed(w.name) == &w);
    REQUIRE(w.taps() == 2 * w.order);
    double cross = 0;
    for (std::size_t k = 0; k < w.recLow.size(); ++k) {
      CHECK(w.decLow[k] == w.recLow[w.recLow.size() - 1 - k]);
      CHECK(w.decHigh[k] == w.recHigh[w.recHigh.size() - 1 - k]);
      cross += w.recLow[k] * w.recHigh[k];
    }
    CHECK(std::abs(cross) < 1e-15);
    CHECK(std::abs(std::accumulate(w.recHigh.begin(), w.recHigh.end(), 0.0)) < 1e-15);
  }
  CHECK_THROWS_WITH(waveletNamed("sym1"), Catch::Matchers::ContainsSubstring("sym2 to sym10"));
}

TEST_CASE("symlets are more symmetric than Daubechies' wavelets") {
  // From order 4 on there is a choice.
  const auto asymmetry = [](const std::vector<double>& taps) {
    double best = 1e9;
    const auto n = static_cast<std::ptrdiff_t>(taps.size());
    for (std::ptrdiff_t center = n / 2; center < 3 * n / 2; ++center) {
      double sum = 0;
      for (std::ptrdiff_t i = -n; i < 2 * n; ++i) {
        const auto at = [&](std::ptrdiff_t k) { return k >= 0 && k < n ? taps[static_cast<std::size_t>(k)] : 0.0; };
        sum += std::pow(at(i) - at(center - i), 2);
      }
      best = std::min(best, sum);
    }
    return best;
  };
  for (int order = 4; order <= kMaximumOrder; ++order) {
    INFO("order " << order);
    CHECK(asymmetry(waveletNamed("sym" + std::to_string(order)).recLow) <
          asymmetry(waveletNamed("db" + std::to_string(order)).recLow));
  }
}

TEST_CASE("taps are PyWavelets', in its order and with its signs") {
  const std::string python = test::pythonWithPywt();
  if (python.empty()) SSCOPE_SKIP("no Python with pywt (Debian package python3-pywt)");
  const std::vector<double> numbers = test::numbersFrom(python, R"(
import pywt
names = ['haar'] + ['db%d' % n for n in range(1, 11)] + ['sym%d' % n for n in range(2, 11)]
for name in names:
    for taps in pywt.Wavelet(name).filter_bank:
        for tap in taps:
            print(repr(tap))
)");
  std::size_t i = 0;
  for (const Wavelet& w : wavelets()) {
    INFO(w.name);
    // PyWavelets' tables of sym2 to sym8 are off by up to 4e-12, see docs/manual/wavelets.md.
    const double tolerance = w.name.starts_with("sym") ? 5e-12 : 1e-15;
    for (const auto* filter : {&w.decLow, &w.decHigh, &w.recLow, &w.recHigh})
      for (const double tap : *filter) {
        REQUIRE(i < numbers.size());
        CHECK(std::abs(tap - numbers[i++]) < tolerance);
      }
  }
  CHECK(i == numbers.size());
}
