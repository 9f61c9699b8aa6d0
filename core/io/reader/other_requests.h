#pragma once
// What the reader program is asked beside volumes: subjects enter their kinds of requests in the table behind this.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/control.h"
#include "core/io/process/protocol.h"

namespace sscope::io {

// Memory that the caller sees, `bytes` of it, where `held` are needed in all until it has been used. Throws
// Error(Memory).
using AllocateShared = std::function<std::span<std::byte>(std::int64_t bytes, std::int64_t held)>;

// Answers, or throws what becomes the answer.
using ReplyToRequest = std::string (*)(const Request& request, const AllocateShared& allocate, const Control& control);

// Null for a kind that nobody has.
[[nodiscard]] ReplyToRequest otherRequest(std::string_view kind);

}  // namespace sscope::io
