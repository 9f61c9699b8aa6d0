#pragma once
// Requests and replies of the reader program for gauge configurations (core/io/process/protocol.h). The links arrive in
// shared memory, as stored in the file.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/io/lattice/decoded.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

inline constexpr std::string_view kLinksRequest = "links";

// `extents` are for files that do not state theirs.
[[nodiscard]] Request linksRequest(const std::string& path, const std::optional<lattice::Extents>& extents);
// The extents in such a request. Throws Error(Usage) when they are invalid.
[[nodiscard]] std::optional<lattice::Extents> extentsOf(const Request& request);

[[nodiscard]] std::string encodeReply(const RawLinks& links);
[[nodiscard]] std::string encodeReply(const lattice::MissingExtents& error);
[[nodiscard]] std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error> decodeLinksReply(
    const std::string& text);

// The reader program's answer; the memory from `allocate` is shared with the caller. Throws what readLinks throws.
[[nodiscard]] std::string replyOfLinks(const Request& request, const AllocateLinks& allocate, const Control& control);

}  // namespace sscope::io
