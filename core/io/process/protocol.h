#pragma once
// The reader program's protocol: the request in its arguments; the reply as one JSON object on a pipe, after any number
// of line feeds that show it is alive; the voxels in shared memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/io/planes/located.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

// File descriptors the reader program finds open.
inline constexpr int kReplyDescriptor = 3;
inline constexpr int kVoxelDescriptor = 4;
// Bytes; a working reader never sends more, since encodeReply cuts long texts.
inline constexpr std::size_t kMaximumReply = std::size_t{4} << 20;

// Raise it whenever a request or a reply changes. A reader from another build is then reported as such, not as a
// decoder that crashed on a damaged file.
inline constexpr int kProtocolVersion = 8;

// For volumes; subjects add their own kinds (core/io/reader/other_requests.h).
inline constexpr std::string_view kHeaderRequest = "header", kVoxelsRequest = "voxels";
// The header and the place of the voxels where these lie in a file as they are used (isPlain()), else the voxels.
inline constexpr std::string_view kSourceRequest = "source";
// The header and the place of the voxels, for reading them by slabs (core/io/stream).
inline constexpr std::string_view kPlaceRequest = "place";
// The parts of a file (VolumeIo::parts).
inline constexpr std::string_view kPartsRequest = "parts";
// The unpacked bytes of all voxels, as they lie in the file's stream, on the pipe of the reply: frames of a number of
// bytes (u32, native, at most kLongestFrame) and these bytes. A frame of 0 bytes is followed by the reply of an error.
// With "PLANE/PLANES" as detail: the decoded voxels of the planes from that one on (Packing::Planes).
inline constexpr std::string_view kUnpackRequest = "unpack";
inline constexpr std::size_t kLongestFrame = std::size_t{1} << 20;

struct Request {
  std::string kind = std::string(kVoxelsRequest);
  std::string path;
  std::string detail;  // further data of a subject's request; for volumes the planes to unpack, or empty

  [[nodiscard]] bool ofVolume() const {
    return kind == kHeaderRequest || kind == kVoxelsRequest || kind == kSourceRequest || kind == kPlaceRequest ||
           kind == kUnpackRequest || kind == kPartsRequest;
  }
};
[[nodiscard]] std::vector<std::string> argumentsOf(const Request& request);
// The planes of an unpack request: the first one, and the number of all that the caller knows of.
struct UnpackedPlanes {
  std::int64_t first = 0, all = 0;
};
[[nodiscard]] std::string detailOf(const UnpackedPlanes& planes);
// Empty where the request names none.
[[nodiscard]] std::optional<UnpackedPlanes> unpackedPlanesOf(const Request& request);
// Empty when the arguments are no valid request.
[[nodiscard]] std::optional<Request> requestOf(const std::vector<std::string>& arguments);

[[nodiscard]] std::string encodeReply(const VolumeInfo& info);
[[nodiscard]] std::string encodeReply(const Error& error);
[[nodiscard]] std::string encodeReply(const LocatedVolume& located);
[[nodiscard]] std::string encodeReply(const std::vector<FilePart>& parts);

// The decoded reply or the error that it reports; empty when the text is incomplete (the reader ended too early), of
// another protocol version or invalid. Everything is checked, because a malicious file may control the reader; whether
// the file of a place exists and is long enough is not checked.
using VolumeReply = std::variant<std::monostate, VolumeInfo, LocatedVolume, std::vector<FilePart>, Error>;
[[nodiscard]] VolumeReply decodeReply(const std::string& text);
// Whether it is a whole reply of a reader of another build.
[[nodiscard]] bool ofAnotherVersion(const std::string& text);

}  // namespace sscope::io
