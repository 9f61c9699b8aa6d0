#include "core/io/base/decoder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/io/base/file_error.h"
#include "core/volume/geometry.h"

namespace sscope::io {

double claimedBytes(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  return static_cast<double>(s.nx) * static_cast<double>(s.ny) * static_cast<double>(s.nz) *
         static_cast<double>(s.components) * static_cast<double>(bytesOf(info.type));
}

void requireMemory(const std::string& path, double bytes, double available) {
  const bool tooMuch = bytes >= 0x1p62 || (available > 0 && bytes > available);
  if (!tooMuch) return;
  if (std::isinf(bytes))
    throw cannotRead(ErrorKind::Memory, path, "it claims more voxels than can be counted",
                     "check that the file's dimensions are right");
  char exact[32];
  std::snprintf(exact, sizeof exact, "%.0f", bytes);
  throw cannotRead(ErrorKind::Memory, path,
                   "it needs " + std::string(exact) + " bytes (" + bytesText(bytes) + ") of memory" +
                       (available > 0 ? " and " + bytesText(available) + " are free" : ""),
                   "close other data, or check that the file's dimensions are right");
}

namespace {

void noteShear(VolumeInfo& info) {
  const auto& d = info.geometry.direction;
  double worst = 0;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = a + 1; b < 3; ++b)
      worst = std::max(worst, std::abs(d[a] * d[b] + d[3 + a] * d[3 + b] + d[6 + a] * d[6 + b]));
  constexpr double kNoticed = 2e-3;  // a tenth of a degree
  if (!(worst > kNoticed) || worst > 1) return;
  char degrees[32];
  std::snprintf(degrees, sizeof degrees, "%.3g", 90 - std::acos(worst) * 180 / std::numbers::pi);
  info.notices.push_back("the axes of the voxels are sheared, up to " + std::string(degrees) +
                         " degrees away from right angles; filters take them as a right-angled grid");
}

}  // namespace

void repairGeometry(VolumeInfo& info) {
  Geometry& g = info.geometry;
  bool spacing = false, origin = false;
  for (std::size_t a = 0; a < 3; ++a) {
    if (std::isfinite(g.spacing[a]) && g.spacing[a] < 0) {
      // The sign belongs to the direction.
      g.spacing[a] = -g.spacing[a];
      for (std::size_t row = 0; row < 3; ++row) g.direction[3 * row + a] = -g.direction[3 * row + a];
    }
    if (!std::isfinite(g.spacing[a]) || g.spacing[a] <= 0) {
      g.spacing[a] = 1;
      g.steps[a] = StepSource::Assumed;
      spacing = true;
    }
    if (!std::isfinite(g.origin[a])) {
      g.origin[a] = 0;
      origin = true;
    }
  }
  const auto& d = g.direction;
  const double determinant =
      d[0] * (d[4] * d[8] - d[5] * d[7]) - d[1] * (d[3] * d[8] - d[5] * d[6]) + d[2] * (d[3] * d[7] - d[4] * d[6]);
  if (!std::isfinite(determinant) || std::abs(determinant) < 1e-6) {
    g.direction = Geometry{}.direction;
    info.notices.emplace_back("the file's axis directions are invalid, and the identity replaces them");
  } else {
    noteShear(info);
  }
  const std::string assumed = assumedNotice(g, {info.shape.nx, info.shape.ny, info.shape.nz});
  if (!assumed.empty()) info.notices.push_back(assumed);
  if (spacing && assumed.empty())
    info.notices.emplace_back("the file has no usable spacing along some axis; 1 is used there");
  if (origin) info.notices.emplace_back("the file has no usable origin; 0 is used");
}

}  // namespace sscope::io
