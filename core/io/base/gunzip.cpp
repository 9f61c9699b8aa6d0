#include "core/io/base/gunzip.h"

#include <fstream>

#include "core/io/base/file_error.h"

#ifdef SSCOPE_IO_ZLIB
#include <fcntl.h>
#include <zlib.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <vector>

#include "core/io/base/descriptor.h"
#endif

namespace sscope::io {

#ifdef SSCOPE_IO_ZLIB

namespace {

constexpr std::size_t kPackedChunk = std::size_t{1} << 18;

// A stream of zlib or gzip, unpacked piece by piece.
class Inflater {
 public:
  Inflater(const std::filesystem::path& path, std::string shown, std::int64_t offset)
      : shown_(std::move(shown)), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), packed_(kPackedChunk) {
    if (!file_.valid() || ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_SET) < 0)
      throw cannotReadErrno(shown_, errno);
    constexpr int kEitherHeader = 15 + 32;
    if (inflateInit2(&stream_, kEitherHeader) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // How many bytes there were, up to out.size(): fewer only where the stream ends.
  std::size_t readSome(std::span<std::byte> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    while (stream_.avail_out > 0 && (stream_.avail_in > 0 || refill())) {
      // gzip streams may stand one behind the other; what else follows is not ours.
      if (between_ && inflateReset(&stream_) != Z_OK) break;
      const uInt room = stream_.avail_out;
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END) {
        damaged_ = !ended_;
        break;
      }
      between_ = code == Z_STREAM_END;
      // Bytes behind the end that unpack to nothing, as a newline, are no further stream.
      ended_ = between_ || (ended_ && stream_.avail_out == room);
    }
    return out.size() - stream_.avail_out;
  }
  // Whether the stream ended because its bytes make no sense.
  [[nodiscard]] bool damaged() const { return damaged_; }
  // Whether it came to its own end, its checksum included.
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  bool refill() {
    ssize_t n = 0;
    do n = ::read(file_.get(), packed_.data(), packed_.size());
    while (n < 0 && errno == EINTR);
    if (n < 0) throw cannotReadErrno(shown_, errno);
    stream_.next_in = packed_.data();
    stream_.avail_in = static_cast<uInt>(n);
    return n > 0;
  }

  std::string shown_;
  Descriptor file_;
  std::vector<Bytef> packed_;
  z_stream stream_{};
  bool between_ = false, ended_ = false, damaged_ = false;
};

Error broken(const std::string& shown, const Inflater& stream, std::size_t done, std::size_t needed) {
  const std::string place = "after " + std::to_string(done) + " of " + std::to_string(needed) + " bytes, " +
                            bytesText(static_cast<double>(needed - done)) + " are missing";
  return damaged(shown, stream.damaged() ? "its compressed voxels are damaged " + place
                                         : "it is cut off: its compressed voxels end " + place);
}

// The checksum stands behind the last byte, which may not be the last that was promised: a stream that lost a byte goes
// on as another one. Reading on is what compares it.
void requireChecksum(const std::string& shown, Inflater& stream, const Control& control) {
  std::vector<std::byte> behind(kPackedChunk);
  do control.check();
  while (stream.readSome(behind) == behind.size());
  if (stream.damaged()) throw damaged(shown, "its compressed voxels are damaged: their checksum is another one");
  if (!stream.ended()) throw damaged(shown, "it is cut off: the checksum of its compressed voxels is missing");
}

}  // namespace

void gunzipInto(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::span<std::byte> out, const Control& control) {
  Inflater stream(path, shown, offset);
  const std::size_t left = static_cast<std::size_t>(std::max<std::int64_t>(skip, 0)), needed = left + out.size();
  std::vector<std::byte> scratch(std::min(kPackedChunk, left));
  std::size_t done = 0;
  while (done < needed) {
    control.check();
    const std::span<std::byte> piece = done < left ? std::span(scratch).first(std::min(kPackedChunk, left - done))
                                                   : out.subspan(done - left, std::min(kPackedChunk, needed - done));
    const std::size_t n = stream.readSome(piece);
    done += n;
    if (n < piece.size()) throw broken(shown, stream, done, needed);
    control.report(static_cast<double>(done) / static_cast<double>(needed), "reading");
  }
  requireChecksum(shown, stream, control);
}

void gunzipEach(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::int64_t bytes, const TakeBytes& sink, const Control& control) {
  Inflater stream(path, shown, offset);
  const std::int64_t left = std::max<std::int64_t>(skip, 0), needed = left + bytes;
  std::vector<std::byte> scratch(kPackedChunk);
  for (std::int64_t done = 0; done < needed;) {
    control.check();
    const bool skipped = done < left;
    const std::int64_t rest = (skipped ? left : needed) - done;
    const auto piece = std::span(scratch).first(std::min(kPackedChunk, static_cast<std::size_t>(rest)));
    const std::size_t n = stream.readSome(piece);
    done += static_cast<std::int64_t>(n);
    if (n < piece.size()) throw broken(shown, stream, static_cast<std::size_t>(done), static_cast<std::size_t>(needed));
    if (!skipped) sink(piece);
  }
  requireChecksum(shown, stream, control);
}

std::int64_t gunzippedBytes(const std::filesystem::path& path, const std::string& shown, std::int64_t offset,
                            const Control& control) {
  Inflater stream(path, shown, offset);
  std::vector<std::byte> scratch(kPackedChunk);
  for (std::int64_t bytes = 0;;) {
    control.check();
    const std::size_t n = stream.readSome(scratch);
    bytes += static_cast<std::int64_t>(n);
    if (n < scratch.size()) return bytes;
  }
}

std::string gunzipHead(const std::filesystem::path& path, std::size_t most) {
  try {
    std::string head(most, '\0');
    head.resize(Inflater(path, path.string(), 0).readSome(std::as_writable_bytes(std::span(head))));
    return head;
  } catch (const Error&) {
    return {};
  }
}

#else

std::string gunzipHead(const std::filesystem::path&, std::size_t) { return {}; }

void gunzipInto(const std::filesystem::path&, const std::string& shown, std::int64_t, std::int64_t,
                std::span<std::byte>, const Control&) {
  throw cannotRead(ErrorKind::Unsupported, shown, "its voxels are compressed and this build has no zlib",
                   "save it with encoding raw, or build with zlib");
}

std::int64_t gunzippedBytes(const std::filesystem::path& path, const std::string& shown, std::int64_t offset,
                            const Control& control) {
  return gunzipInto(path, shown, offset, 0, {}, control), 0;
}

void gunzipEach(const std::filesystem::path& path, const std::string& shown, std::int64_t offset, std::int64_t skip,
                std::int64_t /*bytes*/, const TakeBytes& /*sink*/, const Control& control) {
  gunzipInto(path, shown, offset, skip, {}, control);
}

#endif

bool isGzip(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return file.get() == 0x1f && file.get() == 0x8b;
}

}  // namespace sscope::io
