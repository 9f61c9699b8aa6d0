#include "core/io/itk/hdf5_extent.h"

#include <array>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string_view>

namespace sscope::io {

std::optional<std::int64_t> hdf5Bytes(const std::string& path) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  std::array<char, 64> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const auto got = static_cast<std::size_t>(file.gcount());
  if (!std::string_view(head.data(), got).starts_with(kSignature) || got < head.size()) return {};
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  // Of version 0 and 1: sizes of offsets at byte 13, then the base address, that of free space and the end of the file,
  // from byte 24 or 28 on. Of version 2 and 3: sizes at byte 9, and the end as the third address from byte 12 on.
  const unsigned version = byteAt(8);
  if (version > 3) return {};
  const std::size_t width = byteAt(version < 2 ? 13 : 9), first = version == 0 ? 24 : version == 1 ? 28 : 12;
  if (width != 8) return {};
  std::uint64_t end = 0;
  for (std::size_t k = width; k-- > 0;) end = end << 8 | byteAt(first + 2 * width + k);
  if (end > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
  return static_cast<std::int64_t>(end);
}

}  // namespace sscope::io
