// Free boundaries of the magic filter and the wavelet transform: as if the data lay in endless zeros.
#include <cmath>

#include "core/base/error.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/workload/magic_workload.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

constexpr std::int64_t kWide = 96;  // far more than data and taps together

struct FreeMachine : test::CpuMachine {
  [[nodiscard]] TransformResult magic(const Volume& input, const OptionValues& values) const {
    ArraySpec spec = input.spec();
    spec.extent[3] = 1;
    const MagicWorkload workload(spec, completeOptions(MagicWorkload::options(), values));
    EngineChoice where;
    where.verify = true;
    return runTransform(engines, variants, workload, input, where, {});
  }
  [[nodiscard]] Volume dwt(const Volume& input, bool forward, const std::string& wavelet, DataBoundary boundary,
                           WaveletConvention convention = WaveletConvention::PyWavelets) const {
    DwtJob job;
    job.wavelet = wavelet;
    job.boundary = boundary;
    job.convention = convention;
    job.where.verify = true;
    return forward ? dwtForward(engines, variants, job, input, {}).volume
                   : dwtInverse(engines, variants, job, input, {}, {}).volume;
  }
};

OptionValues freely(const char* direction, std::int64_t order = 8) {
  return {{"boundary", std::string("free")}, {"direction", std::string(direction)}, {"order", order}};
}

Volume lineOf(const std::vector<double>& values) {
  Volume volume({std::ssize(values), 1, 1, 1}, ElementType::f64);
  std::copy(values.begin(), values.end(), volume.elements<double>().begin());
  return volume;
}
std::vector<double> samplesOf(const Volume& volume) {
  const auto elements = volume.elements<double>();
  return {elements.begin(), elements.end()};
}
std::vector<double> noiseLine(std::int64_t n, unsigned seed) {
  return samplesOf(test::randomVolume({n, 1, 1, 1}, ElementType::f64, seed));
}
// In zeros, with the first value at `at`.
std::vector<double> inZeros(const std::vector<double>& values, std::int64_t at) {
  std::vector<double> result(static_cast<std::size_t>(kWide));
  std::copy(values.begin(), values.end(), result.begin() + at);
  return result;
}
double innerProductOf(const Volume& a, const Volume& b) {
  REQUIRE(a.shape() == b.shape());
  double sum = 0;
  for (std::int64_t i = 0; i < a.shape().elements(); ++i)
    sum += a.elements<double>()[static_cast<std::size_t>(i)] * b.elements<double>()[static_cast<std::size_t>(i)];
  return sum;
}
double largestOf(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = test::larger(worst, std::abs(a[i] - b[i]));
  return worst;
}

}  // namespace

TEST_CASE("the free magic filter is the periodic one of data in endless zeros, grown and shrunk") {
  const FreeMachine machine;
  constexpr std::int64_t kAt = 40;
  for (const std::int64_t order : {1, 3, 8, 10}) {
    const std::int64_t taps = 2 * order;
    const OptionValues periodic{{"order", order}};
    for (const std::int64_t n : {2, 5, 16, 23}) {
      INFO("order " << order << ", " << n << " samples");
      const std::vector<double> data = noiseLine(n, 4);
      const TransformResult grown = machine.magic(lineOf(data), freely("forward", order));
      REQUIRE(grown.output.shape() == VolumeShape{n + taps - 1, 1, 1, 1});
      const std::vector<double> whole = samplesOf(machine.magic(lineOf(inZeros(data, kAt)), periodic).output);
      // Forward taps lie at -order..order - 1: the first sum that is not zero is at 1 - order.
      const auto first = whole.begin() + kAt - (order - 1);
      CHECK(largestOf(samplesOf(grown.output), {first, first + n + taps - 1}) < 1e-14);
      CHECK(grown.output.geometry().origin[0] == static_cast<double>(1 - order));
    }
    const std::vector<double> data = noiseLine(taps + 6, 5);
    OptionValues back = periodic;
    back["direction"] = std::string("inverse");
    const TransformResult shrunk = machine.magic(lineOf(data), freely("inverse", order));
    REQUIRE(shrunk.output.shape() == VolumeShape{7, 1, 1, 1});
    const std::vector<double> whole = samplesOf(machine.magic(lineOf(inZeros(data, kAt)), back).output);
    const auto first = whole.begin() + kAt + order - 1;
    CHECK(largestOf(samplesOf(shrunk.output), {first, first + 7}) < 1e-14);
    CHECK(shrunk.output.geometry().origin[0] ==
          static_cast<double>(order - 1));  // so there and back is at the same place
  }
}

TEST_CASE("free directions of the magic filter are each other's transpose, along all axes and along lines") {
  const FreeMachine machine;
  const Volume small = test::randomVolume({7, 4, 1, 1}, ElementType::f64, 6);
  const Volume large = test::randomVolume({22, 19, 1, 1}, ElementType::f64, 7);
  CHECK(innerProductOf(machine.magic(small, freely("forward")).output, large) ==
        Approx(innerProductOf(small, machine.magic(large, freely("inverse")).output)).epsilon(1e-12));
  for (const bool transposed : {false, true}) {
    OptionValues values = freely("forward");
    values["passes"] = std::string("lines");
    values["transposed"] = transposed;
    const Volume lines = machine.magic(small, values).output;
    CHECK(lines.shape() == (transposed ? VolumeShape{4, 22, 1, 1} : VolumeShape{22, 4, 1, 1}));
  }
}

TEST_CASE("the free wavelet transform is that of functions in endless zeros, and its inverse is exact") {
  const FreeMachine machine;
  for (const std::string wavelet : {"haar", "db2", "sym3", "sym8", "db10"})
    for (const auto convention : {WaveletConvention::PyWavelets, WaveletConvention::BigDft}) {
      INFO(wavelet << " " << toString(convention));
      const auto run = [&](const std::vector<double>& values, bool forward, DataBoundary boundary) {
        return samplesOf(machine.dwt(lineOf(values), forward, wavelet, boundary, convention));
      };
      const std::int64_t taps = waveletNamed(wavelet).taps(), count = 12, samples = count + taps - 2;
      const std::vector<double> coefficients = noiseLine(count, 8);
      const std::vector<double> grown = run(coefficients, false, DataBoundary::Free);
      REQUIRE(std::ssize(grown) == samples);
      const std::vector<double> back = run(grown, true, DataBoundary::Free);
      CHECK(largestOf(back, coefficients) < 1e-14);
      // Periodic sums begin taps / 2 - 1 samples before their place.
      const std::int64_t shift = taps / 2 - 1, at = shift + 20;
      const std::vector<double> data = noiseLine(samples, 9);
      const std::vector<double> shrunk = run(data, true, DataBoundary::Free);
      const std::vector<double> whole = run(inZeros(data, at), true, DataBoundary::Periodic);
      for (const std::int64_t half : {std::int64_t{0}, kWide / 2}) {
        const auto first = whole.begin() + half + shift + 10;
        const auto own = shrunk.begin() + (half > 0 ? count / 2 : 0);
        CHECK(largestOf({own, own + count / 2}, {first, first + count / 2}) < 1e-14);
      }
    }
}

TEST_CASE("free wavelet transforms in space keep norms on the way back, and are transposes") {
  const FreeMachine machine;
  const Volume coefficients = test::randomVolume({8, 6, 4, 1}, ElementType::f64, 10);
  const Volume grown = machine.dwt(coefficients, false, "sym4", DataBoundary::Free);
  REQUIRE(grown.shape() == VolumeShape{14, 12, 10, 1});
  CHECK(innerProductOf(grown, grown) == Approx(innerProductOf(coefficients, coefficients)).epsilon(1e-13));
  const Volume data = test::randomVolume({14, 12, 10, 1}, ElementType::f64, 11);
  CHECK(innerProductOf(machine.dwt(data, true, "sym4", DataBoundary::Free), coefficients) ==
        Approx(innerProductOf(data, grown)).epsilon(1e-12));
}

TEST_CASE("with free boundaries BigDFT's pair takes a function on a fine grid to its values on a coarse one") {
  const FreeMachine machine;
  std::vector<double> fine;
  for (int i = 0; i < 145; ++i) fine.push_back(std::exp(-std::pow((i - 70.5) / 12, 2)));
  const Volume coefficients = machine.magic(lineOf(fine), freely("inverse")).output;
  REQUIRE(coefficients.shape().nx == 130);
  std::vector<double> low =
      samplesOf(machine.dwt(coefficients, true, "sym8", DataBoundary::Free, WaveletConvention::BigDft));
  low.resize(low.size() / 2);
  for (double& value : low) value /= std::sqrt(2.0);
  const std::vector<double> coarse = samplesOf(machine.magic(lineOf(low), freely("forward")).output);
  REQUIRE(coarse.size() == 73);
  double worst = 0;
  for (std::size_t i = 0; i < coarse.size(); ++i) worst = test::larger(worst, std::abs(coarse[i] - fine[2 * i]));
  CHECK(worst < 1e-6);
}

TEST_CASE("what free boundaries cannot take is refused") {
  const FreeMachine machine;
  const auto volume = [](std::int64_t n) { return test::randomVolume({n, 1, 1, 1}, ElementType::f64, 1); };
  CHECK_THROWS_WITH(machine.magic(volume(15), freely("inverse")), Catch::Matchers::ContainsSubstring("at least 16"));
  CHECK_THROWS_WITH(machine.dwt(volume(14), true, "sym8", DataBoundary::Free),
                    Catch::Matchers::ContainsSubstring("at least 16"));
  CHECK_THROWS_WITH(machine.dwt(volume(31), true, "sym8", DataBoundary::Free),
                    Catch::Matchers::ContainsSubstring("even"));
  CHECK_THROWS_WITH(machine.dwt(volume(7), false, "sym8", DataBoundary::Free),
                    Catch::Matchers::ContainsSubstring("even"));
  DwtJob job;
  job.levels = 2;
  job.boundary = DataBoundary::Free;
  CHECK_THROWS_WITH(dwtForward(machine.engines, machine.variants, job, volume(64), {}),
                    Catch::Matchers::ContainsSubstring("one level"));
}
