#include "ui/views/bricks.h"

#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <span>

namespace sscope {

namespace {

// Calls `take` with the slices of each layer of blocks.
void forEachLayer(ResidentArray& array, const BrickBlocks& blocks, const Control& control,
                  const std::function<void(Volume&)>& take) {
  const ArraySpec& spec = array.spec();
  for (std::int64_t layer = 0; layer < blocks.count[2]; ++layer) {
    control.check();
    Box box = wholeBox(spec);
    box.begin[2] = layer * blocks.edge[2];
    box.end[2] = std::min(spec.extent[2], box.begin[2] + blocks.edge[2]);
    Volume slices({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type);
    const BoxCopy copy{box, slices.view()};
    array.read({&copy, 1}, control);
    take(slices);
  }
}

double largestMagnitude(ResidentArray& array, const BrickBlocks& blocks, const Control& control) {
  double most = 0;
  forEachLayer(array, blocks, control, [&most](Volume& slices) {
    for (const double value : slices.elements<double>())
      if (std::isfinite(value)) most = std::max(most, std::abs(value));
  });
  return most;
}

// The range divided and multiplied by 255 must be finite and nonzero, too.
bool suitsFloats(double magnitude) {
  constexpr double kMost = 1e30, kLeast = 1e-30;
  return magnitude <= kMost && magnitude >= kLeast;
}

// Values that are not finite count as infinite.
double largestMagnitude(std::span<const float> means) {
  float most = 0;
  for (const float mean : means)
    most = std::max(most, std::isfinite(mean) ? std::abs(mean) : std::numeric_limits<float>::infinity());
  return static_cast<double>(most);
}

}  // namespace

double displayScale(double largestMagnitude) {
  if (suitsFloats(largestMagnitude) || !(largestMagnitude > 0)) return 1;
  int exponent = 0;
  std::frexp(largestMagnitude, &exponent);
  // The power of two and its reciprocal are both finite.
  constexpr int kMostExponent = 1022;
  return std::ldexp(1.0, std::clamp(-exponent, -kMostExponent, kMostExponent));
}

DisplayMeans displayMeans(ResidentArray& array, const BrickBlocks& blocks, const Control& control) {
  DisplayMeans made{array.means(blocks, control)};
  if (array.spec().type != ElementType::f64 || suitsFloats(largestMagnitude(made.means))) return made;
  made.scale = displayScale(largestMagnitude(array, blocks, control));
  if (made.scale == 1) return made;
  made.means.clear();
  BrickBlocks layer = blocks;
  layer.count[2] = 1;
  forEachLayer(array, blocks, control, [&](Volume& slices) {
    for (double& value : slices.elements<double>()) value *= made.scale;
    const std::vector<float> means = blockMeans(slices, layer, control);
    made.means.insert(made.means.end(), means.begin(), means.end());
  });
  return made;
}

namespace {

// The origin holds the position, since the ray caster needs images that begin at voxel 0.
template <class T>
vtkSmartPointer<vtkImageData> imageOf(const VolumeBrick& brick, const T* values, const BrickPart& part, int type) {
  std::array<int, 3> size{};
  std::array<double, 3> origin{};
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = static_cast<int>(part.end[a] - part.begin[a]);
    origin[a] = brick.origin[a] + static_cast<double>(part.begin[a]) * brick.spacing[a];
  }
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(size.data());
  image->SetSpacing(brick.spacing.data());
  image->SetOrigin(origin.data());
  image->AllocateScalars(type, 1);
  auto* to = static_cast<T*>(image->GetScalarPointer());
  const auto row = static_cast<std::size_t>(size[0]);
  for (std::int64_t z = part.begin[2]; z < part.end[2]; ++z)
    for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y, to += row)
      std::memcpy(to, values + (z * brick.size[1] + y) * brick.size[0] + part.begin[0], row * sizeof(T));
  return image;
}

}  // namespace

BrickPart partOf(const VolumeBrick& brick, const std::array<double, 6>& shares) {
  BrickPart part;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto size = static_cast<double>(brick.size[a]);
    const std::int64_t least = std::min<std::int64_t>(2, brick.size[a]);
    const auto begin = static_cast<std::int64_t>(std::lround(std::clamp(shares[2 * a], 0.0, 1.0) * size));
    const auto end = static_cast<std::int64_t>(std::lround(std::clamp(shares[2 * a + 1], 0.0, 1.0) * size));
    part.begin[a] = std::clamp<std::int64_t>(begin, 0, brick.size[a] - least);
    part.end[a] = std::clamp(end, part.begin[a] + least, brick.size[a]);
  }
  return part;
}

vtkSmartPointer<vtkImageData> imageOfBytes(const VolumeBrick& brick, const std::vector<std::uint8_t>& bytes,
                                           const BrickPart& part) {
  return imageOf(brick, bytes.data(), part, VTK_UNSIGNED_CHAR);
}

std::optional<std::size_t> axisWithoutSurface(const BrickPart& part) {
  for (std::size_t a = 0; a < 3; ++a)
    if (part.end[a] - part.begin[a] < 2) return a;
  return {};
}

IsoSurface isoSurface(const VolumeBrick& brick, const std::vector<float>& means, const BrickPart& part,
                      const std::vector<double>& levels) {
  IsoSurface surface;
  if (axisWithoutSurface(part)) {
    surface.mesh = vtkSmartPointer<vtkPolyData>::New();
    return surface;
  }
  const auto image = imageOf(brick, means.data(), part, VTK_FLOAT);
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(image);
  for (std::size_t i = 0; i < levels.size(); ++i) edges->SetValue(static_cast<int>(i), levels[i]);
  edges->ComputeNormalsOn();
  edges->ComputeScalarsOn();
  edges->Update();
  surface.mesh = edges->GetOutput();
  surface.triangles = surface.mesh->GetNumberOfPolys();
  return surface;
}

namespace {

constexpr std::uint8_t kOutside = 0, kInside = 255;

struct Blocks {
  std::array<std::int64_t, 3> size;
  [[nodiscard]] std::size_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((z * size[1] + y) * size[0] + x);
  }
  // Calls `visit` for each block that shares a face with this one.
  template <class Visit>
  void neighbors(std::size_t block, const Visit& visit) const {
    const auto index = static_cast<std::int64_t>(block);
    const std::array at{index % size[0], index / size[0] % size[1], index / (size[0] * size[1])};
    std::int64_t stride = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      if (at[a] > 0) visit(static_cast<std::size_t>(index - stride));
      if (at[a] + 1 < size[a]) visit(static_cast<std::size_t>(index + stride));
      stride *= size[a];
    }
  }
  [[nodiscard]] bool atBorder(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto ends = [](std::int64_t i, std::int64_t n) { return n > 1 && (i == 0 || i == n - 1); };
    return ends(x, size[0]) || ends(y, size[1]) || ends(z, size[2]);
  }
};

}  // namespace

std::vector<std::uint8_t> objectMask(const VolumeBrick& brick, double level) {
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> mask(brick.values.size(), kInside);
  std::vector<std::size_t> front;
  const auto reach = [&](std::size_t block) {
    if (mask[block] == kOutside || static_cast<double>(brick.values[block]) > level) return;
    mask[block] = kOutside;
    front.push_back(block);
  };
  for (std::int64_t z = 0; z < brick.size[2]; ++z)
    for (std::int64_t y = 0; y < brick.size[1]; ++y)
      for (std::int64_t x = 0; x < brick.size[0]; ++x)
        if (blocks.atBorder(x, y, z)) reach(blocks.at(x, y, z));
  std::vector<std::size_t> outside;
  while (!front.empty()) {
    const std::size_t block = front.back();
    front.pop_back();
    outside.push_back(block);
    blocks.neighbors(block, reach);
  }
  for (const std::size_t block : outside) blocks.neighbors(block, [&](std::size_t beside) { mask[beside] = kOutside; });
  if (std::ranges::find(mask, kInside) == mask.end()) std::ranges::fill(mask, kInside);
  return mask;
}

std::vector<std::uint8_t> levelsInside(const VolumeBrick& brick, const std::vector<std::uint8_t>& mask,
                                       const BrickPart& part) {
  constexpr std::uint8_t kNothing = 255;
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> levels(brick.values.size(), kNothing);
  for (std::size_t block = 0; block < levels.size(); ++block) {
    if (mask[block] == kOutside) continue;
    levels[block] = std::min(brick.values[block], kMostInside);
  }
  for (std::size_t block = 0; block < levels.size(); ++block)
    if (mask[block] == kOutside)
      blocks.neighbors(block, [&](std::size_t beside) {
        if (mask[beside] == kOutside) return;
        const std::uint8_t level = std::min(brick.values[beside], kMostInside);
        levels[block] = levels[block] == kNothing ? level : std::max(levels[block], level);
      });
  // The ray caster uses the largest level in the part for a ray that meets nothing.
  std::size_t outside = levels.size();
  for (std::int64_t z = part.begin[2]; z < part.end[2]; ++z)
    for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y)
      for (std::int64_t x = part.begin[0]; x < part.end[0]; ++x) {
        const std::size_t block = blocks.at(x, y, z);
        if (levels[block] == kNothing) return levels;
        if (mask[block] == kOutside) outside = block;
      }
  if (outside < levels.size()) levels[outside] = kNothing;
  return levels;
}

std::vector<std::uint8_t> levelsOverRange(const VolumeBrick& brick, const BrickPart& part) {
  const Blocks blocks{brick.size};
  std::vector<std::uint8_t> levels = brick.values;
  levels[blocks.at(part.begin[0], part.begin[1], part.begin[2])] = 0;
  levels[blocks.at(part.end[0] - 1, part.end[1] - 1, part.end[2] - 1)] = 255;
  return levels;
}

double longestBrightPath(const VolumeBrick& brick, const BrickPart& part, double level) {
  const Blocks blocks{brick.size};
  const double range = std::max(255 - level, 1.0);
  double longest = 0;
  for (std::size_t along = 0; along < 3; ++along) {
    const std::size_t u = (along + 1) % 3, v = (along + 2) % 3;
    std::vector<double> paths;
    std::array<std::int64_t, 3> at{};
    for (at[v] = part.begin[v]; at[v] < part.end[v]; ++at[v])
      for (at[u] = part.begin[u]; at[u] < part.end[u]; ++at[u]) {
        double sum = 0;
        for (at[along] = part.begin[along]; at[along] < part.end[along]; ++at[along])
          sum += std::max(0.0, static_cast<double>(brick.values[blocks.at(at[0], at[1], at[2])]) - level);
        paths.push_back(sum / range * brick.spacing[along]);
      }
    if (paths.empty()) continue;
    constexpr double kNearly = 0.995;
    const auto place = static_cast<std::ptrdiff_t>(kNearly * static_cast<double>(paths.size() - 1));
    std::ranges::nth_element(paths, paths.begin() + place);
    // Few paths meet a small object, which the quantile would miss.
    const double most = *std::ranges::max_element(paths.begin() + place, paths.end());
    longest = std::max(longest, std::max(paths[static_cast<std::size_t>(place)], most / 2));
  }
  return longest;
}

}  // namespace sscope
