#include "ui/panels/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sscope {

QImage thumbnail(const Volume& volume, int longest) {
  const VolumeShape& shape = volume.shape();
  const auto edge = static_cast<double>(std::max(shape.nx, shape.ny));
  const double step = longest > 0 ? edge / longest : 1;
  const auto pixels = [step](std::int64_t extent) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(extent) / step - 1e-9)));
  };
  QImage image(pixels(shape.nx), pixels(shape.ny), QImage::Format_Grayscale8);
  const auto at = [step](int pixel) { return static_cast<std::int64_t>((pixel + 0.5) * step); };
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const double value = volume.value(std::min(at(x), shape.nx - 1), std::min(at(y), shape.ny - 1), shape.nz / 2);
      values.push_back(std::isfinite(value) ? value : 0.0);
    }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double scale = *high > *low ? 255 / (*high - *low) : 0;
  for (int y = 0; y < image.height(); ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < image.width(); ++x)
      line[x] = static_cast<uchar>((values[static_cast<std::size_t>(y * image.width() + x)] - *low) * scale);
  }
  return image;
}

}  // namespace sscope
