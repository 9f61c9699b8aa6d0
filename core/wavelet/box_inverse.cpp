#include "core/wavelet/box_inverse.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/error.h"

namespace sscope {

namespace {

// Places along a periodic axis; all of them begin at 0.
struct Span {
  std::int64_t begin = 0, count = 1;
};
using Region = std::array<Span, 3>;

std::int64_t floorHalf(std::int64_t i) { return i >> 1; }

std::int64_t wrapped(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

// One band, or a combination of bands, over a region.
template <class T>
struct Part {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::vector<T> values;
};

template <class T>
class BoxInverse {
 public:
  BoxInverse(const ConstArrayView& coefficients, const Pyramid& pyramid, const Wavelet& wavelet,
             const BandThresholds& thresholds, ThresholdMode mode, const Control& control)
      : coefficients_(coefficients),
        pyramid_(pyramid),
        thresholds_(thresholds),
        mode_(mode),
        control_(control),
        taps_(wavelet.taps()),
        shift_(taps_ / 2 - 1),
        low_(wavelet.recLow.begin(), wavelet.recLow.end()),
        high_(wavelet.recHigh.begin(), wavelet.recHigh.end()) {}

  // The averages of `level` over a region; level 0 is the data.
  Part<T> averages(int level, const Region& region) {
    control_.check();
    if (level == pyramid_.levels) return loaded(level, 0, region);
    const Region above = regionAbove(level, region);
    std::array<Part<T>, 8> parts;
    parts[0] = averages(level + 1, above);
    for (unsigned bands = 1; bands < 8; ++bands)
      if (exists(bands)) parts[bands] = loaded(level + 1, bands, above);
    // The axis that makes the parts thin is first.
    std::array<std::size_t, 3> order{0, 1, 2};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return region[a].count * above[b].count < region[b].count * above[a].count;
    });
    for (const std::size_t axis : order) {
      if (!pyramid_.axes[axis]) continue;
      const unsigned bit = 1U << axis;
      for (unsigned bands = 0; bands < 8; ++bands)
        if ((bands & bit) == 0 && !parts[bands].values.empty())
          parts[bands] = combined(parts[bands], parts[bands | bit], axis, level, above[axis], region[axis]);
    }
    return std::move(parts[0]);
  }

 private:
  [[nodiscard]] bool exists(unsigned bands) const {
    for (std::size_t a = 0; a < 3; ++a)
      if ((bands >> a & 1U) != 0 && !pyramid_.axes[a]) return false;
    return true;
  }

  // The region of level + 1 on which this region of `level` depends: sample i reads the pairs o with 2o + k - shift =
  // i, k < taps.
  [[nodiscard]] Region regionAbove(int level, const Region& region) const {
    Region above = region;
    const auto extent = pyramid_.extentAt(level + 1);
    for (std::size_t a = 0; a < 3; ++a) {
      if (!pyramid_.axes[a]) continue;
      const std::int64_t first = floorHalf(region[a].begin + shift_ - taps_ + 2);
      const std::int64_t last = floorHalf(region[a].begin + region[a].count - 1 + shift_);
      above[a] = last - first + 1 < extent[a] ? Span{first, last - first + 1} : Span{0, extent[a]};
    }
    return above;
  }

  Part<T> loaded(int level, unsigned bands, const Region& region) const {
    const auto extent = pyramid_.extentAt(level);
    std::array<std::vector<std::int64_t>, 3> offsets;  // of the region's places, in elements
    Part<T> part;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t corner = (bands >> a & 1U) != 0 ? extent[a] : 0;
      for (std::int64_t i = 0; i < region[a].count; ++i)
        offsets[a].push_back((corner + wrapped(region[a].begin + i, extent[a])) * coefficients_.stride[a]);
      part.extent[a] = region[a].count;
    }
    const auto [nx, ny, nz] = part.extent;
    part.values.resize(static_cast<std::size_t>(nx * ny * nz));
    const T* in = coefficients_.as<T>();
    const double threshold = bands == 0 ? -1 : thresholds_[pyramid_.bandIndex(level, bands)];
    tbb::parallel_for(std::int64_t{0}, nz, [&](std::int64_t z) {
      for (std::int64_t y = 0; y < ny; ++y) {
        const T* row = in + offsets[1][static_cast<std::size_t>(y)] + offsets[2][static_cast<std::size_t>(z)];
        T* out = part.values.data() + (z * ny + y) * nx;
        const std::int64_t* at = offsets[0].data();
        for (std::int64_t x = 0; x < nx; ++x)
          out[x] = threshold < 0 ? row[at[x]] : thresholded(row[at[x]], threshold, mode_);
      }
    });
    return part;
  }

  // Low and high along an axis become samples of `level`. With t = sample + shift = 2p or 2p + 1 the sample is the sum
  // over j of taps[2j] (or [2j + 1]) times the pair p - j.
  Part<T> combined(const Part<T>& low, const Part<T>& high, std::size_t axis, int level, const Span& from,
                   const Span& to) const {
    control_.check();
    const std::int64_t period = pyramid_.extentAt(level + 1)[axis], terms = taps_ / 2;
    Part<T> part;
    part.extent = low.extent;
    part.extent[axis] = to.count;
    part.values.resize(static_cast<std::size_t>(part.extent[0] * part.extent[1] * part.extent[2]));
    std::int64_t inner = 1;  // elements that lie together
    for (std::size_t a = 0; a < axis; ++a) inner *= low.extent[a];
    const std::int64_t outer = static_cast<std::int64_t>(part.values.size()) / (inner * to.count);
    // The positions of the pairs of the sums; the first pair is the first of regionAbove().
    const std::int64_t first = floorHalf(to.begin + shift_) - terms + 1;
    const std::int64_t pairs = floorHalf(to.begin + to.count - 1 + shift_) - first + 1;
    std::vector<std::int64_t> places(static_cast<std::size_t>(pairs));
    for (std::int64_t q = 0; q < pairs; ++q)
      places[static_cast<std::size_t>(q)] = from.count == period ? wrapped(first + q, period) : q;
    const Line line{low.values.data(), high.values.data(), part.values.data(),     places,
                    from.count,        to.count,           (to.begin + shift_) & 1};
    if (inner == 1) {
      tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, outer, kRowsAtOnce),
                        [&](const tbb::blocked_range<std::int64_t>& range) { combineRows(line, range); });
    } else {
      tbb::parallel_for(std::int64_t{0}, outer * to.count,
                        [&](std::int64_t i) { combinePlane(line, i / to.count, i % to.count, inner); });
    }
    return part;
  }

  static constexpr std::int64_t kRowsAtOnce = 16;
  struct Line {
    const T *low, *high;
    T* out;
    const std::vector<std::int64_t>& places;
    std::int64_t from, to, odd;  // elements of a line of low and of out; 1: the first sample is one of 2p + 1
  };

  // Contiguous lines: sums of all even and of all odd samples, then interleaved.
  void combineRows(const Line& line, const tbb::blocked_range<std::int64_t>& rows) const {
    const auto pairs = static_cast<std::int64_t>(line.places.size()), terms = taps_ / 2, sums = pairs - terms + 1;
    std::vector<T> memory(static_cast<std::size_t>(2 * pairs + 2 * sums));
    T *low = memory.data(), *high = low + pairs, *even = high + pairs, *odd = even + sums;
    for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
      for (std::int64_t q = 0; q < pairs; ++q) {
        low[q] = line.low[row * line.from + line.places[static_cast<std::size_t>(q)]];
        high[q] = line.high[row * line.from + line.places[static_cast<std::size_t>(q)]];
      }
      std::fill_n(even, 2 * sums, T{0});
      for (std::int64_t j = 0; j < terms; ++j) {
        const auto k = static_cast<std::size_t>(2 * j);
        const T a = low_[k], b = high_[k], c = low_[k + 1], d = high_[k + 1];
        const T *l = low + terms - 1 - j, *h = high + terms - 1 - j;
        for (std::int64_t p = 0; p < sums; ++p) {
          even[p] += a * l[p] + b * h[p];
          odd[p] += c * l[p] + d * h[p];
        }
      }
      T* out = line.out + row * line.to;
      for (std::int64_t i = 0; i < line.to; ++i) {
        const std::int64_t t = i + line.odd;
        out[i] = (t & 1) != 0 ? odd[t >> 1] : even[t >> 1];
      }
    }
  }

  // One sample of all adjacent lines.
  void combinePlane(const Line& line, std::int64_t block, std::int64_t sample, std::int64_t inner) const {
    const std::int64_t t = sample + line.odd, terms = taps_ / 2;
    T* out = line.out + (block * line.to + sample) * inner;
    std::fill_n(out, inner, T{0});
    for (std::int64_t j = 0; j < terms; ++j) {
      const auto k = static_cast<std::size_t>(2 * j + (t & 1));
      const T a = low_[k], b = high_[k];
      const std::int64_t place = line.places[static_cast<std::size_t>((t >> 1) + terms - 1 - j)];
      const std::int64_t offset = (block * line.from + place) * inner;
      const T *l = line.low + offset, *h = line.high + offset;
      for (std::int64_t i = 0; i < inner; ++i) out[i] += a * l[i] + b * h[i];
    }
  }

  const ConstArrayView& coefficients_;
  const Pyramid& pyramid_;
  const BandThresholds& thresholds_;
  ThresholdMode mode_;
  const Control& control_;
  std::int64_t taps_, shift_;
  std::vector<T> low_, high_;
};

}  // namespace

Volume inverseOfBox(const ConstArrayView& coefficients, const Pyramid& pyramid, const Wavelet& wavelet, const Box& box,
                    const BandThresholds& thresholds, ThresholdMode mode, const Control& control) {
  Region region;
  for (std::size_t a = 0; a < 3; ++a) {
    region[a] = {box.begin[a], box.end[a] - box.begin[a]};
    if (region[a].begin < 0 || region[a].count < 1 || box.end[a] > pyramid.extent[a])
      throw Error(ErrorKind::Usage, "the box does not lie inside the data", "choose another one");
  }
  const auto compute = [&](auto tag) {
    using T = decltype(tag);
    Volume result({region[0].count, region[1].count, region[2].count, 1}, coefficients.type);
    const Part<T> part = BoxInverse<T>(coefficients, pyramid, wavelet, thresholds, mode, control).averages(0, region);
    std::copy(part.values.begin(), part.values.end(), result.elements<T>().begin());
    return result;
  };
  if (coefficients.type == ElementType::f64) return compute(double{});
  if (coefficients.type == ElementType::f32) return compute(float{});
  throw Error(ErrorKind::Usage, "coefficients are f32 or f64, not " + std::string(toString(coefficients.type)),
              "transform the data first");
}

}  // namespace sscope
