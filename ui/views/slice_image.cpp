#include "ui/views/slice_image.h"

#include <algorithm>
#include <cmath>

namespace sscope {

namespace {

constexpr std::uint32_t kNotFinite = 0xFFCC0077, kOpaque = 0xFF000000;

// Offsets into the volume, in elements, of the voxels averaged into pixel column (or row) `pixel`.
struct Samples {
  std::array<std::int64_t, 3> offset{};
  std::size_t count = 1;
};

std::vector<Samples> samplesAlong(std::int64_t start, std::int64_t length, std::int64_t reduction, bool flipped,
                                  std::int64_t extent, std::int64_t stride) {
  const std::int64_t pixels = (length + reduction - 1) / reduction;
  std::vector<Samples> samples(static_cast<std::size_t>(pixels));
  for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
    const std::int64_t first = start + pixel * reduction;
    const std::int64_t block = std::min(reduction, start + length - first);
    Samples& s = samples[static_cast<std::size_t>(pixel)];
    s.count = static_cast<std::size_t>(std::min<std::int64_t>(block, 3));
    for (std::size_t k = 0; k < s.count; ++k) {
      // The middles of `count` equal parts of the block.
      const std::int64_t inBlock =
          (2 * static_cast<std::int64_t>(k) + 1) * block / (2 * static_cast<std::int64_t>(s.count));
      const std::int64_t index = first + inBlock;
      s.offset[k] = (flipped ? extent - 1 - index : index) * stride;
    }
  }
  return samples;
}

// Voxel by voxel: columns are then as far from each other as the first two.
template <class T>
void copyRow(const T* from, std::int64_t step, std::int64_t pixels, std::int64_t channels, double* to) {
  if (step == 1 && channels == 1) {
    for (std::int64_t i = 0; i < pixels; ++i) to[i] = static_cast<double>(from[i]);
    return;
  }
  for (std::int64_t i = 0; i < pixels; ++i)
    for (std::int64_t channel = 0; channel < channels; ++channel)
      to[i * channels + channel] = static_cast<double>(from[i * step + channel]);
}

template <class T>
void extract(const T* data, const std::vector<Samples>& columns, const std::vector<Samples>& rows, SliceImage& out) {
  double* target = out.values.data();
  const bool single = std::ranges::all_of(columns, [](const Samples& s) { return s.count == 1; }) &&
                      std::ranges::all_of(rows, [](const Samples& s) { return s.count == 1; });
  const std::int64_t step = columns.size() > 1 ? columns[1].offset[0] - columns[0].offset[0] : 0;
  for (const Samples& row : rows) {
    if (single) {
      copyRow(data + row.offset[0] + columns.front().offset[0], step, out.width, out.channels, target);
      target += out.width * out.channels;
      continue;
    }
    for (const Samples& column : columns)
      for (std::int64_t channel = 0; channel < out.channels; ++channel) {
        double sum = 0;
        for (std::size_t j = 0; j < row.count; ++j)
          for (std::size_t i = 0; i < column.count; ++i)
            sum += static_cast<double>(data[row.offset[j] + column.offset[i] + channel]);
        *target++ = sum / static_cast<double>(row.count * column.count);
      }
  }
}

}  // namespace

SliceImage extractSlice(const Volume& volume, const SlicePlane& plane, std::int64_t at, int component,
                        const SliceRegion& region) {
  const ConstArrayView view = volume.view();
  const auto columns = samplesAlong(region.left, region.width, region.reduction, plane.acrossFlipped,
                                    plane.extent[plane.across], view.stride[plane.across]);
  auto rows = samplesAlong(region.bottom, region.height, region.reduction, plane.upFlipped, plane.extent[plane.up],
                           view.stride[plane.up]);
  std::ranges::reverse(rows);  // from the bottom to from the top
  SliceImage out;
  out.width = static_cast<std::int64_t>(columns.size());
  out.height = static_cast<std::int64_t>(rows.size());
  const int components = volume.shape().components;
  out.channels = component < 0 && components >= 3 ? 3 : 1;
  out.values.resize(columns.size() * rows.size() * static_cast<std::size_t>(out.channels));
  const std::int64_t start = at * view.stride[plane.normal] + std::clamp(component, 0, components - 1);
  dispatch(volume.type(), [&](auto tag) { extract(view.as<decltype(tag)>() + start, columns, rows, out); });
  return out;
}

void mapToPixels(const SliceImage& slice, const std::array<double, 2>& window, std::uint32_t* pixels,
                 std::span<const std::uint32_t> colors) {
  // Halves, so that no difference of two numbers overflows. A shade that is no number would be 0.
  const double last = colors.empty() ? 255 : static_cast<double>(colors.size() - 1);
  const double low = 0.5 * window[0], scale = last / std::max(0.5 * window[1] - low, 1e-300);
  const auto step = [&](double value) {
    const double level = (0.5 * value - low) * scale + 0.5;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(level >= last ? last : level > 0 ? level : 0.0));
  };
  const auto shade = [&](double value) { return colors.empty() ? step(value) : colors[step(value)] & 0xFFU; };
  const auto finite = [](double value) { return value - value == 0; };  // what compilers turn into vectors
  const auto count = static_cast<std::size_t>(slice.width * slice.height);
  if (slice.channels == 1 && !colors.empty()) {
    for (std::size_t i = 0; i < count; ++i)
      pixels[i] = finite(slice.values[i]) ? colors[step(slice.values[i])] : kNotFinite;
    return;
  }
  if (slice.channels == 1) {
    const double* values = slice.values.data();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t gray = kOpaque | 0x010101U * step(values[i]);
      pixels[i] = finite(values[i]) ? gray : kNotFinite;
    }
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double red = slice.values[3 * i], green = slice.values[3 * i + 1], blue = slice.values[3 * i + 2];
    const bool all = finite(red) && finite(green) && finite(blue);
    pixels[i] = all ? kOpaque | shade(red) << 16 | shade(green) << 8 | shade(blue) : kNotFinite;
  }
}

}  // namespace sscope
