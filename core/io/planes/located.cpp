#include "core/io/planes/located.h"

#include <algorithm>
#include <array>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/voxel_bytes.h"
#include "core/volume/array_view.h"

namespace sscope::io {

std::int64_t planesOf(const VolumeShape& shape) {
  const std::array<std::int64_t, 4> extent = {shape.nx, shape.ny, shape.nz, shape.components};
  return extent[slowestAxis(extent)];
}

LocatedVolume decodedVolume(const std::string& file, VolumeInfo info, Stored stored, DecodePlanes decode) {
  LocatedVolume located;
  located.info = std::move(info);
  located.decode = std::move(decode);
  StoredVoxels& voxels = located.voxels;
  voxels.file = file;
  voxels.packing = Packing::Planes;
  voxels.type = stored;
  voxels.layout = framesOf(located.info.shape, located.info.shape.components);
  voxels.chosen = allOf(located.info.shape);
  voxels.runBytes = voxels.bytes() / planesOf(located.info.shape);
  return located;
}

void takeStored(LocatedVolume& located, Stored type, std::int64_t componentsOfFrame) {
  located.info.type = sameElementType(type).value_or(type == Stored::f16 ? ElementType::f32 : ElementType::f64);
  located.voxels.type = type;
  located.voxels.layout = framesOf(located.info.shape, componentsOfFrame);
  located.voxels.chosen = allOf(located.info.shape);
}

void settleType(LocatedVolume& located, const std::string& shown, const Control& control) {
  const StoredVoxels& voxels = located.voxels;
  if (!isWide(voxels.type) || !voxels.scale.trivial()) return;
  WideRange range;
  std::vector<std::byte> piece;
  const auto take = [&] {
    if (voxels.swapped) swapBytes(piece, bytesOf(voxels.type));
    range.add(voxels.type, piece);
  };
  if (located.decode && !located.make) {
    constexpr std::int64_t kAtOnce = std::int64_t{16} << 20;
    const std::int64_t plane = voxels.runBytes, all = voxels.bytes() / plane;
    const std::int64_t step = std::max<std::int64_t>(1, kAtOnce / plane / located.together) * located.together;
    for (std::int64_t begin = 0; begin < all; begin += step) {
      const std::int64_t end = std::min(all, begin + step);
      piece.resize(static_cast<std::size_t>((end - begin) * plane));
      located.decode(begin, end, piece, control);
      take();
      control.report(static_cast<double>(end) / static_cast<double>(all), "reading");
    }
  } else {
    constexpr std::int64_t kPiece = std::int64_t{1} << 20;
    const std::unique_ptr<VoxelBytes> bytes = openBytes(located, shown, control);
    for (std::int64_t done = 0; done < voxels.bytes(); done += kPiece) {
      control.check();
      piece.resize(static_cast<std::size_t>(std::min(kPiece, voxels.bytes() - done)));
      bytes->read(done, piece, control);
      take();
      control.report(static_cast<double>(done) / static_cast<double>(voxels.bytes()), "reading");
    }
  }
  located.info.type = range.narrowest();
  located.info.notices.push_back("64-bit integers were converted to " + std::string(toString(located.info.type)) +
                                 (located.info.type == ElementType::f64 ? " (exact up to 2^53)" : ""));
}

void requirePlanes(const LocatedVolume& located, const std::string& shown) {
  const StoredVoxels& voxels = located.voxels;
  if (!located.onlyWhole.empty()) throw notBySlabs(shown, located.onlyWhole);
  if (voxels.packing == Packing::Text) throw notBySlabs(shown, "its voxels are written as text");
  if (!voxels.further.empty())
    throw notBySlabs(shown, "its voxels lie in " + std::to_string(voxels.further.size() + 1) + " files");
  if (voxels.packing != Packing::Deflate) return;
  if (voxels.skip < 0) throw notBySlabs(shown, "its voxels are the end of what is compressed");
  if (voxels.layout.frames > 1) throw notBySlabs(shown, "its frames or components are compressed one after the other");
}

bool isPlain(const LocatedVolume& located) {
  const StoredVoxels& voxels = located.voxels;
  return voxels.packing == Packing::None && !located.make && voxels.further.empty() && voxels.layout.frames == 1 &&
         voxels.layout.components == located.info.shape.components && voxels.scale.trivial() && !voxels.symmetric &&
         sameElementType(voxels.type) == located.info.type && located.onlyWhole.empty();
}

}  // namespace sscope::io
