#pragma once
// Program binaries on disk, so that a kernel is compiled once per machine and not at every start.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sscope {

// Files are written atomically. A file that is damaged or has another key counts as missing, and so do all files in a
// folder that other users can access, because the binaries are executed. Failure to write is not an error: the next
// start compiles again.
class BinaryStore {
 public:
  // Keeps at most `limit` files in `folder`, deleting the oldest.
  explicit BinaryStore(std::filesystem::path folder, std::size_t limit = 512);

  [[nodiscard]] std::optional<std::vector<std::byte>> find(const std::string& key) const;
  void store(const std::string& key, std::span<const std::byte> binary) const;
  [[nodiscard]] std::filesystem::path pathOf(const std::string& key) const;

 private:
  void dropOldest() const;

  std::filesystem::path folder_;
  std::size_t limit_;
};

// In cacheDirectory(), see core/base/paths.h; empty if it cannot be created or other users can access it.
[[nodiscard]] std::optional<BinaryStore> kernelStore();

}  // namespace sscope
