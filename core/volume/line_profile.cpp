#include "core/volume/line_profile.h"

#include <algorithm>
#include <cmath>

namespace sscope {

namespace {

// Two neighbors along an axis and the weight of the second.
struct Neighbors {
  std::int64_t first, second;
  double weight;
};

Neighbors neighbors(double index, std::int64_t extent, ProfileSampling sampling) {
  const double inside = std::clamp(index, 0.0, static_cast<double>(extent - 1));
  const auto below =
      static_cast<std::int64_t>(std::floor(sampling == ProfileSampling::Nearest ? inside + 0.5 : inside));
  if (sampling == ProfileSampling::Nearest) return {std::min(below, extent - 1), below, 0};
  return {below, std::min(below + 1, extent - 1), inside - static_cast<double>(below)};
}

// Skips a value without weight, because it may not be finite.
double between(double near, double far, double weight) { return weight == 0 ? near : near + weight * (far - near); }

}  // namespace

std::vector<SlicePoint> profilePoints(const ProfileLine& line) {
  constexpr double kMostSteps = 4096;
  const double u = line.to[0] - line.from[0], v = line.to[1] - line.from[1];
  const double steps = std::clamp(std::ceil(2 * std::max(std::abs(u), std::abs(v))), 1.0, kMostSteps);
  std::vector<SlicePoint> points;
  for (double step = 0; step <= steps; ++step)
    points.push_back({line.from[0] + u * step / steps, line.from[1] + v * step / steps});
  return points;
}

double profileDistance(const ProfileLine& line, const SlicePoint& point, const std::array<double, 3>& spacing) {
  const auto axes = axesOfSlice(line.axis);
  return std::hypot((point[0] - line.from[0]) * spacing[axes[0]], (point[1] - line.from[1]) * spacing[axes[1]]);
}

std::vector<double> profileValues(const Volume& volume, std::int64_t at, std::size_t axis,
                                  const std::vector<SlicePoint>& points, int component, ProfileSampling sampling) {
  const ConstArrayView view = volume.view();
  const auto axes = axesOfSlice(axis);
  const std::size_t a = axes[0], b = axes[1];
  const auto last = static_cast<int>(view.extent[3]) - 1;
  const int first = std::min(std::max(component, 0), last);
  const int count = component < 0 ? std::min(3, last + 1) : 1;
  std::vector<double> values;
  values.reserve(points.size());
  dispatch(volume.type(), [&](auto tag) {
    const auto* data = view.as<decltype(tag)>() + at * view.stride[axis];
    for (const SlicePoint& point : points) {
      const Neighbors u = neighbors(point[0], view.extent[a], sampling),
                      v = neighbors(point[1], view.extent[b], sampling);
      double sum = 0;
      for (int c = first; c < first + count; ++c) {
        const auto value = [&](std::int64_t i, std::int64_t j) {
          return static_cast<double>(data[i * view.stride[a] + j * view.stride[b] + c * view.stride[3]]);
        };
        const auto row = [&](std::int64_t j) { return between(value(u.first, j), value(u.second, j), u.weight); };
        sum += v.weight == 0 ? row(v.first) : between(row(v.first), row(v.second), v.weight);
      }
      values.push_back(sum / count);
    }
  });
  return values;
}

}  // namespace sscope
