#pragma once
// What the reader program is asked and answers about gauge configurations (core/io/process/protocol.h): their links
// come in shared memory, as they are in the file.

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/io/lattice/decoded.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

inline constexpr std::string_view kLinksRequest = "links";

// With extents for files that do not say theirs.
[[nodiscard]] Request linksRequest(const std::string& path, const std::optional<lattice::Extents>& extents);
// The extents of such a request. Throws Error(Usage) when they are none.
[[nodiscard]] std::optional<lattice::Extents> extentsOf(const Request& request);

[[nodiscard]] std::string encodeReply(const RawLinks& links);
[[nodiscard]] std::string encodeReply(const lattice::MissingExtents& error);
[[nodiscard]] std::variant<std::monostate, RawLinks, lattice::MissingExtents, Error> decodeLinksReply(
    const std::string& text);

// The reader program's answer; what `allocate` gives is shared with the caller. Throws what readLinks throws otherwise.
[[nodiscard]] std::string replyOfLinks(const Request& request, const AllocateLinks& allocate, const Control& control);

}  // namespace sscope::io
