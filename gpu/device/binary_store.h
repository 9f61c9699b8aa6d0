#pragma once
// Program binaries on disk, so that a kernel is compiled once a machine and not once a start.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sscope {

// Files are written whole or not at all; a file that is damaged or belongs to another key counts as missing, and so do
// all in a folder that is not this user's alone: what is found here is run.
// Failing to write is no error: the next start compiles again.
class BinaryStore {
 public:
  // Keeps at most `limit` files in `folder`, dropping those written longest ago.
  explicit BinaryStore(std::filesystem::path folder, std::size_t limit = 512);

  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;
  void store(const std::string& key, std::span<const std::byte> binary) const;
  [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;

 private:
  void dropOldest() const;

  std::filesystem::path folder_;
  std::size_t limit_;
};

// In cacheDirectory(), see core/base/paths.h; empty where that cannot be made or is not this user's alone.
[[nodiscard]] std::optional<BinaryStore> kernelStore();

}  // namespace sscope
