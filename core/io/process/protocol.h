#pragma once
// What the reader program is asked and answers: its arguments; one JSON object on its reply pipe, behind any number of
// line feeds as signs of life; voxels or links in shared memory.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/io/lattice/decoded.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// File descriptors the reader program finds open.
inline constexpr int kReplyDescriptor = 3;
inline constexpr int kVoxelDescriptor = 4;
// Bytes; no reader that works answers more. The longest texts of a file are cut by encodeReply.
inline constexpr std::size_t kMaximumReply = std::size_t{4} << 20;

struct Request {
  enum class Kind { Header, Voxels, Links };
  Kind kind = Kind::Voxels;
  std::string path;
  std::optional<lattice::Extents> extents;  // of links, for files that do not say theirs
};
[[nodiscard]] std::vector<std::string> argumentsOf(const Request& request);
// Empty when they are not such arguments.
[[nodiscard]] std::optional<Request> requestOf(const std::vector<std::string>& arguments);

[[nodiscard]] std::string encodeReply(const VolumeInfo& info);
[[nodiscard]] std::string encodeReply(const RawLinks& links);
[[nodiscard]] std::string encodeReply(const Error& error);

// The decoded reply or the error that it reports; empty when the text is no complete reply (the reader ended too early)
// or says what cannot be: everything in it is checked, for a reader may be in a file's hands.
[[nodiscard]] std::variant<std::monostate, VolumeInfo, Error> decodeReply(const std::string& text);
[[nodiscard]] std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error> decodeLinksReply(
    const std::string& text);

}  // namespace sscope::io
