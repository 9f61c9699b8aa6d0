#pragma once
// What the reader program is asked and answers: its arguments; one JSON object on its reply pipe, behind any number of
// line feeds as signs of life; what was decoded in shared memory.

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// File descriptors the reader program finds open.
inline constexpr int kReplyDescriptor = 3;
inline constexpr int kVoxelDescriptor = 4;
// Bytes; no reader that works answers more. The longest texts of a file are cut by encodeReply.
inline constexpr std::size_t kMaximumReply = std::size_t{4} << 20;

// Of volumes; subjects have kinds of their own (core/io/reader/other_requests.h).
inline constexpr std::string_view kHeaderRequest = "header", kVoxelsRequest = "voxels";

struct Request {
  std::string kind = std::string(kVoxelsRequest);
  std::string path;
  std::string detail;  // what a kind of a subject needs besides; empty for volumes

  [[nodiscard]] bool ofVolume() const { return kind == kHeaderRequest || kind == kVoxelsRequest; }
};
[[nodiscard]] std::vector<std::string> argumentsOf(const Request& request);
// Empty when they cannot be the arguments of any request.
[[nodiscard]] std::optional<Request> requestOf(const std::vector<std::string>& arguments);

[[nodiscard]] std::string encodeReply(const VolumeInfo& info);
[[nodiscard]] std::string encodeReply(const Error& error);

// The decoded reply or the error that it reports; empty when the text is no complete reply (the reader ended too early)
// or says what cannot be: everything in it is checked, for a reader may be in a file's hands.
[[nodiscard]] std::variant<std::monostate, VolumeInfo, Error> decodeReply(const std::string& text);

}  // namespace sscope::io
