#include "core/filter/noise_estimate.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sscope {

namespace {

constexpr double kMedianOfNormal = 0.6744897501960817;  // of |x| in units of the standard deviation
constexpr std::int64_t kMostPlaces = 1 << 20;
constexpr std::int64_t kAtOnce = 1 << 14;  // values between two checks of the control

// An axis of the data for the differences.
struct Axis {
  std::int64_t stride = 0;
  bool used = false;
};

template <class T>
double secondDifferences(const T* at, const std::array<Axis, 3>& axes, std::size_t axis) {
  if (axis == 3) return static_cast<double>(*at);
  const auto along = [&](std::int64_t step) { return secondDifferences(at + step, axes, axis + 1); };
  if (!axes[axis].used) return along(0);
  return along(-axes[axis].stride) - 2 * along(0) + along(axes[axis].stride);
}

// Calls visit(index along each axis) for those of at most kMostPlaces evenly spread places whose index along `axis` is
// in begin..end-1; axes after it have extent 1.
template <class Visit>
void forSomePlaces(const std::array<std::int64_t, 4>& places, std::size_t axis, std::int64_t begin, std::int64_t end,
                   const Control& control, const Visit& visit) {
  const std::int64_t all = places[0] * places[1] * places[2] * places[3];
  const std::int64_t step = (all + kMostPlaces - 1) / kMostPlaces;
  std::int64_t inner = 1, visited = 0;
  for (std::size_t a = 0; a < axis; ++a) inner *= places[a];
  for (std::int64_t component = 0; component < places[3]; ++component) {
    const std::int64_t base = component * places[axis] * inner, last = base + end * inner;
    for (std::int64_t i = (base + begin * inner + step - 1) / step * step; i < last; i += step) {
      if (visited++ % kAtOnce == 0) control.check();
      std::array<std::int64_t, 4> index{};
      std::int64_t rest = i;
      for (std::size_t a = 0; a < 4; ++a) {
        index[a] = rest % places[a];
        rest /= places[a];
      }
      visit(index);
    }
  }
}

}  // namespace

ScaleSum::ScaleSum(const ArraySpec& whole)
    : whole_(whole),
      axis_(slowestAxis(whole.extent)),
      low_(std::numeric_limits<double>::infinity()),
      high_(-std::numeric_limits<double>::infinity()) {
  for (std::size_t a = 0; a < 3; ++a) used_[a] = whole.extent[a] >= 3;
}

void ScaleSum::add(const ConstArrayView& part, std::int64_t first, std::int64_t begin, std::int64_t end,
                   const Control& control) {
  std::array<Axis, 3> axes;
  std::array<std::int64_t, 4> places = whole_.extent;
  for (std::size_t a = 0; a < 3; ++a) {
    axes[a] = {part.stride[a], used_[a]};
    if (used_[a]) places[a] -= 2;
  }
  const bool differences = used_[0] || used_[1] || used_[2];
  dispatch(part.type, [&](auto tag) {
    const auto* const values = part.as<decltype(tag)>();
    const auto at = [&](const std::array<std::int64_t, 4>& index, std::int64_t in) {
      std::int64_t offset = index[3] * part.stride[3];
      for (std::size_t a = 0; a < 3; ++a)
        offset += (index[a] + (used_[a] ? in : 0) - (a == axis_ ? first : 0)) * part.stride[a];
      return values + offset;
    };
    forSomePlaces(whole_.extent, axis_, begin, end, control, [&](const auto& index) {
      const auto value = static_cast<double>(*at(index, 0));
      if (!std::isfinite(value)) return;
      low_ = std::min(low_, value);
      high_ = std::max(high_, value);
    });
    if (!differences) return;
    // If the axis is used, a plane is the middle of three.
    const std::int64_t before = used_[axis_] ? 1 : 0;
    forSomePlaces(places, axis_, std::max<std::int64_t>(0, begin - before), std::min(places[axis_], end - before),
                  control, [&](const auto& index) {
                    const double difference = std::abs(secondDifferences(at(index, 1), axes, 0));
                    if (!std::isfinite(difference)) return;
                    ++finite_;
                    if (difference > 0) differences_.push_back(difference);
                  });
  });
}

void ScaleSum::add(VolumeSource& source, std::int64_t begin, std::int64_t end, const Control& control) {
  constexpr std::int64_t kBytesAtOnce = std::int64_t{4} << 20;
  const std::int64_t planes = whole_.extent[axis_], plane = whole_.bytes() / planes;
  const std::int64_t atOnce = std::clamp<std::int64_t>(kBytesAtOnce / plane, 1, planes);
  const std::int64_t stop = std::min(planes, end + 1);  // the end of the planes to read, neighbors included
  std::vector<std::byte> voxels(static_cast<std::size_t>((std::min(atOnce, planes) + 2) * plane));
  std::int64_t held = std::max<std::int64_t>(0, begin - 1), until = held;  // planes in memory
  for (std::int64_t done = begin; done < end;) {
    control.report(static_cast<double>(done - begin) / static_cast<double>(end - begin), "examining the values");
    const std::int64_t next = std::min(stop, until + atOnce);
    const auto place = static_cast<std::size_t>((until - held) * plane);
    source.read(until, next, std::span(voxels).subspan(place, static_cast<std::size_t>((next - until) * plane)),
                {control.stop, {}});
    until = next;
    const std::int64_t seen = std::min(end, until == planes ? planes : until - 1);
    if (seen <= done) continue;
    ConstArrayView view;
    view.data = voxels.data();
    view.type = whole_.type;
    view.extent = whole_.extent;
    view.extent[axis_] = until - held;
    view.stride = {whole_.extent[3], whole_.extent[3] * whole_.extent[0],
                   whole_.extent[3] * whole_.extent[0] * whole_.extent[1], 1};
    add(view, held, done, seen, control);
    done = seen;
    // The last two planes are the neighbors of the next ones.
    const std::int64_t keep = std::max(held, until - 2);
    std::memmove(voxels.data(), voxels.data() + (keep - held) * plane,
                 static_cast<std::size_t>((until - keep) * plane));
    held = keep;
  }
}

std::vector<double> ScaleSum::seen() const {
  std::vector<double> numbers{low_, high_, static_cast<double>(finite_), static_cast<double>(differences_.size())};
  numbers.insert(numbers.end(), differences_.begin(), differences_.end());
  return numbers;
}

void ScaleSum::add(const std::vector<double>& seen) {
  constexpr std::size_t kBefore = 4;
  for (std::size_t at = 0; at + kBefore <= seen.size();) {
    low_ = std::min(low_, seen[at]);
    high_ = std::max(high_, seen[at + 1]);
    finite_ += static_cast<std::int64_t>(seen[at + 2]);
    const auto from = seen.begin() + static_cast<std::ptrdiff_t>(at + kBefore);
    const auto count = static_cast<std::ptrdiff_t>(seen[at + 3]);
    differences_.insert(differences_.end(), from, from + count);
    at += kBefore + static_cast<std::size_t>(count);
  }
}

DataScale ScaleSum::scale() {
  if (!(high_ >= low_)) return {};
  DataScale scale{0, high_ - low_, low_};
  // Constant data have no noise; if few places vary, they are edges.
  constexpr std::int64_t kFewest = 10;  // at least one of this number of places varies
  if (differences_.empty() || std::ssize(differences_) * kFewest < finite_) return scale;
  const auto middle = differences_.begin() + std::ssize(differences_) / 2;
  std::nth_element(differences_.begin(), middle, differences_.end());
  double gain = 1;
  for (const bool used : used_) gain *= used ? std::sqrt(6.0) : 1;
  scale.noise = *middle / (kMedianOfNormal * gain);
  return scale;
}

DataScale estimatedScale(const ConstArrayView& data, const Control& control) {
  ScaleSum sum({data.type, data.extent});
  sum.add(data, 0, 0, data.extent[slowestAxis(data.extent)], control);
  return sum.scale();
}

double estimatedNoise(const ConstArrayView& data, const Control& control) {
  return estimatedScale(data, control).noise;
}

DataScale estimatedScale(VolumeSource& source, const Control& control) {
  const VolumeShape& shape = source.info().shape;
  ScaleSum sum({source.info().type, {shape.nx, shape.ny, shape.nz, shape.components}});
  sum.add(source, 0, shape.nz > 1 ? shape.nz : shape.ny > 1 ? shape.ny : shape.nx, control);
  return sum.scale();
}

}  // namespace sscope
