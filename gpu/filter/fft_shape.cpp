#include "gpu/filter/fft_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sscope {

namespace {

constexpr std::array<std::int64_t, 4> kLengths{16, 32, 64, 128};

// In dense multiply-adds, measured on an H100 (docs/dev/performance-notes.md): for each point of a pair of tiles and
// doubling of its points, there and back; for each point looked at beforehand; for each point and slice of taps; and
// for moving a point through memory.
constexpr double kPerDoubling = 8.2, kPerLook = 85, kPerSlice = 8, kPerMove = 60;
// A run waits for the judgment of the data and starts more kernels than sums do: 50 microseconds there.
constexpr double kPerRun = 1.2e9;
// With more local memory per group, few or no other groups compute while one waits.
constexpr std::int64_t kRoomy = 33 << 10, kAlone = 100 << 10;
constexpr double kCrowded = 1.15, kOnItsOwn = 1.8;
// Two lines of 8 points in each stage.
constexpr std::int64_t kPointsOfItem = 16, kMostItems = 512, kLeastItems = 16;

FftShape costOf(FftShape shape, const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                Precision precision) {
  const std::int64_t tiles = shape.tilesX(extent[0]) * shape.tilesY(extent[1]) * extent[3];
  const auto pairs = static_cast<double>((tiles + 1) / 2);
  const auto points = static_cast<double>(shape.all()), slices = static_cast<double>(extent[2]);
  const double loaded = slices + static_cast<double>(taps[2] - 1), doublings = std::log2(points);
  const std::int64_t local = shape.localBytes(precision == Precision::f32 ? 4 : 8);
  const double crowded = local > kAlone ? kOnItsOwn : local > kRoomy ? kCrowded : 1;
  double each = crowded * (kPerDoubling * doublings * (loaded + slices) + 2 * kPerLook * loaded);
  double operations = 5 * doublings * (loaded + slices) + 6 * slices;
  if (taps[2] > 1) {
    each += (kPerSlice * static_cast<double>(taps[2]) + 2 * kPerMove) * slices + kPerMove * loaded;
    operations += (8 * static_cast<double>(taps[2]) - 6) * slices;
  }
  shape.multiplyAdds = kPerRun + pairs * points * each;
  shape.operations = pairs * points * operations;
  return shape;
}

}  // namespace

std::array<std::int64_t, 2> fftRadices(std::int64_t points) {
  switch (points) {
    case 16: return {4, 4};
    case 32: return {4, 8};
    case 64: return {8, 8};
    default: return {16, 8};
  }
}

bool fftTakesOnDevices(const std::array<std::int64_t, 3>& taps) {
  return taps[0] <= kMostFftTaps[0] && taps[1] <= kMostFftTaps[1] && taps[2] <= kMostFftTaps[2];
}

std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                                 Precision precision, std::int64_t mostLocalBytes, std::int64_t largestGroup) {
  std::optional<FftShape> best;
  if (!fftTakesOnDevices(taps)) return best;
  for (const std::int64_t x : kLengths)
    for (const std::int64_t y : kLengths) {
      FftShape shape;
      shape.points = {x, y};
      shape.outputs = {x - taps[0] + 1, y - taps[1] + 1};
      if (shape.outputs[0] < 1 || shape.outputs[1] < 1) continue;
      shape.items = kMostItems;
      while (shape.items > kLeastItems && shape.items > std::min(largestGroup, shape.all() / kPointsOfItem))
        shape.items /= 2;
      // The kernel that judges tiles needs a few more rows, and sums per work item.
      const std::int64_t more = (2 * y + 2 * shape.items) * (precision == Precision::f32 ? 4 : 8);
      if (shape.localBytes(precision == Precision::f32 ? 4 : 8) + more > mostLocalBytes) continue;
      shape = costOf(shape, taps, extent, precision);
      if (!best || shape.multiplyAdds < best->multiplyAdds) best = shape;
    }
  return best;
}

std::optional<FftShape> fftShape(const std::array<std::int64_t, 3>& taps, const std::array<std::int64_t, 4>& extent,
                                 Precision precision, const DeviceProperties& device) {
  const std::int64_t most = device.largestDynamicLocal > 0 ? device.largestDynamicLocal : device.localBytes;
  return fftShape(taps, extent, precision, most, device.largestGroup);
}

namespace {

// exp(2 pi i n / points) for n = 0 .. points - 1.
struct Circle {
  std::vector<double> cosine, sine;

  explicit Circle(std::int64_t points) {
    for (std::int64_t n = 0; n < points; ++n) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(points);
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  }
};

// The frequency at each place of a transformed line.
std::vector<std::int64_t> frequencies(std::int64_t points) {
  const auto [first, last] = fftRadices(points);
  std::vector<std::int64_t> found;
  for (std::int64_t j = 0; j < first; ++j)
    for (std::int64_t f = 0; f < last; ++f) found.push_back(j + first * f);
  return found;
}

constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Appends the spectrum of one slice of taps to `spectra`. Only rows that the taps reach are transformed along x.
void addSlice(const DenseTaps& taps, std::int64_t z, const FftShape& shape, std::vector<double>& spectra) {
  const auto [nx, ny] = shape.points;
  const Circle x(nx), y(ny);
  const auto alongX = frequencies(nx), alongY = frequencies(ny);
  std::vector<double> re(index(nx * taps.size[1])), im(re.size());
  for (std::int64_t j = 0; j < taps.size[1]; ++j)
    for (std::int64_t p = 0; p < nx; ++p)
      for (std::int64_t i = 0; i < taps.size[0]; ++i) {
        const std::size_t turn = index(i * alongX[index(p)] % nx);
        re[index(j * nx + p)] += taps.at(i, j, z) * x.cosine[turn];
        im[index(j * nx + p)] += taps.at(i, j, z) * x.sine[turn];
      }
  const std::size_t begin = spectra.size(), all = index(shape.all());
  spectra.resize(begin + 2 * all);
  const double scale = 1 / static_cast<double>(shape.all());
  for (std::int64_t q = 0; q < ny; ++q)
    for (std::int64_t j = 0; j < taps.size[1]; ++j) {
      const std::size_t turn = index(j * alongY[index(q)] % ny);
      const double c = scale * y.cosine[turn], s = scale * y.sine[turn];
      for (std::int64_t p = 0; p < nx; ++p) {
        const double r = re[index(j * nx + p)], i = im[index(j * nx + p)];
        spectra[begin + index(q * nx + p)] += r * c - i * s;
        spectra[begin + all + index(q * nx + p)] += r * s + i * c;
      }
    }
}

// NaN has no order and counts as Inf.
double orderedMagnitude(double weight) {
  return std::isnan(weight) ? std::numeric_limits<double>::infinity() : std::abs(weight);
}

// For each slice the sums of the first 0, 1, 2, ... magnitudes within a window, the smallest first.
std::vector<double> smallestSums(const DenseTaps& taps, const FftTapScale& window) {
  std::vector<double> all;
  for (std::int64_t z = 0; z < taps.size[2]; ++z) {
    std::vector<double> sums{0};
    for (std::int64_t y = 0; y < window.sizeY; ++y)
      for (std::int64_t x = 0; x < window.sizeX; ++x)
        sums.push_back(orderedMagnitude(taps.at(window.beginX + x, window.beginY + y, z)));
    std::sort(sums.begin() + 1, sums.end());
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
    all.insert(all.end(), sums.begin(), sums.end());
  }
  return all;
}

}  // namespace

std::vector<double> fftTwiddles(const FftShape& shape) {
  std::vector<double> table;
  for (const std::int64_t points : shape.points) {
    const auto [first, last] = fftRadices(points);
    const Circle circle(points);
    for (std::int64_t j = 1; j < first; ++j)
      for (std::int64_t k = 0; k < last; ++k) {
        table.push_back(circle.cosine[index(j * k)]);
        table.push_back(-circle.sine[index(j * k)]);
      }
  }
  return table;
}

std::vector<double> fftTapSpectra(const DenseTaps& taps, const FftShape& shape) {
  std::vector<double> spectra;
  for (std::int64_t z = 0; z < taps.size[2]; ++z) addSlice(taps, z, shape, spectra);
  return spectra;
}

FftTapScale fftTapScale(const DenseTaps& taps, Precision precision) {
  FftTapScale best;
  double most = -1, all = 0;
  std::vector<double> sums;
  // A window holds about half of the magnitudes that it could: it is suitable if the smaller half of its weights is not
  // negligible.
  for (std::int64_t share = 0; share < 8; ++share) {
    FftTapScale window;
    window.beginX = std::min(taps.size[0] * share / 16, (taps.size[0] - 1) / 2);
    window.beginY = std::min(taps.size[1] * share / 16, (taps.size[1] - 1) / 2);
    window.sizeX = taps.size[0] - 2 * window.beginX;
    window.sizeY = taps.size[1] - 2 * window.beginY;
    std::vector<double> found = smallestSums(taps, window);
    const std::int64_t entries = window.sizeX * window.sizeY + 1;
    double half = 0;
    for (std::int64_t z = 0; z < taps.size[2]; ++z) half += found[index(z * entries + entries / 2)];
    if (share == 0)
      for (std::int64_t z = 0; z < taps.size[2]; ++z) {
        best.tables.push_back(found[index((z + 1) * entries - 1)]);
        all += best.tables.back();
      }
    if (!(half > most)) continue;
    most = half;
    sums = std::move(found);
    window.tables = std::move(best.tables);
    best = std::move(window);
  }
  // Products with such weights overflow, underflow or are NaN.
  const double limit = precision == Precision::f32 ? 0x1p40 : 0x1p250;
  if (!(all == 0 || (all >= 1 / limit && all <= limit))) best.tables[0] = std::numeric_limits<double>::quiet_NaN();
  best.tables.insert(best.tables.end(), sums.begin(), sums.end());
  return best;
}

}  // namespace sscope
