#include <algorithm>
#include <cstring>
#include <vector>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/gzip_writer.h"
#include "core/io/nifti/nifti.h"
#include "core/io/nifti/nifti_header.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// The file has components slowest, and of those the frames fastest; we have components fastest, and of those the
// frames slowest.
template <class Sink>
void writeVoxels(const Volume& volume, int frames, Sink& sink, const Control& control) {
  const auto components = static_cast<std::size_t>(volume.shape().components);
  const std::size_t bytes = bytesOf(volume.type());
  const auto voxels = static_cast<std::size_t>(volume.shape().voxels());
  if (components == 1) return sink.write({volume.data(), voxels * bytes}, control);
  constexpr std::size_t kBlock = std::size_t{1} << 18;
  std::vector<std::byte> plane(std::min(kBlock, voxels) * bytes);
  const auto times = static_cast<std::size_t>(frames), channels = components / times;
  for (std::size_t p = 0; p < components; ++p) {
    const std::size_t c = p % times * channels + p / times;
    for (std::size_t start = 0; start < voxels; start += kBlock) {
      control.check();
      const std::size_t count = std::min(kBlock, voxels - start);
      for (std::size_t v = 0; v < count; ++v)
        std::memcpy(plane.data() + v * bytes, volume.data() + ((start + v) * components + c) * bytes, bytes);
      sink.write(std::span<const std::byte>(plane).first(count * bytes), {});
      control.report((static_cast<double>(p) + static_cast<double>(start) / static_cast<double>(voxels)) /
                         static_cast<double>(components),
                     "writing");
    }
  }
}

template <class Sink>
void writeAll(const Volume& volume, const Metadata& metadata, Sink&& sink, const Control& control) {
  sink.write(formatNiftiHeader(outlineOf(volume), metadata), {});
  const int frames = metadata.frames > 0 && volume.shape().components % metadata.frames == 0 ? metadata.frames : 1;
  writeVoxels(volume, frames, sink, control);
  sink.finish();
}

}  // namespace

void writeNifti(const fs::path& path, const Volume& volume, const WriteOptions& options, const Control& control) {
  const Metadata& metadata = options.metadata;
  writeAtomically(
      path,
      [&](const fs::path& part) {
        const std::string extension = path.extension().string();
        if (extension == ".gz" || extension == ".GZ") {
          writeAll(volume, metadata, GzipWriter(part, path), control);
        } else {
          writeAll(volume, metadata, ChunkedWriter(part, path), control);
        }
      },
      options.names);
}

}  // namespace sscope::io
