#include "gpu/device/binary_store.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/encoding.h"
#include "core/base/error.h"
#include "core/base/paths.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[8] = {'S', 'S', 'C', 'K', 'R', 'N', '0', '1'};

struct Header {
  char magic[8];
  std::uint64_t key[2];
  std::uint64_t size;
  std::uint64_t checksum;
};

Header headerOf(const std::string& key, std::span<const std::byte> binary) {
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.key[0] = hashOf(key);
  header.key[1] = hashOf(key, 1);
  header.size = binary.size();
  header.checksum = hashOf(binary);
  return header;
}

}  // namespace

BinaryStore::BinaryStore(fs::path folder, std::size_t limit) : folder_(std::move(folder)), limit_(limit) {}

fs::path BinaryStore::pathOf(const std::string& key) const { return folder_ / (hashName(key) + ".bin"); }

std::optional<std::vector<std::byte>> BinaryStore::find(const std::string& key) const {
  if (!isPrivateFolder(folder_)) return std::nullopt;  // somebody else's code, perhaps
  std::ifstream file(pathOf(key), std::ios::binary);
  Header header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  std::error_code code;
  const auto length = fs::file_size(pathOf(key), code);
  if (code || length != sizeof header + header.size) return std::nullopt;
  std::vector<std::byte> binary(static_cast<std::size_t>(header.size));
  if (!file.read(reinterpret_cast<char*>(binary.data()), static_cast<std::streamsize>(binary.size())))
    return std::nullopt;
  const Header expected = headerOf(key, binary);
  if (std::memcmp(&header, &expected, sizeof header) != 0) return std::nullopt;
  return binary;
}

void BinaryStore::store(const std::string& key, std::span<const std::byte> binary) const {
  if (binary.empty()) return;
  try {
    makePrivateFolder(folder_);
    dropOldest();
    const Header header = headerOf(key, binary);
    std::string all(reinterpret_cast<const char*>(&header), sizeof header);
    all.append(reinterpret_cast<const char*>(binary.data()), binary.size());
    writeTextFile(pathOf(key), all);
  } catch (const std::exception&) {
    // A full or read-only disk only costs the next start some time.
    return;
  }
}

void BinaryStore::dropOldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code code;
  // Other processes write and remove files here meanwhile: one that is gone is none.
  for (auto entry = fs::directory_iterator(folder_, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    std::error_code gone;
    if (const auto time = entry->last_write_time(gone); !gone) files.emplace_back(time, entry->path());
  }
  if (files.size() < limit_) return;
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; i <= files.size() - limit_; ++i) fs::remove(files[i].second, code);
}

std::optional<BinaryStore> kernelStore() {
  try {
    const fs::path folder = cacheDirectory() / "kernels";
    makePrivateFolder(folder);
    return BinaryStore(folder);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace sscope
