#include "ui/panels/thumbnail.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sscope {

QImage thumbnail(const Volume& volume) {
  const VolumeShape& shape = volume.shape();
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(shape.nx * shape.ny));
  for (std::int64_t y = 0; y < shape.ny; ++y)
    for (std::int64_t x = 0; x < shape.nx; ++x) {
      const double value = volume.value(x, y, shape.nz / 2);
      values.push_back(std::isfinite(value) ? value : 0.0);
    }
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double scale = *high > *low ? 255 / (*high - *low) : 0;
  QImage image(static_cast<int>(shape.nx), static_cast<int>(shape.ny), QImage::Format_Grayscale8);
  for (int y = 0; y < image.height(); ++y) {
    uchar* line = image.scanLine(y);
    for (int x = 0; x < image.width(); ++x)
      line[x] = static_cast<uchar>((values[static_cast<std::size_t>(y * image.width() + x)] - *low) * scale);
  }
  return image;
}

}  // namespace sscope
