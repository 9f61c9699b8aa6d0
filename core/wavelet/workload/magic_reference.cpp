#include "core/wavelet/workload/magic_reference.h"

#include <cmath>
#include <optional>
#include <vector>

namespace sscope {

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
