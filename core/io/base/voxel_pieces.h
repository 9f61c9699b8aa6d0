#pragma once
// Voxels on their way into a file, piece by piece.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/base/atomic_file.h"
#include "core/base/control.h"
#include "core/io/base/chunked_file.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// All voxels of a volume, which stays where it is, as one piece.
[[nodiscard]] inline VoxelPieces wholeOf(const Volume& volume) {
  return [rest = std::span<const std::byte>(volume.data(), static_cast<std::size_t>(volume.bytes()))]() mutable {
    return std::exchange(rest, {});
  };
}

// Writes every piece. Progress is that of each piece, 0..1. Throws what the pieces and the sink throw.
template <class Sink>
void writeEach(const VolumeOutline& volume, const VoxelPieces& pieces, Sink& sink, const Control& control) {
  std::int64_t written = 0;
  for (auto piece = pieces(); !piece.empty(); piece = pieces()) {
    sink.write(piece, control);
    written += static_cast<std::int64_t>(piece.size());
  }
  if (written != volume.bytes()) throw std::logic_error("pieces that are not the whole volume");
}

// The text of a header, of the same length for all metadata that differ in what is known last.
using HeaderText = std::function<std::string(const Metadata&)>;

// Writes the header and the voxels, by `writeVoxels`, into one file `header`, or, where `data` names another one for
// them, into two that get their names together. Errors name `path`. Throws what writeAtomically() and the pieces throw.
void writeHeaderAndVoxels(const std::filesystem::path& path, const std::filesystem::path& header,
                          const HeaderText& text, const std::filesystem::path& data,
                          const std::function<void(ChunkedWriter& file)>& writeVoxels, const WriteOptions& options);

}  // namespace sscope::io
