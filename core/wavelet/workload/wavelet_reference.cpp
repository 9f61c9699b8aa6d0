#include "core/wavelet/workload/wavelet_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace sscope {

namespace {

using Index = std::array<std::int64_t, 3>;

// A part of a periodic array, or all of it.
struct Part {
  Index begin{}, size{};
  Index period{};
  std::vector<double> values;

  Part(const Index& first, const Index& extent, const Index& n) : begin(first), size(extent), period(n) {
    for (std::size_t a = 0; a < 3; ++a)
      if (size[a] >= period[a]) {
        begin[a] = 0;
        size[a] = period[a];
      }
    values.assign(static_cast<std::size_t>(size[0] * size[1] * size[2]), 0.0);
  }
  // Coordinates that differ by periods are the same.
  [[nodiscard]] double& at(const Index& i) {
    std::array<std::int64_t, 3> k{};
    for (std::size_t a = 0; a < 3; ++a) k[a] = ((i[a] - begin[a]) % period[a] + period[a]) % period[a];
    return values[static_cast<std::size_t>((k[2] * size[1] + k[1]) * size[0] + k[0])];
  }
  template <class F>
  void forEach(const Control& control, const F& f) {
    Index i{};
    for (i[2] = begin[2]; i[2] < begin[2] + size[2]; ++i[2])
      for (i[1] = begin[1]; i[1] < begin[1] + size[1]; ++i[1]) {
        control.check();
        for (i[0] = begin[0]; i[0] < begin[0] + size[0]; ++i[0]) f(i, at(i));
      }
  }
};

class Transform {
 public:
  Transform(const Wavelet& wavelet, const Pyramid& pyramid, DataBoundary boundary, const ConstArrayView& input,
            bool magnitude, const Control& control)
      : pyramid_(pyramid),
        free_(boundary == DataBoundary::Free),
        input_(input),
        magnitude_(magnitude),
        control_(control),
        low_(wavelet.recLow),
        high_(wavelet.recHigh),
        taps_(wavelet.taps()),
        shift_(free_ ? 0 : wavelet.taps() / 2 - 1) {
    if (magnitude_)
      for (auto* taps : {&low_, &high_})
        for (double& tap : *taps) tap = std::abs(tap);
  }

  // A part of a band of `level`, in coordinates of the band; level 0 is the data.
  Part analyzed(int level, const std::array<bool, 3>& high, const Index& begin, const Index& size) {
    control_.check();
    if (level == 0) {
      const Index samples{input_.extent[0], input_.extent[1], input_.extent[2]};
      return loaded({0, 0, 0}, free_ ? samples : pyramid_.extent, 0, begin, size);
    }
    Index from = begin, length = size;
    for (std::size_t a = 0; a < 3; ++a)
      if (pyramid_.axes[a]) {
        from[a] = 2 * begin[a] - shift_;
        length[a] = 2 * (size[a] - 1) + taps_;
      }
    Part part = analyzed(level - 1, {false, false, false}, from, length);
    for (std::size_t a = 0; a < 3; ++a)
      if (pyramid_.axes[a]) part = filtered(part, a, high[a] ? high_ : low_, begin[a], size[a]);
    return part;
  }

  // A part of the averages of `level` from the coefficients; level 0 is the data.
  Part synthesized(int level, const Index& begin, const Index& size) {
    control_.check();
    if (level == pyramid_.levels) return loaded({0, 0, 0}, pyramid_.extentAt(level), margin(), begin, size);
    return combined(level, 0, {false, false, false}, begin, size);
  }

 private:
  // With free boundaries, each band is followed by as many zeros as a sum reaches beyond it.
  [[nodiscard]] std::int64_t margin() const { return free_ ? taps_ / 2 - 1 : 0; }

  // A part of the input's box at `corner`, taken as periodic with `zeros` additional zeros along transformed axes.
  Part loaded(const Index& corner, const Index& extent, std::int64_t zeros, const Index& begin, const Index& size) {
    Index period = extent;
    for (std::size_t a = 0; a < 3; ++a)
      if (pyramid_.axes[a]) period[a] += zeros;
    Part part(begin, size, period);
    dispatch(input_.type, [&](auto tag) {
      const auto* data = input_.as<decltype(tag)>();
      part.forEach(control_, [&](const Index& i, double& value) {
        Index k{};
        for (std::size_t a = 0; a < 3; ++a) {
          const std::int64_t wrapped = (i[a] % period[a] + period[a]) % period[a];
          if (wrapped >= extent[a]) return;
          k[a] = std::min(corner[a] + wrapped, input_.extent[a] - 1);
        }
        value = static_cast<double>(data[input_.offset(k[0], k[1], k[2])]);
        if (magnitude_) value = std::abs(value);
      });
    });
    return part;
  }

  Part filtered(Part& in, std::size_t axis, const std::vector<double>& taps, std::int64_t begin, std::int64_t size) {
    Index from = in.begin, length = in.size, period = in.period;
    from[axis] = begin;
    length[axis] = size;
    period[axis] /= 2;
    Part out(from, length, period);
    out.forEach(control_, [&](Index i, double& value) {
      const std::int64_t first = 2 * i[axis] - shift_;
      for (std::size_t k = 0; k < taps.size(); ++k) {
        i[axis] = first + static_cast<std::int64_t>(k);
        value += taps[k] * in.at(i);
      }
    });
    return out;
  }

  // Averages of `level` along axes below `axis`; along the others, the bands of level + 1 that `high` selects.
  Part combined(int level, std::size_t axis, std::array<bool, 3> high, const Index& begin, const Index& size) {
    if (axis == 3) {
      if (!high[0] && !high[1] && !high[2]) return synthesized(level + 1, begin, size);
      const Index half = pyramid_.extentAt(level + 1);
      Index corner{};
      for (std::size_t a = 0; a < 3; ++a) corner[a] = high[a] ? half[a] : 0;
      return loaded(corner, half, margin(), begin, size);
    }
    if (!pyramid_.axes[axis]) return combined(level, axis + 1, high, begin, size);
    // 2o + k - s = i with 0 <= k < taps.
    const auto floorHalf = [](std::int64_t i) { return (i - (i % 2 + 2) % 2) / 2; };
    const std::int64_t last = begin[axis] + size[axis] - 1;
    Index from = begin, length = size;
    from[axis] = floorHalf(begin[axis] + shift_ - taps_ + 2);
    length[axis] = floorHalf(last + shift_) - from[axis] + 1;
    Part low = combined(level, axis + 1, high, from, length);
    high[axis] = true;
    Part detail = combined(level, axis + 1, high, from, length);

    Index start = low.begin, extent = low.size, period = low.period;
    start[axis] = begin[axis];
    extent[axis] = size[axis];
    period[axis] *= 2;
    Part out(start, extent, period);
    out.forEach(control_, [&](Index i, double& value) {
      const std::int64_t target = i[axis] + shift_;
      for (std::int64_t k = (target % 2 + 2) % 2; k < taps_; k += 2) {
        i[axis] = (target - k) / 2;
        value += low_[static_cast<std::size_t>(k)] * low.at(i) + high_[static_cast<std::size_t>(k)] * detail.at(i);
      }
    });
    return out;
  }

  const Pyramid& pyramid_;
  bool free_;
  const ConstArrayView& input_;
  bool magnitude_;
  const Control& control_;
  std::vector<double> low_, high_;
  std::int64_t taps_, shift_;
};

void store(Part& part, const Index& corner, const Box& box, std::span<double> values, const Control& control) {
  part.forEach(control, [&](const Index& i, double value) {
    Index k{};
    for (std::size_t a = 0; a < 3; ++a) k[a] = i[a] + corner[a] - box.begin[a];
    for (std::size_t a = 0; a < 3; ++a)
      if (k[a] < 0 || k[a] >= box.size(static_cast<int>(a))) return;
    values[static_cast<std::size_t>((k[2] * box.size(1) + k[1]) * box.size(0) + k[0])] = value;
  });
}

}  // namespace

void dwtForwardReference(const Wavelet& wavelet, const Pyramid& pyramid, DataBoundary boundary,
                         const ConstArrayView& input, const Box& box, bool magnitude, std::span<double> values,
                         const Control& control) {
  Transform transform(wavelet, pyramid, boundary, input, magnitude, control);
  for (const PyramidBand& band : pyramid.bands()) {
    Index begin{}, size{};
    bool empty = false;
    for (std::size_t a = 0; a < 3; ++a) {
      begin[a] = std::max(box.begin[a], band.box.begin[a]) - band.box.begin[a];
      size[a] = std::min(box.end[a], band.box.end[a]) - band.box.begin[a] - begin[a];
      empty = empty || size[a] <= 0;
    }
    if (empty) continue;
    Part part = transform.analyzed(band.level, band.high, begin, size);
    store(part, band.box.begin, box, values, control);
  }
}

void dwtInverseReference(const Wavelet& wavelet, const Pyramid& pyramid, DataBoundary boundary,
                         const ConstArrayView& input, const Box& box, bool magnitude, std::span<double> values,
                         const Control& control) {
  Transform transform(wavelet, pyramid, boundary, input, magnitude, control);
  Part part = transform.synthesized(0, box.begin, {box.size(0), box.size(1), box.size(2)});
  store(part, {0, 0, 0}, box, values, control);
}

namespace {

std::int64_t wrapped(std::int64_t index, std::int64_t n) { return ((index % n) + n) % n; }

}  // namespace

void magicReference(std::span<const double> taps, const std::array<MagicAxis, 3>& axes, const ConstArrayView& input,
                    const Box& box, bool magnitude, std::span<double> values, const Control& control) {
  const std::int64_t reach = std::ssize(taps) - 1;
  const auto halo = [&](std::size_t axis) { return axes[axis].filtered ? reach : 0; };
  // Where an element of the part below lies; nothing: outside, where boundaries are free.
  const auto place = [&](std::size_t axis, std::int64_t i) -> std::optional<std::int64_t> {
    const std::int64_t at = box.begin[axis] + (axes[axis].filtered ? axes[axis].first : 0) + i;
    if (!axes[axis].free) return wrapped(at, input.extent[axis]);
    return at >= 0 && at < input.extent[axis] ? std::optional(at) : std::nullopt;
  };
  std::array<std::int64_t, 3> n{};
  for (std::size_t a = 0; a < 3; ++a) n[a] = box.size(static_cast<int>(a)) + halo(a);
  const auto index = [](const std::array<std::int64_t, 3>& extent, std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>((z * extent[1] + y) * extent[0] + x);
  };
  // The box and all that its sums reach.
  std::vector<double> in(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  const auto* data = input.as<double>();
  for (std::int64_t z = 0; z < n[2]; ++z)
    for (std::int64_t y = 0; y < n[1]; ++y)
      for (std::int64_t x = 0; x < n[0]; ++x) {
        const auto i = place(0, x), j = place(1, y), k = place(2, z);
        const double value = i && j && k ? data[input.offset(*i, *j, *k)] : 0;
        in[index(n, x, y, z)] = magnitude ? std::abs(value) : value;
      }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!axes[axis].filtered) continue;
    std::array<std::int64_t, 3> m = n;
    m[axis] -= reach;
    std::vector<double> out(static_cast<std::size_t>(m[0] * m[1] * m[2]));
    for (std::int64_t z = 0; z < m[2]; ++z) {
      control.check();
      for (std::int64_t y = 0; y < m[1]; ++y)
        for (std::int64_t x = 0; x < m[0]; ++x) {
          double sum = 0;
          for (std::int64_t k = 0; k <= reach; ++k) {
            const double w = taps[static_cast<std::size_t>(k)];
            sum += (magnitude ? std::abs(w) : w) *
                   in[index(n, x + (axis == 0 ? k : 0), y + (axis == 1 ? k : 0), z + (axis == 2 ? k : 0))];
          }
          out[index(m, x, y, z)] = sum;
        }
    }
    in = std::move(out);
    n = m;
  }
  for (std::size_t i = 0; i < in.size(); ++i) values[i] = in[i];
}

}  // namespace sscope
