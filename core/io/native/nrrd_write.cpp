#include "core/io/base/detached.h"
#ifdef SSCOPE_IO_ZLIB
#include "core/io/base/gzip_writer.h"
#endif
#include "core/io/base/voxel_pieces.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

void writeVoxels(ChunkedWriter& file, const VolumeOutline& volume, const VoxelPieces& voxels,
                 [[maybe_unused]] bool compress, const Control& control) {
#ifdef SSCOPE_IO_ZLIB
  if (compress) {
    Deflater deflater(Deflater::Wrap::Gzip, [&](std::span<const std::byte> packed) { file.write(packed, {}); });
    writeEach(volume, voxels, deflater, control);
    return deflater.finish();
  }
#endif
  writeEach(volume, voxels, file, control);
}

}  // namespace

void writeNrrd(const fs::path& path, const VolumeOutline& volume, const VoxelPieces& voxels,
               const WriteOptions& options, const Control& control) {
  const fs::path data = dataBesideHeader(path);
  writeHeaderAndVoxels(
      path, path,
      [&](const Metadata& metadata) {
        return formatNrrdHeader(volume, metadata, {data.filename().string(), options.compress});
      },
      data, [&](ChunkedWriter& file) { writeVoxels(file, volume, voxels, data.empty() && options.compress, control); },
      options);
}

}  // namespace sscope::io
