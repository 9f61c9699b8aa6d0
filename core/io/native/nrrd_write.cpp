#include "core/base/paths.h"
#include "core/io/file_sets.h"
#include "core/io/native/chunked_file.h"
#ifdef SSCOPE_IO_ZLIB
#include "core/io/native/gzip_writer.h"
#endif
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"
#include "core/io/native/voxel_pieces.h"

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
  const bool detached = !data.empty();
  writeAtomically(
      path,
      [&](const fs::path& part) {
        ChunkedWriter file(part, path);
        file.write(formatNrrdHeader(volume, options.metadata, {data.filename().string(), options.compress}));
        if (!detached) writeVoxels(file, volume, voxels, options.compress, control);
        file.finish();
        if (!detached) return;
        writeAtomically(
            data,
            [&](const fs::path& dataPart) {
              ChunkedWriter dataFile(dataPart, path);
              writeEach(volume, voxels, dataFile, control);
              dataFile.finish();
            },
            options.names);
      },
      options.names);
}

}  // namespace sscope::io
