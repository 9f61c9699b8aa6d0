// What the families designed in frequency, and those that turn, do to waves.
#include <cmath>
#include <complex>
#include <numbers>
#include <sstream>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/families/tap_design.h"
#include "tests/support/catch.h"
#include "tests/support/python.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

using Wave = std::array<double, 3>;  // cycles per voxel

constexpr FilterGrid kPicture{2, {1, 1, 1}}, kSolid{3, {1, 1, 1}};

Stencil tapsOf(const std::string& spec, const FilterGrid& grid = kPicture) {
  return makeStencil(parseFilterSpec(spec), grid);
}

// By what exp(2 pi i f x) is multiplied.
std::complex<double> answerOf(const Stencil& stencil, const Wave& f) {
  const DenseTaps taps = stencil.expanded();
  std::complex<double> sum = 0;
  for (std::int64_t z = 0; z < taps.size[2]; ++z)
    for (std::int64_t y = 0; y < taps.size[1]; ++y)
      for (std::int64_t x = 0; x < taps.size[0]; ++x) {
        const double turns = f[0] * static_cast<double>(x - taps.anchor[0]) +
                             f[1] * static_cast<double>(y - taps.anchor[1]) +
                             f[2] * static_cast<double>(z - taps.anchor[2]);
        sum += taps.at(x, y, z) * std::polar(1.0, 2 * std::numbers::pi * turns);
      }
  return sum;
}

Wave waveAlong(double azimuth, double elevation, double frequency) {
  const double a = azimuth * std::numbers::pi / 180, e = elevation * std::numbers::pi / 180;
  return {frequency * std::cos(e) * std::cos(a), frequency * std::cos(e) * std::sin(a), frequency * std::sin(e)};
}

double largestDifferenceOf(const DenseTaps& a, const std::vector<double>& b) {
  double largest = 0;
  REQUIRE(a.weights.size() == b.size());
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(a.weights[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("log-Gabor filters keep the waves of their length and direction", "[families][unit]") {
  for (const double elevation : {0.0, 35.0}) {
    const FilterGrid& grid = elevation == 0 ? kPicture : kSolid;
    const auto taps = [&](const std::string& phase, double azimuth) {
      std::ostringstream spec;
      spec << "loggabor:wavelength=5,azimuth=" << azimuth << ",elevation=" << elevation << ",radius=9,phase=" << phase;
      return tapsOf(spec.str(), grid);
    };
    const Stencil even = taps("even", 30), odd = taps("odd", 30);
    const std::complex<double> kept = answerOf(even, waveAlong(30, elevation, 0.2)),
                               turned = answerOf(odd, waveAlong(30, elevation, 0.2));
    CHECK(kept.real() == Approx(1).margin(0.06));
    CHECK(kept.imag() == Approx(0).margin(1e-12));
    // A quarter of a wave: a pair in quadrature.
    CHECK(turned.imag() == Approx(-kept.real()).margin(0.01));
    CHECK(turned.real() == Approx(0).margin(1e-12));
    // At one sigma of the angle, and at that of the logarithm, the gaussian falls to exp(-1/2).
    CHECK(std::abs(answerOf(even, waveAlong(30, elevation, 0.2 * 0.65))) == Approx(std::exp(-0.5)).margin(0.07));
    if (elevation == 0) {
      CHECK(std::abs(answerOf(even, waveAlong(55, 0, 0.2))) == Approx(std::exp(-0.5)).margin(0.06));
    }
    CHECK(std::abs(answerOf(even, waveAlong(120, 0, 0.2))) < 0.02);
    CHECK(std::abs(answerOf(even, {0, 0, 0})) < 1e-15);
    CHECK(std::abs(answerOf(odd, {0, 0, 0})) < 1e-15);
  }
  // As wide at each wavelength, counted in wavelengths; in millimeters along each axis.
  CHECK(tapsOf("loggabor:wavelength=8").size()[0] > tapsOf("loggabor:wavelength=4").size()[0]);
  const Stencil flat = tapsOf("loggabor:wavelength=8mm,azimuth=90", {3, {1, 2, 1}});
  CHECK(std::abs(answerOf(flat, {0, 0.25, 0})) == Approx(1).margin(0.1));
  CHECK_THROWS_WITH(tapsOf("loggabor:elevation=10"), ContainsSubstring("elevation"));
}

TEST_CASE("Butterworth filters halve the power of the wave at the cutoff", "[families][unit]") {
  for (const FilterGrid& grid : {kPicture, kSolid})
    for (int order = 1; order <= 3; ++order) {
      // Shorter taps smear the answer by the window's.
      const bool flat = grid.dimensions == 2;
      const double margin = flat ? 0.03 : 0.08;
      const std::string of =
          ",wavelength=5,radius=" + std::string(flat ? "24" : "10") + ",order=" + std::to_string(order);
      const Stencil low = tapsOf("butterworth:pass=low" + of, grid), high = tapsOf("butterworth:pass=high" + of, grid);
      for (const double azimuth : {0.0, 45.0, 70.0})
        for (const double relative : {0.5, 1.0, 1.5}) {
          INFO("order " << order << ", azimuth " << azimuth << ", frequency " << relative);
          const Wave f = waveAlong(azimuth, 0, 0.2 * relative);
          const double power = std::pow(relative, 2 * order);
          CHECK(answerOf(low, f).real() == Approx(1 / std::sqrt(1 + power)).margin(margin));
          CHECK(answerOf(high, f).real() == Approx(std::sqrt(power / (1 + power))).margin(margin));
        }
      CHECK(answerOf(low, {0, 0, 0}).real() == Approx(1).epsilon(1e-12));
      CHECK(std::abs(answerOf(high, {0, 0, 0})) < 1e-12);
    }
  const Stencil band = tapsOf("butterworth:pass=band,wavelength=10,shortest=4,order=4,radius=20");
  CHECK(answerOf(band, {1.0 / 6.3, 0, 0}).real() == Approx(1).margin(0.05));
  CHECK(answerOf(band, {0, 0.1, 0}).real() == Approx(std::sqrt(0.5)).margin(0.05));
  CHECK(std::abs(answerOf(band, {0, 0, 0})) < 1e-14);
  CHECK(std::abs(answerOf(band, {0.45, 0, 0})) < 0.12);
  CHECK_THROWS_WITH(tapsOf("butterworth:pass=band,wavelength=4,shortest=5"), ContainsSubstring("is empty"));
}

TEST_CASE("ramps multiply waves by their frequency", "[families][unit]") {
  for (const double f : {0.1, 0.2, 0.3, 0.4}) {
    INFO(f);
    const double pi = std::numbers::pi;
    const auto gain = [&](const std::string& window) {
      return answerOf(tapsOf("ramp:axis=y,radius=31,window=" + window), {0, f, 0}).real();
    };
    CHECK(gain("ram-lak") == Approx(f).margin(0.004));
    CHECK(gain("shepp-logan") == Approx(std::sin(pi * f) / pi).margin(0.003));
    CHECK(gain("cosine") == Approx(f * std::cos(pi * f)).margin(0.003));
    CHECK(gain("hann") == Approx(f * (1 + std::cos(2 * pi * f)) / 2).margin(0.003));
    CHECK(gain("hamming") == Approx(f * (0.54 + 0.46 * std::cos(2 * pi * f))).margin(0.003));
  }
  const AxisTaps taps = rampTaps(500, "ram-lak");
  CHECK(taps.weights[500] == Approx(0.25).margin(1e-5));
  CHECK(taps.weights[501] == Approx(-1 / (std::numbers::pi * std::numbers::pi)).margin(1e-5));
  CHECK(taps.weights[502] == Approx(0).margin(1e-5));
  for (const char* window : {"ram-lak", "shepp-logan", "cosine", "hann", "hamming"})
    CHECK(std::abs(answerOf(tapsOf("ramp:radius=3,window=" + std::string(window)), {0, 0, 0})) < 1e-15);
  CHECK_THROWS_WITH(tapsOf("ramp:axis=z"), ContainsSubstring("needs a volume"));
}

TEST_CASE("Riesz transforms turn waves by a quarter, by the cosine of their angle", "[families][unit]") {
  for (const FilterGrid& grid : {kPicture, kSolid}) {
    const Stencil x = tapsOf("riesz:radius=9", grid), y = tapsOf("riesz:radius=9,azimuth=90", grid),
                  turned = tapsOf("riesz:radius=9,azimuth=40", grid),
                  twice = tapsOf("riesz:radius=9,azimuth=40,order=2", grid);
    for (const double angle : {0.0, 30.0, 80.0}) {
      INFO("angle " << angle);
      const Wave f = waveAlong(angle, 0, 0.2);
      const double cosine = std::cos((angle - 40) * std::numbers::pi / 180);
      CHECK(answerOf(turned, f).imag() == Approx(-cosine).margin(0.04));
      CHECK(answerOf(turned, f).real() == Approx(0).margin(1e-14));
      CHECK(answerOf(twice, f).real() == Approx(-cosine * cosine).margin(0.07));
      // The monogenic signal has the wave's amplitude.
      CHECK(std::norm(answerOf(x, f)) + std::norm(answerOf(y, f)) == Approx(1).margin(0.08));
    }
    CHECK(std::abs(answerOf(twice, {0, 0, 0})) < 1e-14);
    // They steer: those of any direction are sums of those of the axes.
    const double c = std::cos(40 * std::numbers::pi / 180), s = std::sin(40 * std::numbers::pi / 180);
    std::vector<double> sum = x.expanded().weights;
    const std::vector<double> other = y.expanded().weights;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = c * sum[i] + s * other[i];
    CHECK(largestDifferenceOf(turned.expanded(), sum) < 1e-14);
  }
}

TEST_CASE("Riesz transforms follow angles in space where voxels are no cubes", "[families][unit]") {
  const FilterGrid flat{3, {1, 1, 2.5}}, wide{2, {2, 1, 7}};
  const auto steered = [](const FilterGrid& grid, const std::string& direction, const Wave& inSpace) {
    Wave perVoxel = inSpace;
    for (std::size_t a = 0; a < 3; ++a) perVoxel[a] *= grid.spacing[a];
    return answerOf(tapsOf("riesz:radius=11," + direction, grid), perVoxel);
  };
  const Wave unit = waveAlong(20, 50, 1);
  for (const double elevation : {0.0, 35.0, 90.0}) {
    INFO(elevation);
    const Wave f = waveAlong(20, elevation, 0.14);
    const double cosine = (f[0] * unit[0] + f[1] * unit[1] + f[2] * unit[2]) / 0.14;
    CHECK(steered(flat, "azimuth=20,elevation=50", f).imag() == Approx(-cosine).margin(0.05));
  }
  CHECK(steered(wide, "azimuth=45", waveAlong(45, 0, 0.2)).imag() == Approx(-1).margin(0.05));
  CHECK(steered(wide, "azimuth=45", waveAlong(135, 0, 0.2)).imag() == Approx(0).margin(0.05));
  // The same wave per voxel is another one in space.
  CHECK(answerOf(tapsOf("riesz:radius=11,azimuth=45,voxels=cubes", wide), waveAlong(45, 0, 0.2)).imag() ==
        Approx(-1).margin(0.05));
  CHECK(answerOf(tapsOf("riesz:radius=11,azimuth=45", wide), waveAlong(45, 0, 0.2)).imag() > -0.97);
  // Only the ratio of the edges counts.
  CHECK(tapsOf("riesz", {3, {0.2, 0.2, 0.5}, false}).expanded() == tapsOf("riesz", flat).expanded());
  CHECK(tapsOf("riesz", flat).expanded() != tapsOf("riesz:voxels=cubes", flat).expanded());
  CHECK(tapsOf("riesz:voxels=cubes", flat).expanded() == tapsOf("riesz", kSolid).expanded());
}

TEST_CASE("steerable filters of any angle are sums of those of a few", "[families][unit]") {
  const auto at = [](const std::string& filter, double azimuth) {
    std::ostringstream spec;
    spec.precision(17);
    spec << "steerable:sigma=1.3,filter=" << filter << ",azimuth=" << azimuth;
    return tapsOf(spec.str()).expanded();
  };
  // Freeman and Adelson, section III: n + 1 equally spaced angles of a filter of order n, with these factors.
  for (const auto& [filter, count] : {std::pair{"g1", 2}, {"g2", 3}, {"h2", 4}, {"g4", 5}, {"h4", 6}}) {
    INFO(filter);
    const double wanted = 37;
    std::vector<double> sum(at(filter, 0).weights.size());
    for (int j = 0; j < count; ++j) {
      const double angle = 180.0 * j / count, apart = (wanted - angle) * std::numbers::pi / 180;
      double factor = 0;  // of frequencies count - 1, count - 3, ...
      for (int n = count - 1; n > 0; n -= 2) factor += 2 * std::cos(n * apart);
      if (count % 2 == 1) factor += 1;
      const DenseTaps taps = at(filter, angle);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += factor / count * taps.weights[i];
    }
    CHECK(largestDifferenceOf(at(filter, wanted), sum) < 1e-13);
  }
}

TEST_CASE("steerable filters have unit energy, no mean, and partners in quadrature", "[families][unit]") {
  for (const FilterGrid& grid : {kPicture, kSolid})
    for (const char* filter : {"g1", "g2", "h2", "g4", "h4"}) {
      INFO(filter << " in " << grid.dimensions << " dimensions");
      const std::string of = "steerable:sigma=1.5,truncate=4,filter=" + std::string(filter);
      const DenseTaps taps = tapsOf(of + ",azimuth=20", grid).expanded();
      double sum = 0, squares = 0;
      for (const double weight : taps.weights) {
        sum += weight;
        squares += weight * weight;
      }
      CHECK(std::abs(sum) < 1e-13);
      CHECK(squares == Approx(1).epsilon(0.01));
    }
  // Freeman and Adelson's own factors in two dimensions, of exp(-r^2).
  const double half = 1 / std::numbers::sqrt2;
  CHECK(tapsOf("steerable:filter=g2,truncate=8,sigma=" + std::to_string(10 * half)).expanded().at(57, 57, 0) ==
        Approx(-0.9213 / 10).epsilon(1e-3));
  CHECK(tapsOf("steerable:filter=g4,truncate=8,sigma=" + std::to_string(10 * half)).expanded().at(57, 57, 0) ==
        Approx(1.246 * 0.75 / 10).epsilon(1e-3));
  // At the peak of the second derivative, and above it: as much of the sine as there is of the cosine.
  for (const double f : {0.15, 0.18}) {
    const double even = answerOf(tapsOf("steerable:filter=g2,sigma=1.5,truncate=5"), {f, 0, 0}).real();
    const double odd = answerOf(tapsOf("steerable:filter=h2,sigma=1.5,truncate=5"), {f, 0, 0}).imag();
    CHECK(std::abs(odd) == Approx(std::abs(even)).epsilon(0.08));
    const double fourth = answerOf(tapsOf("steerable:filter=g4,sigma=1.5,truncate=5"), {f, 0, 0}).real();
    const double partner = answerOf(tapsOf("steerable:filter=h4,sigma=1.5,truncate=5"), {f, 0, 0}).imag();
    CHECK(std::abs(partner) == Approx(std::abs(fourth)).epsilon(0.05));
  }
  // A rise along the direction is positive, as with `derivative`.
  CHECK(answerOf(tapsOf("steerable:filter=g1"), {0.1, 0, 0}).imag() > 0);
}

TEST_CASE("oriented gaussians are as wide as said along and across", "[families][unit]") {
  const auto moments = [](const std::string& spec, const FilterGrid& grid, const Wave& unit) {
    const DenseTaps taps = tapsOf(spec, grid).expanded();
    double sum = 0, square = 0;
    for (std::int64_t z = 0; z < taps.size[2]; ++z)
      for (std::int64_t y = 0; y < taps.size[1]; ++y)
        for (std::int64_t x = 0; x < taps.size[0]; ++x) {
          const double along = unit[0] * static_cast<double>(x - taps.anchor[0]) +
                               unit[1] * static_cast<double>(y - taps.anchor[1]) +
                               unit[2] * static_cast<double>(z - taps.anchor[2]);
          sum += taps.at(x, y, z);
          square += taps.at(x, y, z) * along * along;
        }
    CHECK(sum == Approx(1));
    return std::sqrt(square);
  };
  const std::string flat = "orientedgaussian:along=3,across=1,azimuth=30,truncate=5";
  CHECK(moments(flat, kPicture, waveAlong(30, 0, 1)) == Approx(3).epsilon(0.001));
  CHECK(moments(flat, kPicture, waveAlong(120, 0, 1)) == Approx(1).epsilon(0.001));
  const std::string deep = "orientedgaussian:along=2,across=1,azimuth=30,elevation=50,truncate=5";
  CHECK(moments(deep, kSolid, waveAlong(30, 50, 1)) == Approx(2).epsilon(0.001));
  CHECK(moments(deep, kSolid, waveAlong(30, -40, 1)) == Approx(1).epsilon(0.001));
  // In millimeters, on voxels that are longer along z.
  CHECK(moments("orientedgaussian:along=6mm,across=2mm,elevation=90,truncate=5", {3, {1, 1, 2}}, {0, 0, 1}) ==
        Approx(3).epsilon(0.001));
  CHECK(tapsOf("orientedgaussian:azimuth=90").separable());
  // Round ones are gaussians.
  const DenseTaps ours = tapsOf("orientedgaussian:along=1.5,across=1.5,azimuth=20,truncate=4").expanded();
  CHECK(largestDifferenceOf(ours, tapsOf("gaussian:sigma=1.5").expanded().weights) < 1e-15);
  CHECK(tapsOf("orientedgaussian:along=2,across=1,truncate=2").lostTailMass == Approx(0.05).margin(0.04));
  CHECK_THROWS_WITH(tapsOf("orientedgaussian:along=60,across=20", kSolid),
                    ContainsSubstring("at most 300000 are possible"));
}

TEST_CASE("anisotropic gaussians have a width of each axis", "[families][unit]") {
  const Stencil taps = tapsOf("anisotropic:sigma_x=2,sigma_y=0,sigma_z=3mm", {3, {1, 1, 3}});
  const auto& axes = taps.terms.front().axis;
  CHECK(axes[0] == tapsOf("gaussian:sigma=2").terms.front().axis[0]);
  CHECK(axes[1].identity());
  CHECK(axes[2] == tapsOf("gaussian:sigma=1").terms.front().axis[0]);
}

TEST_CASE("designs in frequency are NumPy's transforms of the definitions", "[families]") {
  const std::string python = test::pythonThatImports("numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with NumPy (python3-numpy)");
  const std::string script = R"(
import numpy
n, r = 37, 9
f = numpy.fft.fftfreq(n)
fy, fx = numpy.meshgrid(f, f, indexing='ij')
size = numpy.hypot(fx, fy)
size[0, 0] = 1
dx, dy = numpy.cos(numpy.radians(25)), numpy.sin(numpy.radians(25))
radial = numpy.exp(-numpy.log(size * 6) ** 2 / (2 * numpy.log(0.65) ** 2))
radial[0, 0] = 0
angle = numpy.arccos(numpy.clip((fx * dx + fy * dy) / size, -1, 1))
analytic = 2 * radial * numpy.exp(-angle ** 2 / (2 * numpy.radians(25) ** 2))
riesz = -1j * (fx * dx + fy * dy) / size
size[0, 0] = 0
butterworth = 1 / numpy.sqrt(1 + (size * 6) ** 6)
w = 0.5 + 0.5 * numpy.cos(numpy.pi * numpy.arange(-r, r + 1) / (r + 1))
w = numpy.outer(w, w)
def taps(response, mean):
  h = numpy.fft.fftshift(numpy.fft.ifft2(response))[n // 2 - r:n // 2 + r + 1, n // 2 - r:n // 2 + r + 1]
  for part in (h.real * w, h.imag * w):
    yield (part + (mean - part.sum()) / w.sum() * w)[::-1, ::-1]
even, odd = taps(analytic, 0)
transform, _ = taps(riesz, 0)
low, _ = taps(butterworth, 1)
for result in (even, odd, transform, low):
  for value in result.ravel(): print(repr(float(value)))
)";
  const std::vector<double> theirs = test::numbersFrom(python, script);
  std::size_t at = 0;
  for (const char* spec : {"loggabor:wavelength=6,azimuth=25,radius=9,window=hann",
                           "loggabor:wavelength=6,azimuth=25,radius=9,window=hann,phase=odd",
                           "riesz:radius=9,azimuth=25", "butterworth:wavelength=6,order=3,radius=9"}) {
    INFO(spec);
    const DenseTaps taps = tapsOf(spec).expanded();
    REQUIRE(at + taps.weights.size() <= theirs.size());
    CHECK(largestDifferenceOf(taps, {theirs.begin() + static_cast<std::ptrdiff_t>(at),
                                     theirs.begin() + static_cast<std::ptrdiff_t>(at + taps.weights.size())}) < 1e-14);
    at += taps.weights.size();
  }
  CHECK(at == theirs.size());
}

TEST_CASE("ramps are those of scikit-image's backprojection", "[families]") {
  const std::string python = test::pythonThatImports("numpy, skimage.transform.radon_transform");
  if (python.empty()) SSCOPE_SKIP("there is no Python with scikit-image (python3-skimage)");
  const char* const names[]{"ramp", "shepp-logan", "cosine", "hamming", "hann"};
  const char* const ours[]{"ram-lak", "shepp-logan", "cosine", "hamming", "hann"};
  std::ostringstream script;
  script << "import numpy\nfrom skimage.transform.radon_transform import _get_fourier_filter as of\n";
  constexpr int kSize = 4096;
  for (const char* name : names)
    script << "for v in of(" << kSize << ", '" << name << "').ravel()[256:2048:256]: print(float(v))\n";
  const std::vector<double> theirs = test::numbersFrom(python, script.str());
  REQUIRE(theirs.size() == 35);
  for (std::size_t w = 0; w < 5; ++w) {
    Stencil taps;
    taps.terms = {SeparableTerm{}};
    taps.terms.front().axis[0] = rampTaps(500, ours[w]);
    for (std::size_t i = 0; i < 7; ++i) {
      const double f = static_cast<double>(i + 1) / 16;
      INFO(ours[w] << " at " << f);
      CHECK(2 * answerOf(taps, {f, 0, 0}).real() == Approx(theirs[7 * w + i]).margin(1e-3));
    }
  }
}
