#pragma once
// What the reader program answers: one JSON object on its reply pipe, the voxels in shared memory.

#include <string>
#include <variant>

#include "core/base/error.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// File descriptors the reader program finds open.
inline constexpr int kReplyDescriptor = 3;
inline constexpr int kVoxelDescriptor = 4;

[[nodiscard]] std::string encodeReply(const VolumeInfo& info);
[[nodiscard]] std::string encodeReply(const Error& error);
// Empty when the text is no complete reply (the reader ended too early).
[[nodiscard]] std::variant<std::monostate, VolumeInfo, Error> decodeReply(const std::string& text);

}  // namespace sscope::io
