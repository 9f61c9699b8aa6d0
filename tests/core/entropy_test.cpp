// Entropies of windows: what they are for simple data, how values are sorted into bins, and what Python's libraries
// say.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/program/program_workload.h"
#include "core/filter/workload/filter_workload.h"
#include "core/measure/verify.h"
#include "tests/support/catch.h"
#include "tests/support/python.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::vector<double> entropies(const std::string& spec, const Volume& volume, Boundary boundary = Boundary::reflect,
                              double constant = 0) {
  const int dimensions = volume.shape().nz > 1 ? 3 : 2;
  const FilterWorkload workload({makeOperator(parseFilterSpec(spec), {dimensions, {1, 1, 1}})}, boundary, constant,
                                volume.spec(), ElementType::f32);
  const ConstArrayView in = volume.view();
  std::vector<double> values(static_cast<std::size_t>(volume.spec().elements()));
  workload.reference({&in, 1}, 0, {{0, 0, 0}, {volume.shape().nx, volume.shape().ny, volume.shape().nz}}, values, {});
  return values;
}

double atCenter(const std::vector<double>& values) { return values[values.size() / 2]; }

// As engines compare numbers.
template <class Key, class Number>
std::int64_t keyOf(Number number) {
  if (std::isnan(number)) return std::numeric_limits<Key>::max();
  const auto bits = std::bit_cast<Key>(number);
  return bits ^ (bits < 0 ? std::numeric_limits<Key>::max() : Key{0});
}

std::int64_t reached(const std::vector<std::int64_t>& thresholds, std::int64_t key) {
  return std::ranges::upper_bound(thresholds, key) - thresholds.begin();
}

}  // namespace

TEST_CASE("the entropy of a window is what its values tell", "[entropy][unit]") {
  const VolumeShape image{9, 9, 1, 1}, solid{9, 9, 9, 1};
  const Volume flat = test::filledVolume(solid, ElementType::u8, [](auto, auto, auto, int) { return 7; });
  for (const double value : entropies("entropy:size=5", flat)) CHECK(value == 0);
  // All different: log2 N. Shape by shape, 25, 13 and 9 values.
  const Volume each = test::filledVolume(image, ElementType::u8, [](auto x, auto y, auto, int) { return 9 * y + x; });
  CHECK(atCenter(entropies("entropy:size=5", each)) == Approx(std::log2(25)).epsilon(1e-10));
  CHECK(atCenter(entropies("entropy:size=5,shape=ball", each)) == Approx(std::log2(13)).epsilon(1e-10));
  CHECK(atCenter(entropies("entropy:size=5,shape=cross", each)) == Approx(std::log2(9)).epsilon(1e-10));
  // Two values, 12 of 25 and 13 of 25.
  const Volume board =
      test::filledVolume(image, ElementType::u8, [](auto x, auto y, auto, int) { return 200 * ((x + y) % 2); });
  const double share = 12.0 / 25;
  CHECK(atCenter(entropies("entropy:size=5", board)) ==
        Approx(-share * std::log2(share) - (1 - share) * std::log2(1 - share)).epsilon(1e-10));
  // In two bins, and in one that holds both.
  CHECK(atCenter(entropies("entropy:size=5,bins=2,low=0,high=400", board)) == Approx(0.9988).margin(1e-4));
  CHECK(atCenter(entropies("entropy:size=5,bins=2,low=0,high=402", board)) == 0);
  // What is beyond the range is in the last bins.
  CHECK(atCenter(entropies("entropy:size=5,bins=4,low=20,high=60", board)) == Approx(0.9988).margin(1e-4));
  // A plane through a ball in three dimensions: 33 values.
  const Volume halves =
      test::filledVolume(solid, ElementType::u8, [](auto x, auto, auto, int) { return x < 4 ? 1 : 2; });
  const double left = 10.0 / 33;  // x = 2, 3 of a ball of 5: 1 + 9
  CHECK(atCenter(entropies("entropy:size=5,shape=ball", halves)) ==
        Approx(-left * std::log2(left) - (1 - left) * std::log2(1 - left)).epsilon(1e-10));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("entropy:low=3,high=3"), {}),
                    ContainsSubstring("the range from low to high is empty; choose a low below high"));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("entropy:bins=1"), {}), ContainsSubstring("bins"));
}

TEST_CASE("a NaN makes the entropies of its windows NaN, and infinite values count", "[entropy][unit]") {
  Volume volume = test::randomVolume({9, 9, 1, 1}, ElementType::f32, 3);
  volume.elements<float>()[4 * 9 + 4] = std::nanf("");
  const std::vector<double> values = entropies("entropy:size=3,low=-1,high=1,bins=8", volume);
  for (std::int64_t y = 0; y < 9; ++y)
    for (std::int64_t x = 0; x < 9; ++x)
      CHECK(std::isnan(values[static_cast<std::size_t>(9 * y + x)]) == (std::abs(x - 4) <= 1 && std::abs(y - 4) <= 1));
  const Volume infinite = test::filledVolume({3, 3, 1, 1}, ElementType::f32, [](auto x, auto, auto, int) {
    return x == 0 ? -std::numeric_limits<float>::infinity() : x == 1 ? 0.0F : std::numeric_limits<float>::infinity();
  });
  CHECK(atCenter(entropies("entropy:size=3,low=-1,high=1,bins=3", infinite)) == Approx(std::log2(3)).epsilon(1e-10));
}

TEST_CASE("engines sort keys into the bins of their values", "[entropy][unit]") {
  for (const auto& [low, high, bins] : {std::tuple{-1.0, 1.0, 7},
                                        {0.0, 256.0, 256},
                                        {-3.7, 1e3, 100},
                                        {-40000.5, 70000.25, 33},
                                        {1e20, 1e25, 5},
                                        {-0.1, 0.3, 4},
                                        {-1e300, 1e300, 6}}) {
    INFO("from " << low << " to " << high << " in " << bins);
    EntropyWindow window{minimumWindow(WindowShape::Box, 3, 2), bins, low, high};
    const std::vector<double> edges = binEdges(window);
    CHECK(std::ranges::is_sorted(edges));
    for (const ElementType type : kElementTypes) {
      INFO(toString(type));
      const std::vector<std::int64_t> thresholds = binThresholds(window, type);
      CHECK(std::ranges::is_sorted(thresholds));
      std::vector<double> values{0.0, -0.0, lowestOf(type), highestOf(type)};
      for (const double edge : edges)
        for (const double near : {edge, std::nextafter(edge, -1e308), std::nextafter(edge, 1e308), std::floor(edge),
                                  std::ceil(edge), edge * 1.01})
          values.push_back(near);
      bool same = true;
      for (double value : values) {
        if (isInteger(type)) {
          value = std::floor(std::clamp(value, lowestOf(type), highestOf(type)));
          same = same && reached(thresholds, static_cast<std::int64_t>(value)) == binOf(edges, value);
        } else if (type == ElementType::f32) {
          const auto number = static_cast<float>(value);
          same = same && reached(thresholds, keyOf<std::int32_t>(number)) == binOf(edges, number);
        } else {
          same = same && reached(thresholds, keyOf<std::int64_t>(value)) == binOf(edges, value);
        }
      }
      CHECK(same);
      if (type == ElementType::f32) CHECK(reached(thresholds, keyOf<std::int32_t>(std::nanf(""))) == bins);
      if (type == ElementType::f64) CHECK(reached(thresholds, keyOf<std::int64_t>(std::nan(""))) == bins);
    }
  }
}

TEST_CASE("sums of an entropy are the same in any order, and right", "[entropy][unit]") {
  const std::vector<std::int64_t> steps = entropySteps(29791);
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < steps.size(); ++n) {
    sum += steps[n];
    if (n % 1000 != 0) continue;
    const auto number = static_cast<double>(n + 1);
    CHECK(static_cast<double>(sum) * kEntropyUnit == Approx(number * std::log2(number)).margin(1e-9));
  }
  CHECK(static_cast<double>(*std::ranges::max_element(steps)) * kEntropyUnit / 29791 < entropyPerValue(29791));
}

TEST_CASE("values on either side of an edge are counted as doubtful", "[entropy][unit]") {
  // The mean of 3 and 1 is on the edge, in whatever way it is rounded.
  const Volume board =
      test::filledVolume({8, 8, 1, 1}, ElementType::f32, [](auto x, auto, auto, int) { return x % 2 == 0 ? 3 : 1; });
  FilterBank bank;
  bank.filters = {parseFilterSpec("gaussian:sigma=0.7,name=smooth,intermediate=true"),
                  parseFilterSpec("entropy:size=3,bins=2,low=1,high=3,input=smooth")};
  const auto workload = bankWorkload(bank, board.spec(), board.geometry(), false);
  const ConstArrayView in = board.view();
  std::vector<double> values(64), magnitudes(64);
  const Box all{{0, 0, 0}, {8, 8, 1}};
  workload->reference({&in, 1}, 0, all, values, {});
  workload->referenceMagnitude({&in, 1}, 0, all, magnitudes, {});
  for (std::size_t i = 0; i < values.size(); ++i) CHECK(magnitudes[i] >= values[i]);
  bank.filters[1] = parseFilterSpec("entropy:size=3,bins=2,low=-5,high=5,input=smooth");
  const auto certain = bankWorkload(bank, board.spec(), board.geometry(), false);
  certain->referenceMagnitude({&in, 1}, 0, all, magnitudes, {});
  for (const double magnitude : magnitudes) CHECK(magnitude == 0);
}

TEST_CASE("entropies are NumPy's, of any type and at every boundary", "[entropy]") {
  const std::string python = test::pythonThatImports("scipy.ndimage, numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with SciPy (python3-scipy)");
  const Volume whole = test::randomVolume({8, 7, 5, 1}, ElementType::i16, 12);
  const Volume real = test::randomVolume({8, 7, 5, 1}, ElementType::f32, 13);
  const auto numbers = [](const Volume& volume) {
    std::vector<double> data;
    for (std::int64_t i = 0; i < volume.spec().elements(); ++i) data.push_back(volume.value(i % 8, i / 8 % 7, i / 56));
    return data;
  };
  std::ostringstream script;
  script << "import numpy, scipy.ndimage as n\n"
         << "whole = numpy.array(" << test::pythonList(numbers(whole)) << ").reshape(5, 7, 8)\n"
         << "real = numpy.array(" << test::pythonList(numbers(real)) << ").reshape(5, 7, 8)\n"
         << "z, y, x = numpy.mgrid[-2:3, -2:3, -2:3]\n"
         << "ball = z * z + y * y + x * x <= 4\n"
         << "def entropy(values, bins, low, high):\n"
         << "  counts, _ = numpy.histogram(numpy.clip(values, low, high), bins, (low, high))\n"
         << "  p = counts[counts > 0] / counts.sum()\n"
         << "  return -(p * numpy.log2(p)).sum()\n";
  for (const Boundary boundary : kBoundaries)
    for (const char* call : {"whole, entropy, footprint=ball, extra_arguments=(16, -20000, 20000)",
                             "real, entropy, size=3, extra_arguments=(10, -0.8, 0.8)"})
      script << "for v in n.generic_filter(" << call << ", mode='" << toString(boundary)
             << "', cval=-5).ravel(): print(repr(float(v)))\n";
  const std::vector<double> theirs = test::numbersFrom(python, script.str());
  std::size_t at = 0;
  for (const Boundary boundary : kBoundaries)
    for (const auto& [spec, volume] : {std::pair{"entropy:shape=ball,bins=16,low=-20000,high=20000", &whole},
                                       {"entropy:size=3,bins=10,low=-0.8,high=0.8", &real}}) {
      const std::vector<double> ours = entropies(spec, *volume, boundary, -5);
      INFO(spec << ", " << toString(boundary));
      REQUIRE(at + ours.size() <= theirs.size());
      double largest = 0;
      for (std::size_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(ours[i] - theirs[at + i]));
      CHECK(largest < 1e-9);
      at += ours.size();
    }
  CHECK(at == theirs.size());
}

TEST_CASE("entropies of bytes are scikit-image's", "[entropy]") {
  const std::string python = test::pythonThatImports("numpy, skimage.filters.rank");
  if (python.empty()) SSCOPE_SKIP("there is no Python with scikit-image (python3-skimage)");
  constexpr std::int64_t kSide = 24, kReach = 3;  // theirs are of fewer values at the ends
  const Volume image = test::filledVolume({kSide, kSide, 1, 1}, ElementType::u8, [](auto x, auto y, auto, int) {
    return (x * x + 3 * y * x + y * y * y) % 64;
  });
  std::vector<double> data;
  for (const std::uint8_t value : image.elements<std::uint8_t>()) data.push_back(value);
  std::ostringstream script;
  script << "import numpy\nfrom skimage.filters.rank import entropy\nfrom skimage.morphology import disk, square\n"
         << "data = numpy.array(" << test::pythonList(data) << ").reshape(24, 24).astype('uint8')\n"
         << "for shape in (disk(2), square(5), disk(3)):\n"
         << "  for v in entropy(data, shape)[3:-3, 3:-3].ravel(): print(repr(float(v)))\n";
  const std::vector<double> theirs = test::numbersFrom(python, script.str());
  std::size_t at = 0;
  for (const char* spec : {"entropy:shape=ball", "entropy", "entropy:size=7,shape=ball"}) {
    const std::vector<double> ours = entropies(spec, image);
    INFO(spec);
    for (std::int64_t y = kReach; y < kSide - kReach; ++y)
      for (std::int64_t x = kReach; x < kSide - kReach; ++x, ++at) {
        REQUIRE(at < theirs.size());
        CHECK(ours[static_cast<std::size_t>(y * kSide + x)] == Approx(theirs[at]).margin(1e-9));
      }
  }
  CHECK(at == theirs.size());
}
