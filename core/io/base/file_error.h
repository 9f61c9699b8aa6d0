#pragma once
// Error messages of core/io: "cannot read brain.nii: the file is empty; copy it again".

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope::io {

[[nodiscard]] Error cannotRead(ErrorKind kind, const std::string& path, const std::string& why,
                               const std::string& remedy = {});
[[nodiscard]] Error cannotWrite(ErrorKind kind, const std::filesystem::path& path, const std::string& why,
                                const std::string& remedy = {});
// The same with the reason and the remedy that belong to `errnoValue` (no space, no permission, ...).
[[nodiscard]] Error cannotReadErrno(const std::string& path, int errnoValue);
// Bytes of a file; throws cannotReadErrno with the name `shown`.
[[nodiscard]] std::int64_t sizeOfFile(const std::filesystem::path& file, const std::string& shown);
[[nodiscard]] Error cannotWriteErrno(const std::filesystem::path& path, int errnoValue);

// For damaged or truncated files; the remedy is to copy the file again.
[[nodiscard]] Error damaged(const std::string& path, const std::string& why);

// "cannot read scan.nrrd by slabs: its voxels are written as text", of kind Unsupported; the remedy is to convert it.
[[nodiscard]] Error notBySlabs(const std::string& path, const std::string& why);

// Text from a file, made safe to show by inOneLine().
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace sscope::io
