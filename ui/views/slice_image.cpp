#include "ui/views/slice_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

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
  // Halves prevent an overflow of the difference. NaN maps to 0 here.
  const double last = colors.empty() ? 255 : static_cast<double>(colors.size() - 1);
  const double low = 0.5 * window[0], scale = last / std::max(0.5 * window[1] - low, 1e-300);
  const auto step = [&](double value) {
    const double level = (0.5 * value - low) * scale + 0.5;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(level >= last ? last : level > 0 ? level : 0.0));
  };
  const auto shade = [&](double value) { return colors.empty() ? step(value) : colors[step(value)] & 0xFFU; };
  const auto finite = [](double value) { return value - value == 0; };  // compilers vectorize this
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

namespace {

// Slices up to this many voxels along an edge are extracted whole, so that panning and zooming is free.
constexpr std::int64_t kWhole = 1024;
// Larger ones are cut at multiples of this, so that small pans need no new cut.
constexpr std::int64_t kGrid = 256;

// The voxels along one axis (from the left or bottom) that are on the screen.
std::pair<std::int64_t, std::int64_t> visibleRange(double center, double halfLength, double spacing,
                                                   std::int64_t extent) {
  if (extent <= kWhole) return {0, extent};
  const auto first = static_cast<std::int64_t>(std::floor((center - halfLength) / spacing)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil((center + halfLength) / spacing)) + 2;
  const std::int64_t begin = std::clamp<std::int64_t>(first / kGrid * kGrid, 0, extent - 1);
  const std::int64_t end = std::clamp<std::int64_t>((last + kGrid - 1) / kGrid * kGrid, begin + 1, extent);
  return {begin, end};
}

SliceRegion visibleRegion(const SlicePlane& plane, const SliceCamera& camera, double width, double height) {
  const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
  const double halfWidth = width / 2 * camera.unitsPerPixel, halfHeight = height / 2 * camera.unitsPerPixel;
  const auto [left, right] = visibleRange(camera.across, halfWidth, su, plane.extent[plane.across]);
  const auto [bottom, top] = visibleRange(camera.up, halfHeight, sv, plane.extent[plane.up]);
  SliceRegion region{left, bottom, right - left, top - bottom, 1};
  // The voxels per pixel that fit into one pixel of the screen along the coarser axis.
  const double voxelsPerPixel = camera.unitsPerPixel / std::max(su, sv);
  region.reduction = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(voxelsPerPixel + 0.25)));
  return region;
}

// The plane of block means, and where it begins in positions of the voxels' plane.
struct MeansPlane {
  SlicePlane plane;
  double across = 0, up = 0;
};

MeansPlane meansPlane(const SlicePlane& voxels, const std::array<std::int64_t, 3>& block) {
  MeansPlane means{voxels};
  for (std::size_t a = 0; a < 3; ++a) {
    means.plane.extent[a] = (voxels.extent[a] + block[a] - 1) / block[a];
    means.plane.spacing[a] *= static_cast<double>(block[a]);
  }
  // From the end of a flipped axis the last block comes first, of which voxels may be missing.
  const auto begin = [&](std::size_t a, bool flipped) {
    const double middle = static_cast<double>(block[a] - 1) / 2;
    const auto last = static_cast<double>((means.plane.extent[a] - 1) * block[a]);
    return voxels.spacing[a] * (flipped ? static_cast<double>(voxels.extent[a] - 1) - middle - last : middle);
  };
  means.across = begin(voxels.across, voxels.acrossFlipped);
  means.up = begin(voxels.up, voxels.upFlipped);
  return means;
}

}  // namespace

void SliceLayer::clear() {
  volume_.reset();
  image_ = {};
}

void SliceLayer::update(const SliceContent& content, const SlicePlane& voxels, const SliceCamera& over, double width,
                        double height) {
  if (!content.volume) {
    clear();
    return;
  }
  const MeansPlane means = meansPlane(voxels, content.block);
  const SlicePlane& plane = means.plane;
  SliceCamera camera = over;
  camera.across -= means.across;
  camera.up -= means.up;
  const SliceRegion region = visibleRegion(plane, camera, width, height);
  const bool same = content.volume == volume_.lock() && content.at == at_ && region == region_ &&
                    content.component == component_ && content.block == block_;
  if (same && window_ == content.window && colors_ == content.colors && !image_.isNull()) return;
  if (!same) {
    volume_ = content.volume;
    at_ = content.at;
    region_ = region;
    component_ = content.component;
    block_ = content.block;
    values_ = extractSlice(*content.volume, plane, at_, component_, region_);
    const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
    const auto reduction = static_cast<double>(region_.reduction);
    extent_ = QRectF((static_cast<double>(region_.left) - 0.5) * su, (static_cast<double>(region_.bottom) - 0.5) * sv,
                     static_cast<double>(values_.width) * reduction * su,
                     static_cast<double>(values_.height) * reduction * sv)
                  .translated(means.across, means.up);
  }
  window_ = content.window;
  // Color images have no map, only gamma and inversion.
  ColorUse colors = content.colors;
  if (values_.channels > 1) colors.map = ColorMap::Gray;
  if (colors == ColorUse()) {
    steps_.clear();
  } else if (!(used_ == colors) || steps_.empty()) {
    steps_ = colorSteps(colors);
    used_ = colors;
  }
  colors_ = content.colors;
  const QSize size(static_cast<int>(values_.width), static_cast<int>(values_.height));
  if (image_.size() != size) image_ = QImage(size, QImage::Format_RGB32);
  // 32-bit rows have no padding.
  mapToPixels(values_, window_, reinterpret_cast<std::uint32_t*>(image_.bits()), steps_);
}

namespace {

constexpr int kOne = 256;  // weights are multiples of 1/256
constexpr std::uint64_t kHalves = 0x0080008000800080U;

// A position between two pixels.
struct Between {
  int first = 0, second = 0;
  std::uint32_t weight = 0;  // of the second
};

// The positions of `count` pixels of the screen from `begin`.
std::vector<Between> placesOf(int begin, int count, double from, double length, int pixels) {
  std::vector<Between> places(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double at = std::clamp((begin + i + 0.5 - from) / length * pixels - 0.5, 0.0, pixels - 1.0);
    const int first = static_cast<int>(at);
    places[static_cast<std::size_t>(i)] = {first, std::min(first + 1, pixels - 1),
                                           static_cast<std::uint32_t>(std::lround((at - first) * kOne))};
  }
  return places;
}

// The first and the last but one of the pixels whose centers lie between two positions.
std::pair<int, int> centersBetween(double from, double to, int least, int most) {
  const double begin = std::clamp(std::ceil(from - 0.5), static_cast<double>(least), static_cast<double>(most));
  const double end = std::clamp(std::ceil(to - 0.5), begin, static_cast<double>(most));
  return {static_cast<int>(begin), static_cast<int>(end)};
}

// The four bytes of a pixel, 16 bits apart, so that one multiplication weights them all; and back.
std::uint64_t spread(std::uint32_t pixel) {
  return (pixel | static_cast<std::uint64_t>(pixel) << 24) & 0x00FF00FF00FF00FFU;
}
std::uint32_t joined(std::uint64_t spread) { return static_cast<std::uint32_t>(spread | spread >> 24); }

void widen(const std::uint32_t* row, const std::vector<Between>& columns, std::uint32_t* out) {
  for (const Between& column : columns) {
    const std::uint64_t sum =
        spread(row[column.first]) * (kOne - column.weight) + spread(row[column.second]) * column.weight;
    *out++ = joined((sum + kHalves) >> 8 & 0x00FF00FF00FF00FFU);
  }
}

void mix(const uchar* __restrict first, const uchar* __restrict second, std::uint32_t weight, std::size_t bytes,
         uchar* __restrict out) {
  const auto b = static_cast<std::uint16_t>(weight), a = static_cast<std::uint16_t>(kOne - weight);
  for (std::size_t i = 0; i < bytes; ++i)
    out[i] = static_cast<uchar>(static_cast<std::uint16_t>(first[i] * a + second[i] * b + kOne / 2) >> 8);
}

}  // namespace

void StretchedPicture::update(const QImage& picture, const QRectF& target, const QRect& visible) {
  if (picture.cacheKey() == picture_ && target == target_ && visible == visible_) return;
  picture_ = picture.cacheKey();
  target_ = target;
  visible_ = visible;
  const auto [left, right] =
      centersBetween(target.left(), target.right(), visible.left(), visible.left() + visible.width());
  const auto [top, bottom] =
      centersBetween(target.top(), target.bottom(), visible.top(), visible.top() + visible.height());
  const QSize size(right - left, bottom - top);
  corner_ = {left, top};
  if (picture.isNull() || size.isEmpty()) {
    image_ = {};
    return;
  }
  if (image_.size() != size) image_ = QImage(size, QImage::Format_RGB32);
  const auto columns = placesOf(left, size.width(), target.left(), target.width(), picture.width());
  const auto rows = placesOf(top, size.height(), target.top(), target.height(), picture.height());
  // Rows of the picture as wide as on the screen: of those that are mixed, one is in the even and one in the odd place.
  std::array<std::vector<std::uint32_t>, 2> wide;
  std::array<int, 2> held{-1, -1};
  const auto widened = [&](int row) -> const std::uint32_t* {
    const auto place = static_cast<std::size_t>(row & 1);
    if (std::exchange(held[place], row) != row) {
      wide[place].resize(columns.size());
      widen(reinterpret_cast<const std::uint32_t*>(picture.constScanLine(row)), columns, wide[place].data());
    }
    return wide[place].data();
  };
  for (int y = 0; y < size.height(); ++y) {
    const Between& place = rows[static_cast<std::size_t>(y)];
    mix(reinterpret_cast<const uchar*>(widened(place.first)), reinterpret_cast<const uchar*>(widened(place.second)),
        place.weight, columns.size() * 4, image_.scanLine(y));
  }
}

}  // namespace sscope
