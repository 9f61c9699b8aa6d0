#include "core/base/paths.h"
#include "core/io/native/chunked_file.h"
#include "core/io/native/nrrd.h"
#include "core/io/native/nrrd_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

void writeNrrd(const fs::path& path, const Volume& volume, const Control& control) {
  const std::span<const std::byte> voxels(volume.data(), static_cast<std::size_t>(volume.bytes()));
  const bool detached = path.extension() == ".nhdr" || path.extension() == ".NHDR";
  const fs::path data = detached ? fs::path(path).replace_extension(".raw") : fs::path();
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
