#include "core/io/native/zip_archive.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/io/base/file_error.h"
#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>

#include "core/io/base/deflate.h"
#endif

namespace sscope::io {

namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kAtMost32 = 0xffffffff;
constexpr int kZipStored = 0, kZipDeflated = 8;

[[noreturn]] void tableMissing(const std::string& path) {
  throw damaged(path, "it is cut off or damaged: the table of its members is invalid");
}

// Little-endian numbers; the text is long enough or the table makes no sense.
class ZipFields {
 public:
  ZipFields(std::string_view text, const std::string& path) : text_(text), path_(path) {}
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t bytes) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(part(at, bytes)[i])} << (8 * i);
    return value;
  }
  [[nodiscard]] std::string_view part(std::size_t at, std::size_t bytes) const {
    if (at > text_.size() || bytes > text_.size() - at) tableMissing(path_);
    return text_.substr(at, bytes);
  }

 private:
  std::string_view text_;
  const std::string& path_;
};

std::string bytesAt(std::ifstream& file, std::uint64_t offset, std::uint64_t bytes, const std::string& path) {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 28;
  std::string text(static_cast<std::size_t>(std::min(bytes, kLongest)), '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(std::min<std::uint64_t>(offset, INT64_MAX)));
  if (bytes > kLongest || !file.read(text.data(), static_cast<std::streamsize>(text.size()))) tableMissing(path);
  return text;
}

// Sizes and place of a member that do not fit into 32 bits are in a field behind its name, in this order.
void widen(const ZipFields& fields, std::size_t at, std::size_t end, std::initializer_list<std::uint64_t*> values) {
  for (; at + 4 <= end; at += 4 + fields.number(at + 2, 2)) {
    if (fields.number(at, 2) != 1) continue;
    std::size_t next = at + 4;
    for (std::uint64_t* value : values)
      if (*value == kAtMost32) {
        *value = fields.number(next, 8);
        next += 8;
      }
    return;
  }
}

}  // namespace

std::vector<ZipMember> zipMembers(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto size = static_cast<std::uint64_t>(sizeOfFile(path, path));
  constexpr std::uint64_t kEnd = 22, kLongestComment = 65535, kLocator = 20;
  const std::uint64_t tailBytes = std::min(size, kEnd + kLongestComment), tailAt = size - tailBytes;
  const std::string tail = bytesAt(file, tailAt, tailBytes, path);
  const std::size_t end = tail.rfind("PK\5\6"sv);
  if (end == std::string::npos) tableMissing(path);
  const ZipFields last(tail, path);
  std::uint64_t count = last.number(end + 10, 2), bytes = last.number(end + 12, 4), at = last.number(end + 16, 4);
  if (end >= kLocator && last.part(end - kLocator, 4) == "PK\6\7"sv) {
    const std::string wide = bytesAt(file, last.number(end - kLocator + 8, 8), 56, path);
    const ZipFields fields(wide, path);
    count = fields.number(32, 8);
    bytes = fields.number(40, 8);
    at = fields.number(48, 8);
  }
  const std::string table = bytesAt(file, at, bytes, path);
  const ZipFields fields(table, path);
  std::vector<ZipMember> members;
  std::size_t entry = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    if (fields.part(entry, 4) != "PK\1\2"sv) tableMissing(path);
    const std::size_t nameBytes = fields.number(entry + 28, 2), more = fields.number(entry + 30, 2);
    std::uint64_t packed = fields.number(entry + 20, 4), whole = fields.number(entry + 24, 4),
                  header = fields.number(entry + 42, 4);
    const std::size_t behind = entry + 46 + nameBytes;
    widen(fields, behind, behind + more, {&whole, &packed, &header});
    ZipMember member;
    member.name = fields.part(entry + 46, nameBytes);
    const std::uint64_t method = fields.number(entry + 10, 2);
    if ((fields.number(entry + 8, 2) & 1) != 0 || (method != kZipStored && method != kZipDeflated))
      throw cannotRead(
          ErrorKind::Unsupported, path,
          "its member " + printable(member.name) + " is encrypted or packed in a way that is not supported",
          "save it with numpy.savez");
    member.packed = method == kZipDeflated;
    member.checksum = static_cast<std::uint32_t>(fields.number(entry + 16, 4));
    const std::string local = bytesAt(file, header, 30, path);
    const ZipFields start(local, path);
    if (start.part(0, 4) != "PK\3\4"sv) tableMissing(path);
    const std::uint64_t offset = header + 30 + start.number(26, 2) + start.number(28, 2);
    // Deflate packs by a factor of 1032 at most.
    if (offset > size || packed > size - offset || (member.packed ? whole / 1032 > packed : whole != packed))
      throw damaged(path, "it is cut off or damaged: its member " + printable(member.name) + " is not all there");
    member.offset = static_cast<std::int64_t>(offset);
    member.storedBytes = static_cast<std::int64_t>(packed);
    member.bytes = static_cast<std::int64_t>(whole);
    members.push_back(std::move(member));
    entry = behind + more + fields.number(entry + 32, 2);
  }
  return members;
}

#ifdef SSCOPE_IO_ZLIB

namespace {

std::uint32_t checksumOf(std::span<const std::byte> bytes, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

bool unpack(std::span<std::byte> packed, std::span<std::byte> out, const Control& control) {
  constexpr int kNoHeader = -15;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  z_stream stream{};
  if (inflateInit2(&stream, kNoHeader) != Z_OK) throw std::bad_alloc();
  int code = Z_OK;
  std::size_t in = 0, done = 0;
  while (code == Z_OK && (stream.avail_in > 0 || in < packed.size())) {
    if (control.stop.stop_requested()) break;
    if (stream.avail_in == 0) {
      const std::size_t part = std::min(kPiece, packed.size() - in);
      stream.next_in = reinterpret_cast<Bytef*>(packed.data() + in);
      stream.avail_in = static_cast<uInt>(part);
      in += part;
    }
    // One byte more than there should be, so that a stream that goes on is noticed.
    std::byte behind{};
    const std::size_t room = std::min(kPiece, out.size() - done);
    stream.next_out = reinterpret_cast<Bytef*>(room > 0 ? out.data() + done : &behind);
    stream.avail_out = static_cast<uInt>(std::max<std::size_t>(1, room));
    const uInt before = stream.avail_out;
    code = inflate(&stream, Z_NO_FLUSH);
    if (code == Z_BUF_ERROR) code = Z_OK;
    if (room == 0 && stream.avail_out < before) code = Z_DATA_ERROR;
    done += room == 0 ? 0 : before - stream.avail_out;
  }
  inflateEnd(&stream);
  control.check();
  return code == Z_STREAM_END && done == out.size();
}

}  // namespace

std::string zipMemberHead(const std::string& path, const ZipMember& member, std::size_t most) {
  std::vector<std::byte> stored(std::min(most, static_cast<std::size_t>(member.storedBytes)));
  readChunked(path, path, member.offset, stored, {});
  std::vector<std::byte> bytes(member.packed ? std::min(most, static_cast<std::size_t>(member.bytes)) : 0);
  if (member.packed) static_cast<void>(unpack(stored, bytes, {}));
  const std::vector<std::byte>& head = member.packed ? bytes : stored;
  return {reinterpret_cast<const char*>(head.data()), head.size()};
}

std::vector<std::byte> readZipMember(const std::string& path, const ZipMember& member, const Control& control) {
  std::vector<std::byte> stored(static_cast<std::size_t>(member.storedBytes));
  readChunked(path, path, member.offset, stored, control);
  std::vector<std::byte> bytes;
  if (member.packed) {
    bytes.resize(static_cast<std::size_t>(member.bytes));
    if (!unpack(stored, bytes, control))
      throw damaged(path, "its compressed member " + printable(member.name) + " is damaged");
  } else {
    bytes = std::move(stored);
  }
  if (checksumOf(bytes) != member.checksum)
    throw damaged(path, "its member " + printable(member.name) + " is damaged: its checksum is another one");
  return bytes;
}

namespace {

std::string littleEndian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// What the archive says of a member, in front of it and in its table.
struct MemberEntry {
  std::string name;
  bool compress = false;
  std::uint64_t at = 0, bytes = 0, stored = 0;
  std::uint32_t checksum = 0;

  // Of version 4.5, with sizes and places of 64 bits; the date is the first that there can be.
  [[nodiscard]] std::string text(bool table) const {
    const std::string wide =
        littleEndian(bytes, 8) + littleEndian(stored, 8) + (table ? littleEndian(at, 8) : std::string());
    return littleEndian(45, 2) + littleEndian(0, 2) + littleEndian(compress ? kZipDeflated : kZipStored, 2) +
           littleEndian(0, 2) + littleEndian(0x21, 2) + littleEndian(checksum, 4) + littleEndian(kAtMost32, 4) +
           littleEndian(kAtMost32, 4) + littleEndian(name.size(), 2) + littleEndian(wide.size() + 4, 2) +
           (table ? littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 4) +
                        littleEndian(kAtMost32, 4)
                  : std::string()) +
           name + littleEndian(1, 2) + littleEndian(wide.size(), 2) + wide;
  }
};

// Returns the bytes of the member with its description.
std::uint64_t writeMember(ChunkedWriter& file, const NewMember& member, MemberEntry& described) {
  const std::string place = "PK\3\4" + described.text(false);
  file.write(place);
  Deflater deflater(Deflater::Wrap::None, [&](std::span<const std::byte> packed) {
    file.write(packed, {});
    described.stored += packed.size();
  });
  member.fill([&](std::span<const std::byte> piece, const Control& control) {
    described.checksum = checksumOf(piece, described.checksum);
    described.bytes += piece.size();
    if (described.compress) return deflater.write(piece, control);
    file.write(piece, control);
    described.stored += piece.size();
  });
  if (described.compress) deflater.finish();
  file.patch(static_cast<std::int64_t>(described.at), "PK\3\4" + described.text(false));
  return place.size() + described.stored;
}

}  // namespace

void writeZip(ChunkedWriter& file, const std::vector<NewMember>& members, bool compress) {
  std::uint64_t at = 0;
  std::string table;
  for (const NewMember& member : members) {
    MemberEntry described{.name = member.name, .compress = compress, .at = at};
    at += writeMember(file, member, described);
    table += "PK\1\2" + littleEndian(45, 2) + described.text(true);
  }
  const std::uint64_t count = members.size();
  const std::string wide = "PK\6\6" + littleEndian(44, 8) + littleEndian(45, 2) + littleEndian(45, 2) +
                           littleEndian(0, 4) + littleEndian(0, 4) + littleEndian(count, 8) + littleEndian(count, 8) +
                           littleEndian(table.size(), 8) + littleEndian(at, 8);
  file.write(table + wide + "PK\6\7" + littleEndian(0, 4) + littleEndian(at + table.size(), 8) + littleEndian(1, 4) +
             "PK\5\6" + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(count, 2) + littleEndian(count, 2) +
             littleEndian(table.size(), 4) + littleEndian(std::min(at, kAtMost32), 4) + littleEndian(0, 2));
}

#else

std::string zipMemberHead(const std::string& path, const ZipMember& member, std::size_t most) {
  if (member.packed) return {};
  std::string head(std::min(most, static_cast<std::size_t>(member.bytes)), '\0');
  readChunked(path, path, member.offset, std::as_writable_bytes(std::span(head)), {});
  return head;
}

std::vector<std::byte> readZipMember(const std::string& path, const ZipMember& member, const Control& control) {
  if (member.packed)
    throw cannotRead(ErrorKind::Unsupported, path, "its arrays are compressed and this build has no zlib",
                     "save it with numpy.savez, or build with zlib");
  std::vector<std::byte> bytes(static_cast<std::size_t>(member.bytes));
  readChunked(path, path, member.offset, bytes, control);
  return bytes;
}

void writeZip(ChunkedWriter&, const std::vector<NewMember>& members, bool) {
  throw cannotWrite(ErrorKind::Unsupported, members.front().name, "this build has no zlib", "use .npy");
}

#endif

}  // namespace sscope::io
