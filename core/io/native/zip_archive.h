#pragma once
// Archives of files (zip), as NumPy writes them.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/chunked_file.h"

namespace sscope::io {

struct ZipMember {
  std::string name;
  bool packed = false;
  std::int64_t offset = 0;  // of its bytes, packed or not
  std::int64_t storedBytes = 0, bytes = 0;
  std::uint32_t checksum = 0;
};
// Throws Error(BadData) where the table at the end is not there or damaged, Error(Unsupported) for other methods than
// deflate.
[[nodiscard]] std::vector<ZipMember> zipMembers(const std::string& path);

// All bytes of a member, and whether they have its checksum. Throws Error(BadData, Unsupported), Canceled.
[[nodiscard]] std::vector<std::byte> readZipMember(const std::string& path, const ZipMember& member,
                                                   const Control& control);

// At most so many of its first bytes, unpacked; not all of these where they are damaged.
[[nodiscard]] std::string zipMemberHead(const std::string& path, const ZipMember& member, std::size_t most);

// An archive, packed or not. `fill` of a member is given a function that takes its bytes.
using TakeMember = std::function<void(std::span<const std::byte>, const Control&)>;
struct NewMember {
  std::string name;
  std::function<void(const TakeMember&)> fill;
};
void writeZip(ChunkedWriter& file, const std::vector<NewMember>& members, bool compress);

}  // namespace sscope::io
