#include "core/io/native/mrc.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/mrc_header.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace {

std::optional<Stored> storedOfMrc(const MrcNumbers& header) {
  switch (header.whole(kMrcMode)) {
    // IMOD's bytes have no sign unless its flags say so.
    case 0:
      return header.whole(kMrcImod) == kMrcImodStamp && (header.whole(kMrcImodFlags) & 1) == 0 ? Stored::u8
                                                                                               : Stored::i8;
    case 1: return Stored::i16;
    case 2: return Stored::f32;
    case 6: return Stored::u16;
    case 12: return Stored::f16;
    default: return std::nullopt;
  }
}

// The axis of space along which columns, rows and sections lie.
std::array<std::size_t, 3> mrcAxesOf(const MrcNumbers& header) {
  const auto axes = header.wholes(kMrcAxes);
  std::array<std::size_t, 3> result{0, 1, 2};
  if (axes[0] + axes[1] + axes[2] != 6 || axes[0] * axes[1] * axes[2] != 6) return result;
  for (std::size_t a = 0; a < 3; ++a) result[a] = static_cast<std::size_t>(axes[a] - 1);
  return result;
}

void placeMrc(const MrcNumbers& header, bool pictures, VolumeInfo& info) {
  constexpr std::array<std::int64_t, 3> kUnset{};
  auto named = header.wholes(kMrcAxes);
  const bool unset = named == kUnset;
  std::sort(named.begin(), named.end());
  if (!unset && named != std::array<std::int64_t, 3>{1, 2, 3})
    info.notices.emplace_back("its header gives one axis twice, or one that is none; they are taken as x, y and z");
  const auto axes = mrcAxesOf(header);
  const auto cell = header.reals(kMrcCell);
  const auto samples = header.wholes(kMrcSamples), start = header.wholes(kMrcStart);
  const auto origin = header.reals(kMrcOrigin);
  Geometry& g = info.geometry;
  g.unit = "angstrom";
  std::array<AxisStep, 3> steps;
  g.direction.fill(0);
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t axis = axes[a];
    const double step = samples[axis] > 0 ? cell[axis] / static_cast<double>(samples[axis]) : 0;
    const bool given = std::isfinite(step) && step > 0 && !(pictures && a == 2);
    steps[a] = {given ? step : 1, "angstrom", given ? StepSource::Given : StepSource::Assumed};
    g.direction[3 * axis + a] = 1;
    g.origin[axis] = given ? static_cast<double>(start[a]) * step : 0;
  }
  if (origin != std::array<double, 3>{}) g.origin = origin;
  const bool none = steps[0].source == StepSource::Assumed && steps[1].source == StepSource::Assumed;
  if (none) {
    for (AxisStep& step : steps) step.unit.clear();
    g.origin = {};
  }
  setSteps(g, steps);
  for (const double angle : header.reals(kMrcAngles))
    if (angle != 0 && std::abs(angle - 90) > 0.01) {
      info.notices.emplace_back("the axes of its cell are not at right angles; they are taken as if they were");
      break;
    }
}

std::int32_t modeOf(ElementType type) {
  switch (type) {
    case ElementType::i8: return 0;
    case ElementType::i16: return 1;
    case ElementType::u16: return 6;
    default: return 2;
  }
}

}  // namespace

LocatedVolume locateMrc(const InputFile& file) {
  const std::string& path = file.path();
  if (file.head().size() < kMrcHeader) throw damaged(path, "it is cut off: its header is not all there");
  const auto header = mrcNumbersOf(file.head());
  if (!header) throw damaged(path, "its header is invalid");
  const auto stored = storedOfMrc(*header);
  if (!stored)
    throw cannotRead(ErrorKind::Unsupported, path,
                     "its voxels are of mode " + std::to_string(header->whole(kMrcMode)) + ", which is not supported",
                     "save it with mode 0, 1, 2, 6 or 12");
  LocatedVolume located;
  VolumeInfo& info = located.info;
  const auto extent = header->wholes(kMrcExtent);
  // Several volumes, one after the other.
  const std::int64_t each = header->whole(kMrcSamples + 8), group = header->whole(kMrcGroup);
  const bool several = group == kMrcVolumes && each > 0 && extent[2] > each && extent[2] % each == 0;
  const std::int64_t frames = several ? extent[2] / each : 1;
  if (frames > 1 << 24) throw damaged(path, "it claims too many volumes");
  info.shape = {extent[0], extent[1], extent[2] / frames, static_cast<int>(frames)};
  takeStored(located, *stored, 1);
  info.metadata.frames = static_cast<int>(frames);
  info.format = "MRC";
  info.metadata.inSpace = false;
  placeMrc(*header, group == 0 && each == 1 && extent[2] > 1, info);
  if (frames > 1) info.notices.push_back(heldAsComponents("the " + std::to_string(frames) + " volumes of the file"));
  repairGeometry(info);
  requireMemory(path, claimedBytes(info), 0);
  located.voxels.file = path;
  located.voxels.offset = static_cast<std::int64_t>(kMrcHeader) + header->whole(kMrcMore);
  located.voxels.swapped = header->swapped();
  return located;
}

std::vector<std::byte> formatMrcHeader(const VolumeOutline& volume) {
  std::vector<std::byte> header(kMrcHeader);
  const auto put = [&]<class T>(std::size_t at, T value) { std::memcpy(header.data() + at, &value, sizeof value); };
  const auto whole = [&](std::size_t at, std::int64_t value) { put(at, static_cast<std::int32_t>(value)); };
  const auto real = [&](std::size_t at, double value) { put(at, static_cast<float>(value)); };
  const Geometry g = inUnit(volume.geometry, "angstrom");
  const bool lengths = millimetersIn(g.unit).has_value();
  const std::array<std::int64_t, 3> extent = {volume.shape.nx, volume.shape.ny, volume.shape.nz};
  for (std::size_t a = 0; a < 3; ++a) {
    whole(4 * a, extent[a]);
    whole(28 + 4 * a, extent[a]);
    // 0: the step is not known.
    const bool known = lengths && g.steps[a] != StepSource::Assumed;
    real(40 + 4 * a, known ? static_cast<double>(extent[a]) * g.spacing[a] : 0);
    real(52 + 4 * a, 90);
    whole(64 + 4 * a, static_cast<std::int64_t>(a) + 1);
    if (lengths) real(196 + 4 * a, g.origin[a]);
  }
  whole(12, modeOf(volume.type));
  // A maximum below the minimum and a mean below both: unknown.
  real(80, -1);
  real(84, -2);
  whole(88, volume.shape.nz > 1 ? 1 : 0);  // a volume
  whole(108, 20141);                       // the version of the format
  std::memcpy(header.data() + 208, "MAP ", 4);
  constexpr bool kBig = std::endian::native == std::endian::big;
  std::memcpy(header.data() + 212, kBig ? "\x11\x11\0\0" : "\x44\x44\0\0", 4);
  real(216, -1);
  whole(220, 1);
  std::memset(header.data() + 224, ' ', 800);
  std::memcpy(header.data() + 224, "Stencilscope", 12);
  return header;
}

}  // namespace sscope::io
