#include <bit>
#include <cstring>
#include <string_view>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/voxel_pieces.h"
#include "core/io/native/mrc.h"
#include "core/volume/geometry.h"

namespace sscope::io {

namespace {

std::int32_t modeOf(ElementType type) {
  switch (type) {
    case ElementType::i8: return 0;
    case ElementType::i16: return 1;
    case ElementType::u16: return 6;
    default: return 2;
  }
}

}  // namespace

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
    // 0 where nobody knows how long a step is.
    const bool known = lengths && g.steps[a] != StepSource::Assumed;
    real(40 + 4 * a, known ? static_cast<double>(extent[a]) * g.spacing[a] : 0);
    real(52 + 4 * a, 90);
    whole(64 + 4 * a, static_cast<std::int64_t>(a) + 1);
    if (lengths) real(196 + 4 * a, g.origin[a]);
  }
  whole(12, modeOf(volume.type));
  // A maximum below the minimum, and a mean below both: they are not known.
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

void writeMrc(const std::filesystem::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
              const WriteOptions& options, const Control& control) {
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        ChunkedWriter file(part, path);
        const auto header = formatMrcHeader(volume);
        file.write(std::span<const std::byte>(header), {});
        writeEach(volume, voxels, file, control);
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
