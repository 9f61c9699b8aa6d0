#include "core/job/decades.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sscope {

std::shared_ptr<const Volume> logarithmOf(const Volume& volume) {
  double least = std::numeric_limits<double>::infinity();
  dispatch(volume.type(), [&](auto tag) {
    for (const auto element : volume.elements<decltype(tag)>())
      if (const auto value = static_cast<double>(element); value > 0) least = std::min(least, value);
  });
  if (std::isinf(least)) return nullptr;
  const double floor = std::log10(least) - 1;
  auto out = std::make_shared<Volume>(volume.shape(), ElementType::f32, volume.geometry());
  dispatch(volume.type(), [&](auto tag) {
    const auto from = volume.elements<decltype(tag)>();
    const auto to = out->template elements<float>();
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto value = static_cast<double>(from[i]);
      to[i] = static_cast<float>(value <= 0 ? floor : std::log10(value));
    }
  });
  return out;
}

std::array<double, 2> rangeOf(const Volume& volume, int component) {
  std::array<double, 2> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  const auto step = component < 0 ? std::size_t{1} : static_cast<std::size_t>(volume.shape().components);
  dispatch(volume.type(), [&](auto tag) {
    const auto elements = volume.elements<decltype(tag)>();
    for (auto i = static_cast<std::size_t>(std::max(component, 0)); i < elements.size(); i += step) {
      const auto value = static_cast<double>(elements[i]);
      if (!std::isfinite(value)) continue;
      range[0] = std::min(range[0], value);
      range[1] = std::max(range[1], value);
    }
  });
  return range[0] <= range[1] ? range : std::array<double, 2>{0, 0};
}

}  // namespace sscope
