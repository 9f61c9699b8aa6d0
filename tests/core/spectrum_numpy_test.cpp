// NumPy's transforms as a second opinion on spectra and coverage.
#include <cmath>
#include <sstream>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/laboratory/bank_coverage.h"
#include "tests/support/catch.h"
#include "tests/support/python.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// The taps padded with zeros, the anchor at 0, transformed, conjugated and centered.
std::string transformOf(const DenseTaps& taps, const std::array<std::int64_t, 3>& points) {
  std::ostringstream script;
  const auto triple = [](const std::array<std::int64_t, 3>& xyz) {
    return "(" + std::to_string(xyz[2]) + "," + std::to_string(xyz[1]) + "," + std::to_string(xyz[0]) + ")";
  };
  script << "taps = numpy.array(" << test::pythonList(taps.weights) << ").reshape(" << triple(taps.size) << ")\n"
         << "padded = numpy.zeros(" << triple(points) << ")\n"
         << "padded[:taps.shape[0], :taps.shape[1], :taps.shape[2]] = taps\n"
         << "padded = numpy.roll(padded, [-a for a in " << triple(taps.anchor) << "], (0, 1, 2))\n"
         << "h = numpy.fft.fftshift(numpy.conj(numpy.fft.fftn(padded)))\n";
  return script.str();
}

}  // namespace

TEST_CASE("spectra are NumPy's") {
  const std::string python = test::pythonThatImports("numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with NumPy (python3-numpy)");
  for (const char* spec : {"gaussian:sigma=1.3,order_x=1", "laplacian:neighbors=corners", "log:sigma=1", "box:size=4",
                           "scharr:axis=z", "sharpen:flip=true"}) {
    INFO(spec);
    const Stencil filter = makeStencil(parseFilterSpec(spec), {});
    const std::array<std::int64_t, 3> points{16, 15, 18};
    const auto theirs =
        test::numbersFrom(python, "import numpy\n" + transformOf(filter.expanded(), points) +
                                      "for v in h.ravel(): print(repr(float(v.real)), repr(float(v.imag)))\n");
    const auto ours = spectrum(
        filter, {centeredFrequencies(points[0]), centeredFrequencies(points[1]), centeredFrequencies(points[2])}, {});
    REQUIRE(theirs.size() == 2 * ours.size());
    double worst = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
      worst = std::max(worst, std::abs(ours[i] - std::complex(theirs[2 * i], theirs[2 * i + 1])));
    CHECK(worst < 1e-14 * std::max(10.0, filter.absoluteSum()));
  }
}

TEST_CASE("the power of a bank and its bounds are NumPy's") {
  const std::string python = test::pythonThatImports("numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with NumPy (python3-numpy)");
  std::vector<Stencil> filters;
  std::string script = "import numpy\npower = 0\n";
  const std::array<std::int64_t, 3> points{64, 64, 1};
  for (const char* spec : {"gaussian:sigma=2", "dog:sigma=1", "sobel:axis=y"}) {
    filters.push_back(makeStencil(parseFilterSpec(spec), {2, {1, 1, 1}, true}));
    script += transformOf(filters.back().expanded(), points) + "power = power + abs(h) ** 2\n";
  }
  const auto theirs = test::numbersFrom(python, script +
                                                    "print(repr(float(power.min())), repr(float(power.max())))\n"
                                                    "for v in power.ravel(): print(repr(float(v)))\n");
  const BankCoverage coverage = bankCoverage(filters, points, {});
  REQUIRE(theirs.size() == coverage.power.size() + 2);
  const FrameBounds bounds = frameBounds(coverage);
  CHECK(bounds.lower == Approx(theirs[0]).margin(1e-13));
  CHECK(bounds.upper == Approx(theirs[1]));
  for (std::size_t i = 0; i < coverage.power.size(); ++i)
    if (std::abs(coverage.power[i] - theirs[i + 2]) > 1e-12) FAIL("differs at " << i);
}
