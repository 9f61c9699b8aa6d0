#include "core/io/native/voxel_pieces.h"

#include "core/base/paths.h"

namespace sscope::io {

namespace fs = std::filesystem;

void writeHeaderAndVoxels(const fs::path& path, const fs::path& header, const std::string& text, const fs::path& data,
                          const std::function<void(ChunkedWriter& file)>& writeVoxels, HeldNames* names) {
  HeldNames both;
  HeldNames* const held = names == nullptr && !data.empty() ? &both : names;
  if (!data.empty())
    writeAtomically(
        data,
        [&](const fs::path& part) {
          ChunkedWriter file(part, path);
          writeVoxels(file);
          file.finish();
        },
        held);
  writeAtomically(
      header,
      [&](const fs::path& part) {
        ChunkedWriter file(part, path);
        file.write(text);
        if (data.empty()) writeVoxels(file);
        file.finish();
      },
      held);
  both.commit();
}

}  // namespace sscope::io
