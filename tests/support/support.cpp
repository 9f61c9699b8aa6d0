#include "tests/support/support.h"

#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

namespace sscope::test {

namespace fs = std::filesystem;

fs::path sourceFolder() { return SSCOPE_SOURCE_DIR; }

std::optional<fs::path> sharedData() {
  const fs::path data = sourceFolder().parent_path() / "shared" / "data";
  std::error_code code;
  if (fs::is_directory(data, code)) return data;
  return std::nullopt;
}

TemporaryFolder::TemporaryFolder() {
  // A name that nobody has, neither another process of this number in another container nor one that was killed.
  std::string name = (fs::temp_directory_path() / "sscope-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  fs::remove_all(path_, code);
}

Volume randomVolume(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume(shape, type);
  std::mt19937_64 random(seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    for (T& element : volume.elements<T>()) {
      const double unit = static_cast<double>(random() >> 11) * 0x1p-53;  // 0..1
      if constexpr (std::is_floating_point_v<T>) {
        element = static_cast<T>(2 * unit - 1);
      } else {
        const double low = std::max(lowestOf(type), -30000.0);
        const double high = std::min(highestOf(type), 60000.0);
        element = static_cast<T>(low + unit * (high - low));
      }
    }
  });
  return volume;
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sscope::test
