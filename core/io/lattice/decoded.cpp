#include "core/io/lattice/decoded.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/base/memory.h"
#include "core/io/file_error.h"
#include "core/io/native/chunked_file.h"

namespace sscope::io {

using namespace lattice;
namespace fs = std::filesystem;

ConfigurationFile::ConfigurationFile(const fs::path& path) : path_(path), name_(path.string()), size_(0) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw cannotRead(ErrorKind::NotFound, name_, "no such file", "check the name");
  if (!fs::is_regular_file(status))
    throw cannotRead(ErrorKind::BadData, name_, "it is not a file", "name a gauge configuration");
  size_ = static_cast<std::int64_t>(fs::file_size(path, error));
  if (error) throw cannotReadErrno(name_, error.value());
}

std::vector<std::byte> ConfigurationFile::bytes(std::int64_t offset, std::int64_t count, const Control& control) const {
  if (offset < 0 || count < 0 || offset > size_ || count > size_ - offset)
    throw damaged(name_, "it ends after " + std::to_string(size_) + " bytes, in the middle of what it announces");
  std::vector<std::byte> data;
  try {
    data.resize(static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {
    throw cannotRead(ErrorKind::Memory, name_, "its " + bytesText(static_cast<double>(count)) + " do not fit in memory",
                     "use a machine with more memory");
  }
  readChunked(path_, name_, offset, data, control);
  return data;
}

std::string ConfigurationFile::text(std::int64_t offset, std::int64_t count) const {
  const std::vector<std::byte> data = bytes(offset, count, {});
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

Lattice claimedLattice(const ConfigurationFile& file, const Extents& extents) {
  try {
    return Lattice(extents);
  } catch (const Error& error) {
    throw damaged(file.name(), error.what());
  }
}

void requireSame(const ConfigurationFile& file, const Lattice& lattice, const std::optional<Extents>& asked) {
  if (asked && *asked != lattice.extents())
    throw cannotRead(ErrorKind::Usage, file.name(), "it says that it has " + lattice.text() + " sites",
                     "leave the dimensions away");
}

void requirePayload(const ConfigurationFile& file, const Lattice& lattice, std::int64_t there, std::size_t siteBytes) {
  const std::int64_t needed = lattice.volume() * static_cast<std::int64_t>(siteBytes);
  if (there != needed)
    throw damaged(file.name(), "its links take " + std::to_string(there) + " bytes where " + lattice.text() +
                                   " sites need " + std::to_string(needed));
  // As they are in the file, and decoded.
  const std::int64_t held = needed + lattice.volume() * kDirections * static_cast<std::int64_t>(sizeof(Matrix3));
  if (!fitsInMemory(held))
    throw cannotRead(ErrorKind::Memory, file.name(),
                     "its links need " + bytesText(static_cast<double>(held)) + " and do not fit in memory",
                     "use a machine with more memory");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  return result;
}

std::optional<int> wholeNumber(std::string_view text) {
  text = trimmed(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace sscope::io
