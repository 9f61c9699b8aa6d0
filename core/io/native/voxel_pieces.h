#pragma once
// Voxels on their way into a file, piece by piece.

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "core/base/control.h"
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

}  // namespace sscope::io
