#include "core/io/base/voxel_pieces.h"

#include "core/base/paths.h"

namespace sscope::io {

namespace fs = std::filesystem;

void writeHeaderAndVoxels(const fs::path& path, const fs::path& header, const HeaderText& text, const fs::path& data,
                          const std::function<void(ChunkedWriter& file)>& writeVoxels, const WriteOptions& options) {
  HeldNames both;
  HeldNames* const held = options.names == nullptr && !data.empty() ? &both : options.names;
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
        if (data.empty()) {
          const std::string before = text(options.metadata);
          file.write(before);
          writeVoxels(file);
          const std::string after = text(options.metadataFor({}));
          if (after.size() != before.size()) throw std::logic_error("a header that changes its length");
          if (after != before) file.patch(0, after);
        } else {
          file.write(text(options.metadataFor({})));
        }
        file.finish();
      },
      held);
  both.commit();
}

}  // namespace sscope::io
