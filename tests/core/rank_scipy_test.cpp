// SciPy's rank filters as a second opinion on the reference of order statistics.
#include <sstream>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/support/catch.h"
#include "tests/support/python.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct ScipyCase {
  const char* spec;
  const char* call;  // of scipy.ndimage, on `data` with z, y, x
};

// The cross is what SciPy calls connectivity 1. Percentiles whose share of the number of values is not whole.
constexpr ScipyCase kScipyCases[] = {
    {"median", "median_filter(data, size=3"},
    {"median:size=5,shape=cross", "median_filter(data, footprint=cross"},
    {"percentile:percent=10,size=3", "percentile_filter(data, 10, size=3"},
    {"percentile:percent=90,size=5,shape=cross", "percentile_filter(data, 90, footprint=cross"},
    {"percentile:percent=100", "percentile_filter(data, 100, size=3"},
    {"minimum:size=4", "minimum_filter(data, size=4"},
    {"maximum:size=5", "maximum_filter(data, size=5"},
    {"maximum:size=5,shape=ball", "maximum_filter(data, footprint=ball"},
};

}  // namespace

TEST_CASE("order statistics are SciPy's, at every boundary") {
  const std::string python = test::pythonThatImports("scipy.ndimage, numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with SciPy (python3-scipy)");
  const Volume volume = test::randomVolume({9, 7, 6, 1}, ElementType::i16, 12);
  std::vector<double> data;
  for (const std::int16_t element : volume.elements<std::int16_t>()) data.push_back(element);
  std::ostringstream script;
  script << "import numpy, scipy.ndimage as n\n"
         << "data = numpy.array(" << test::pythonList(data) << ").reshape(6, 7, 9).astype('int16')\n"
         << "z, y, x = numpy.mgrid[-2:3, -2:3, -2:3]\n"
         << "ball = z * z + y * y + x * x <= 4\n"
         << "cross = (z != 0).astype(int) + (y != 0) + (x != 0) <= 1\n";
  for (const ScipyCase& one : kScipyCases)
    for (const Boundary boundary : kBoundaries)
      script << "for v in n." << one.call << ", mode='" << toString(boundary) << "', cval=-5).ravel(): print(int(v))\n";
  const std::vector<double> theirs = test::numbersFrom(python, script.str());
  const ConstArrayView in = volume.view();
  std::size_t at = 0;
  for (const ScipyCase& one : kScipyCases)
    for (const Boundary boundary : kBoundaries) {
      const FilterWorkload workload({makeOperator(parseFilterSpec(one.spec), {})}, boundary, -5, volume.spec(),
                                    ElementType::i16);
      std::vector<double> ours(data.size());
      workload.reference({&in, 1}, 0, {{0, 0, 0}, {9, 7, 6}}, ours, {});
      INFO(one.spec << ", " << toString(boundary));
      REQUIRE(at + ours.size() <= theirs.size());
      CHECK(std::equal(ours.begin(), ours.end(), theirs.begin() + static_cast<std::ptrdiff_t>(at)));
      at += ours.size();
    }
  CHECK(at == theirs.size());
}
