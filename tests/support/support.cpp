#include "tests/support/support.h"

#include <stdlib.h>

#include <bit>
#include <cerrno>
#include <cstring>
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

Volume randomBytes(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume(shape, type);
  std::uint64_t state = 88172645463325252U + seed;
  for (std::size_t i = 0; i < static_cast<std::size_t>(volume.bytes()); ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    volume.data()[i] = static_cast<std::byte>(state >> 24);
  }
  return volume;
}

namespace {

// The checksum of HDF5's headers (lookup3 of Bob Jenkins, "hashlittle").
std::uint32_t hdf5Checksum(std::string text) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(text.size()), b = a, c = a;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, text.data() + at, 4);
    return value;
  };
  const auto turn = [](std::uint32_t value, int bits) { return std::rotl(value, bits); };
  const std::size_t rest = text.size() % 12, whole = text.size() - (rest == 0 ? 12 : rest);
  text.resize(whole + 12, '\0');
  for (std::size_t at = 0; at < whole; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= turn(c, 4), c += b;
    b -= a, b ^= turn(a, 6), a += c;
    c -= b, c ^= turn(b, 8), b += a;
    a -= c, a ^= turn(c, 16), c += b;
    b -= a, b ^= turn(a, 19), a += c;
    c -= b, c ^= turn(b, 4), b += a;
  }
  a += word(whole), b += word(whole + 4), c += word(whole + 8);
  c ^= b, c -= turn(b, 14);
  a ^= c, a -= turn(c, 11);
  b ^= a, b -= turn(a, 25);
  c ^= b, c -= turn(b, 16);
  a ^= c, a -= turn(c, 4);
  b ^= a, b -= turn(a, 14);
  c ^= b, c -= turn(b, 24);
  return c;
}

}  // namespace

std::string foreignHdf5(const std::filesystem::path& folder, VolumeIo& io) {
  const std::filesystem::path file = folder / "x.h5";
  io.write(file, randomVolume({7, 5, 4, 1}, ElementType::u16, 3), {});
  std::string bytes = contentOf(file);
  const std::size_t name = bytes.find("ITKImage"), header = bytes.rfind("OHDR", name);
  bytes[name + 7] = 's';
  // The size of its messages is behind what flags say that there is.
  const auto flags = static_cast<unsigned char>(bytes[header + 5]);
  const std::size_t at = header + 6 + ((flags & 0x20) != 0 ? 16 : 0) + ((flags & 0x10) != 0 ? 4 : 0);
  const std::size_t width = std::size_t{1} << (flags & 3);
  std::size_t size = 0;
  std::memcpy(&size, bytes.data() + at, width);
  const std::size_t end = at + width + size;
  const std::uint32_t checksum = hdf5Checksum(bytes.substr(header, end - header));
  std::memcpy(bytes.data() + end, &checksum, 4);
  std::ofstream(file, std::ios::binary) << bytes;
  return file.string();
}

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sscope::test
