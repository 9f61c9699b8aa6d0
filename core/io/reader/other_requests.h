#pragma once
// Requests of the reader program other than for volumes: subjects register theirs in the table behind otherRequest().

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Allocates `bytes` bytes shared with the caller; `held` bytes are needed in total until they have been used. Throws
// Error(Memory).
using AllocateShared = std::function<std::span<std::byte>(std::int64_t bytes, std::int64_t held)>;

// Returns the reply; an exception becomes an error reply.
using ReplyToRequest = std::string (*)(const Request& request, const AllocateShared& allocate, const Control& control);

// Null for an unknown kind.
[[nodiscard]] ReplyToRequest otherRequest(std::string_view kind);

}  // namespace sscope::io
