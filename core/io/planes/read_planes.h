#pragma once
// Reads located volumes: planes by themselves, and the whole as planes 0 to n. Conversion, byte order, frames and
// chosen components are here alone, so that both give the same voxels.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/io/base/decoder.h"
#include "core/io/planes/located.h"
#include "core/io/planes/voxel_bytes.h"
#include "core/volume/volume_stream.h"

namespace sscope::io {

// Planes from the bytes of the voxels; without bytes located.decode gives them.
[[nodiscard]] std::unique_ptr<VolumeSource> openPlanes(LocatedVolume located, std::unique_ptr<VoxelBytes> bytes);

// The whole, in this process; the returned description has the notices that are known once voxels were read. `shown` is
// the name that the user gave. Throws as VolumeIo::read.
VolumeInfo readWhole(LocatedVolume located, const std::string& shown, const AllocateVoxels& allocate,
                     const Control& control);

// Passes the bytes of all voxels as they are stored but unpacked, from plane `begin` on, to `take`, at most `most` at a
// time; `begin` is 0 unless planes are decoded. Throws as reading does, and what `take` throws.
void sendVoxels(const LocatedVolume& located, const std::string& shown, std::int64_t begin, std::size_t most,
                const std::function<void(std::span<const std::byte>)>& take, const Control& control);

}  // namespace sscope::io
