#pragma once
// The sentences of this room's errors: "cannot read brain.nii: the file is empty; copy it again".

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace sscope::io {

[[nodiscard]] Error cannotRead(ErrorKind kind, const std::string& path, const std::string& why,
                               const std::string& remedy = {});
[[nodiscard]] Error cannotWrite(ErrorKind kind, const std::filesystem::path& path, const std::string& why,
                                const std::string& remedy = {});
// The same with the reason and the remedy that belong to `errnoValue` (no space, no permission, ...).
[[nodiscard]] Error cannotReadErrno(const std::string& path, int errnoValue);
// Bytes of a file; throws cannotReadErrno with the name that people know it by.
[[nodiscard]] std::int64_t sizeOfFile(const std::filesystem::path& file, const std::string& shown);
[[nodiscard]] Error cannotWriteErrno(const std::filesystem::path& path, int errnoValue);

// Damaged or cut off: the remedy is always another copy.
[[nodiscard]] Error damaged(const std::string& path, const std::string& why);

// What a file says, for people, as inOneLine() has it.
[[nodiscard]] std::string printable(std::string_view text);

// "12.5 GiB", "340 bytes"; huge amounts in powers of ten ("1e+18 bytes" is not helpful to anyone: "1.0 EiB").
[[nodiscard]] std::string bytesText(double bytes);

}  // namespace sscope::io
