#include "core/io/lattice/decoded.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"
#include "core/io/lattice/link_formats.h"

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

void ConfigurationFile::read(std::int64_t offset, std::span<std::byte> out, const Control& control) const {
  if (offset < 0 || offset > size_ || out.size() > static_cast<std::size_t>(size_ - offset))
    throw damaged(name_, "it ends after " + std::to_string(size_) + " bytes, in the middle of what it announces");
  readChunked(path_, name_, offset, out, control);
}

std::string ConfigurationFile::text(std::int64_t offset, std::int64_t count) const {
  std::string text(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), '\0');
  read(offset, std::as_writable_bytes(std::span(text)), {});
  return text;
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
    throw cannotRead(ErrorKind::Usage, file.name(), "its header states " + lattice.text() + " sites",
                     "leave the dimensions out");
}

void refuseSu2(const ConfigurationFile& file, const Lattice& lattice, std::int64_t bytes) {
  constexpr std::int64_t kLinks = kDirections, kNumbers = 2 * 2 * 2;  // complex 2 x 2
  const std::int64_t numbers = lattice.volume() * kLinks * kNumbers;
  if (bytes == numbers * 4 || bytes == numbers * 8)
    throw cannotRead(ErrorKind::Unsupported, file.name(),
                     "its links take the bytes of 2 x 2 matrices: they are of SU(2), and this program knows SU(3) only",
                     "give a configuration of SU(3)");
}

std::span<const std::byte> readPayload(const ConfigurationFile& file, const Lattice& lattice, const LinkLayout& layout,
                                       std::int64_t offset, std::int64_t there, const AllocateLinks& allocate,
                                       const Control& control) {
  const std::int64_t needed = lattice.volume() * static_cast<std::int64_t>(layout.siteBytes());
  refuseSu2(file, lattice, there);
  if (there != needed)
    throw damaged(file.name(), "its links take " + std::to_string(there) + " bytes where " + lattice.text() +
                                   " sites need " + std::to_string(needed));
  // As they are in the file, and decoded.
  const std::int64_t held = needed + lattice.volume() * kDirections * static_cast<std::int64_t>(sizeof(Matrix3));
  const std::span<std::byte> out = allocate(needed, held);
  file.read(offset, out, control);
  return out;
}

namespace {

std::string firstBytes(const ConfigurationFile& file) { return file.text(0, std::min<std::int64_t>(file.size(), 16)); }

}  // namespace

bool looksLikeLinks(const ConfigurationFile& file) {
  const std::string first = firstBytes(file);
  return isNersc(first) || isLime(first) || isMilc(first);
}

RawLinks readLinks(const fs::path& path, const std::optional<Extents>& extents, const AllocateLinks& allocate,
                   const Control& control) {
  const ConfigurationFile file(path);
  const std::string first = firstBytes(file);
  if (isNersc(first)) return readNersc(file, extents, allocate, control);
  if (isLime(first)) return readLime(file, extents, allocate, control);
  if (isMilc(first)) return readMilc(file, extents, allocate, control);
  throw cannotRead(ErrorKind::BadData, file.name(),
                   file.size() == 0 ? "the file is empty" : "it is not a gauge configuration",
                   "give one in the NERSC, ILDG or MILC v5 format");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<int> wholeNumber(std::string_view text) {
  text = trimmed(text);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace sscope::io
