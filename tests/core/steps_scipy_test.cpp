// SciPy, NumPy and PyWavelets as second opinions on the reference of families of several steps.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/filter/families/recipe_text.h"
#include "core/filter/program/program_workload.h"
#include "tests/support/catch.h"
#include "tests/support/python.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

std::vector<double> referenceOf(const std::string& spec, const Volume& data, Boundary boundary) {
  const FilterBank bank{{parseFilterSpec(spec)}, boundary, 0, {}};
  const auto workload = bankWorkload(bank, data.spec(), data.geometry(), false);
  const ConstArrayView in = data.view();
  std::vector<double> values(static_cast<std::size_t>(in.elements()));
  workload->reference({&in, 1}, 0, {{0, 0, 0}, {data.shape().nx, data.shape().ny, data.shape().nz}}, values, {});
  return values;
}

// `data` with the axes z, y, x, or y, x in images.
std::string dataText(const Volume& volume) {
  const auto elements = volume.elements<double>();
  const VolumeShape& shape = volume.shape();
  std::ostringstream text;
  text << "import numpy as np\ndata = np.array("
       << test::pythonList(std::vector<double>(elements.begin(), elements.end())) << ").reshape(";
  if (shape.nz > 1) text << shape.nz << ", ";
  text << shape.ny << ", " << shape.nx << ")\n";
  return text.str();
}

double largestDifference(const std::vector<double>& ours, const std::vector<double>& theirs) {
  REQUIRE(ours.size() == theirs.size());
  double largest = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(ours[i] - theirs[i]));
  return largest;
}

double largestChange(const std::vector<double>& values, const Volume& data) {
  const auto elements = data.elements<double>();
  return largestDifference(values, std::vector<double>(elements.begin(), elements.end()));
}

// Weickert's scheme with a solver of eigenvalue problems for each voxel.
constexpr const char* kCoherence = R"(
import scipy.ndimage as nd
def taps(sigma, order, truncate):
    radius = int(truncate * sigma + 0.5)
    k = np.arange(-radius, radius + 1)
    g = np.exp(-k * k / (2.0 * sigma * sigma))
    return k * g / (k * k * g).sum() if order else g / g.sum()
def smooth(u, sigma, axis):
    for a in range(u.ndim):
        u = nd.correlate1d(u, taps(sigma, a == axis, 3), axis=a, mode='nearest')
    return u
def step(u, contrast, alpha, dt):
    n = u.ndim
    g = [smooth(u, 0.7, a) for a in range(n)]
    J = np.empty(u.shape + (n, n))
    for a in range(n):
        for b in range(n): J[..., a, b] = smooth(g[a] * g[b], 1.0, None)
    m, v = np.linalg.eigh(J)
    gap = (m[..., -1:] - m) ** 2
    f = alpha + (1 - alpha) * np.exp(-contrast ** 4 / np.maximum(gap, 1e-300))
    D = np.einsum('...ai,...i,...bi->...ab', v, f, v)
    pad = lambda a: np.pad(a, 1, mode='edge')
    U = pad(u)
    def at(P, *moves):
        index = [slice(1, -1)] * n
        for axis, by in moves: index[axis] = slice(1 + by, P.shape[axis] - 1 + by)
        return P[tuple(index)]
    total = np.zeros_like(u)
    for a in range(n):
        for b in range(n):
            P = pad(D[..., a, b])
            for s in (-1, 1):
                if a == b: total += (at(P) + at(P, (a, s))) / 2 * (at(U, (a, s)) - u)
                else: total += s * at(P, (a, s)) * (at(U, (a, s), (b, 1)) - at(U, (a, s), (b, -1))) / 4
    return u + dt * total
)";

// Chambolle's projection as it is written: an explicit div g - f / weight, arrays that end where the data do.
constexpr const char* kChambolle = R"(
def forward(u, a, h):
    g = np.zeros_like(u)
    np.moveaxis(g, a, 0)[:-1] = np.diff(np.moveaxis(u, a, 0), axis=0) / h
    return g
def divergence(p, h):
    total = np.zeros_like(p[0])
    for a in range(len(p)):
        d, q = np.moveaxis(total, a, 0), np.moveaxis(p[a], a, 0) / h[a]
        d[:-1] += q[:-1]
        d[1:] -= q[:-1]
    return total
def chambolle(f, weight, steps, h):
    n = f.ndim
    tau = 1 / (2 * n)
    p = [np.zeros_like(f) for a in range(n)]
    for i in range(steps):
        r = divergence(p, h) - f / weight
        g = [forward(r, a, h[a]) for a in range(n)]
        size = np.sqrt(sum(x * x for x in g))
        p = [(q + tau * x) / (1 + tau * size) for q, x in zip(p, g)]
    return f - weight * divergence(p, h)
)";

// A line across noise.
Volume lineInNoise(const VolumeShape& shape) {
  Volume volume = test::randomVolume(shape, ElementType::f64, 21);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x, ++i) volume.elements<double>()[i] += std::abs(x - y) < 2 ? 20 : 0;
  return volume;
}

}  // namespace

TEST_CASE("wavelet denoising is that of PyWavelets' stationary transform, where data are periodic") {
  const std::string python = test::pythonThatImports("pywt, numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with PyWavelets (python3-pywt)");
  for (const VolumeShape& shape : {VolumeShape{16, 12, 1, 1}, VolumeShape{8, 8, 8, 1}})
    for (const char* wavelet : {"haar", "db3", "sym4"})
      for (const char* mode : {"soft", "hard"}) {
        INFO(shape.text() << " " << wavelet << " " << mode);
        const Volume data = test::randomVolume(shape, ElementType::f64, 8);
        const std::string script = dataText(data) + "import pywt\ncoefficients = pywt.swtn(data, '" + wavelet +
                                   "', 2)\nfor level in coefficients:\n  for band in level:\n    if 'd' in band: "
                                   "level[band] = pywt.threshold(level[band], 0.75, '" +
                                   mode + "')\nfor v in pywt.iswtn(coefficients, '" + wavelet +
                                   "').ravel(): print(float(v))\n";
        const std::vector<double> theirs = test::numbersFrom(python, script);
        const std::vector<double> ours = referenceOf(
            "waveletdenoise:sigma=0.25,threshold=3,levels=2,wavelet=" + std::string(wavelet) + ",mode=" + mode, data,
            Boundary::wrap);
        CHECK(largestDifference(ours, theirs) < 1e-10);
        CHECK(largestChange(ours, data) > 0.1);
      }
}

TEST_CASE("edges that grow far enough are those that SciPy labels with a strong one") {
  const std::string python = test::pythonThatImports("scipy.ndimage, numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with SciPy (python3-scipy)");
  const Volume data = test::randomVolume({40, 33, 1, 1}, ElementType::f64, 17);
  const std::vector<double> weak = referenceOf("edges:sigma=1.2,threshold=0.05", data, Boundary::mirror);
  const std::vector<double> kept =
      referenceOf("edges:sigma=1.2,threshold=0.05,high=0.2,growth=64", data, Boundary::mirror);
  Volume edges(data.shape(), ElementType::f64);
  std::ranges::copy(weak, edges.elements<double>().begin());
  const std::vector<double> theirs =
      test::numbersFrom(python, dataText(edges) +
                                    "import scipy.ndimage as nd\nlabels, n = nd.label(data > 0, np.ones((3, 3)))\n"
                                    "strong = np.isin(labels, np.unique(labels[data > 0.2])) & (labels > 0)\n"
                                    "for v in np.where(strong, data, 0).ravel(): print(float(v))\n");
  CHECK(largestDifference(kept, theirs) == 0);
  const auto count = [](const std::vector<double>& values) {
    return std::ranges::count_if(values, [](double v) { return v > 0; });
  };
  CHECK(count(kept) < count(weak));
  CHECK(count(referenceOf("edges:sigma=1.2,threshold=0.05,high=0.2,growth=1", data, Boundary::mirror)) < count(kept));
}

TEST_CASE("coherence-enhancing diffusion is that of NumPy's eigenvectors") {
  const std::string python = test::pythonThatImports("scipy.ndimage, numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with SciPy (python3-scipy)");
  for (const VolumeShape& shape : {VolumeShape{19, 16, 1, 1}, VolumeShape{9, 8, 7, 1}}) {
    INFO(shape.text());
    const Volume data = lineInNoise(shape);
    const std::string script = dataText(data) + kCoherence +
                               "for i in range(3): data = step(data, 1.5, 0.01, 0.15)\n"
                               "for v in data.ravel(): print(float(v))\n";
    const std::vector<double> theirs = test::numbersFrom(python, script);
    const std::vector<double> ours =
        referenceOf("coherence:contrast=1.5,sigma=0.7,rho=1,alpha=0.01,steps=3,timestep=0.15", data, Boundary::nearest);
    CHECK(largestDifference(ours, theirs) < 1e-9);
    CHECK(largestChange(ours, data) > 0.5);
  }
}

TEST_CASE("total variation is Chambolle's projection as NumPy computes it") {
  const std::string python = test::pythonThatImports("numpy");
  if (python.empty()) SSCOPE_SKIP("there is no Python with NumPy (python3-numpy)");
  for (const VolumeShape& shape : {VolumeShape{19, 16, 1, 1}, VolumeShape{9, 8, 7, 1}, VolumeShape{1, 11, 1, 1}})
    for (const bool cubes : {true, false}) {
      INFO(shape.text() << " " << cubes);
      Geometry geometry;
      geometry.spacing = {0.5, 0.75, 2};
      Volume data = lineInNoise(shape);
      data.setGeometry(geometry);
      const std::string edges = cubes ? "[1, 1, 1]" : shape.nz > 1 ? "[4, 1.5, 1]" : "[1.5, 1]";
      const std::string script =
          dataText(data) + kChambolle + "for v in chambolle(data, 1.5, 12, " + edges + ").ravel(): print(float(v))\n";
      const std::vector<double> theirs = test::numbersFrom(python, script);
      // Nothing is read beyond the ends, whatever the boundary rule says is there.
      for (const Boundary boundary : kBoundaries) {
        const std::vector<double> ours =
            referenceOf("tv:weight=1.5,steps=12,voxels=" + std::string(cubes ? "cubes" : "spacing"), data, boundary);
        CHECK(largestDifference(ours, theirs) < 1e-12 * 30);
        CHECK(largestChange(ours, data) > 0.5);
      }
    }
}
