#include "core/base/paths.h"
#include "core/io/file_sets.h"
#include "core/io/native/chunked_file.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

void writeNrrd(const fs::path& path, const Volume& volume, const Control& control) {
  const std::span<const std::byte> voxels(volume.data(), static_cast<std::size_t>(volume.bytes()));
  const fs::path data = dataBesideHeader(path);
  const bool detached = !data.empty();
  writeAtomically(path, [&](const fs::path& part) {
    ChunkedWriter file(part, path);
    file.write(formatNrrdHeader(volume, data.filename().string()));
    if (!detached) file.write(voxels, control);
    file.finish();
    if (!detached) return;
    writeAtomically(data, [&](const fs::path& dataPart) {
      ChunkedWriter dataFile(dataPart, path);
      dataFile.write(voxels, control);
      dataFile.finish();
    });
  });
}

}  // namespace sscope::io
