#include "core/io/base/deflate.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <vector>

#include "core/io/base/file_error.h"
#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>
#endif

namespace sscope::io {

#ifdef SSCOPE_IO_ZLIB

namespace {

constexpr std::size_t kPackedChunk = std::size_t{1} << 18;
// A stop request is noticed within a few milliseconds of packing.
constexpr std::size_t kDeflateChunk = std::size_t{256} << 10;

}  // namespace

struct Inflater::Stream {
  Stream(const InputFile& input, std::int64_t offset) : file(input), next(offset), packed(kPackedChunk) {
    constexpr int kEitherHeader = 15 + 32;
    if (inflateInit2(&state, kEitherHeader) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { inflateEnd(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  bool refill() {
    const std::size_t count = file.read(next, std::as_writable_bytes(std::span(packed)));
    next += static_cast<std::int64_t>(count);
    state.next_in = packed.data();
    state.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  const InputFile& file;
  std::int64_t next;  // the place in the file that follows the packed bytes
  std::vector<Bytef> packed;
  z_stream state{};
  bool between = false;  // at the end of one of several gzip streams
  bool ended = false;    // the stream came to its own end, its checksum included
  bool damaged = false;  // its bytes are no stream
};

Inflater::Inflater(const InputFile& file, std::int64_t offset) : stream_(std::make_unique<Stream>(file, offset)) {}
Inflater::~Inflater() = default;

std::size_t Inflater::readSome(std::span<std::byte> out) {
  z_stream& state = stream_->state;
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  while (state.avail_out > 0 && (state.avail_in > 0 || stream_->refill())) {
    // gzip streams may follow each other; other bytes behind a stream are ignored.
    if (stream_->between && inflateReset(&state) != Z_OK) break;
    const uInt room = state.avail_out;
    const int code = inflate(&state, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_BUF_ERROR && code != Z_STREAM_END) {
      stream_->damaged = !stream_->ended;
      break;
    }
    stream_->between = code == Z_STREAM_END;
    // Bytes behind the end that unpack to nothing, such as a newline, are no further stream.
    stream_->ended = stream_->between || (stream_->ended && state.avail_out == room);
  }
  return out.size() - state.avail_out;
}

void Inflater::read(std::span<std::byte> out, std::int64_t done, std::int64_t needed) {
  while (!out.empty()) {
    const std::span<std::byte> piece = out.first(std::min(kPackedChunk, out.size()));
    const std::size_t got = readSome(piece);
    done += static_cast<std::int64_t>(got);
    if (got < piece.size()) {
      const std::string place = "after " + std::to_string(done) + " of " + std::to_string(needed) + " bytes, " +
                                bytesText(static_cast<double>(needed - done)) + " are missing";
      throw io::damaged(stream_->file.shown(), stream_->damaged ? "its compressed voxels are damaged " + place
                                                                : "it is cut off: its compressed voxels end " + place);
    }
    out = out.subspan(piece.size());
  }
}

void Inflater::requireChecksum(const Control& control) {
  const std::string& shown = stream_->file.shown();
  std::vector<std::byte> behind(kPackedChunk);
  do control.check();
  while (readSome(behind) == behind.size());
  if (stream_->damaged) throw damaged(shown, "its compressed voxels are damaged: their checksum differs");
  if (!stream_->ended) throw damaged(shown, "it is cut off: the checksum of its compressed voxels is missing");
}

struct Deflater::Stream {
  explicit Stream(Sink to) : sink(std::move(to)), buffer(kDeflateChunk) {}
  ~Stream() { deflateEnd(&state); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void run(int flush) {
    do {
      state.next_out = reinterpret_cast<Bytef*>(buffer.data());
      state.avail_out = static_cast<uInt>(buffer.size());
      deflate(&state, flush);
      const std::size_t size = buffer.size() - state.avail_out;
      packed += static_cast<std::int64_t>(size);
      if (size > 0) sink(std::span<const std::byte>(buffer).first(size));
    } while (state.avail_out == 0);
  }

  Sink sink;
  z_stream state{};
  std::vector<std::byte> buffer;
  std::int64_t packed = 0;
};

Deflater::Deflater(Wrap wrap, Sink sink) : stream_(std::make_unique<Stream>(std::move(sink))) {
  // Level 4 packs medical volumes within a few percent of level 6 in less than half the time.
  constexpr int kLevel = 4, kMemory = 8, kWindow = 15, kGzip = 16;
  const int window = wrap == Wrap::None ? -kWindow : wrap == Wrap::Gzip ? kWindow + kGzip : kWindow;
  if (deflateInit2(&stream_->state, kLevel, Z_DEFLATED, window, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}
Deflater::~Deflater() = default;

void Deflater::write(std::span<const std::byte> bytes, const Control& control) {
  for (std::size_t done = 0; done < bytes.size();) {
    control.check();
    const std::size_t size = std::min(kDeflateChunk, bytes.size() - done);
    stream_->state.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + done));
    stream_->state.avail_in = static_cast<uInt>(size);
    stream_->run(Z_NO_FLUSH);
    done += size;
    control.report(static_cast<double>(done) / static_cast<double>(bytes.size()), "writing");
  }
}

void Deflater::finish() {
  stream_->state.next_in = nullptr;
  stream_->state.avail_in = 0;
  stream_->run(Z_FINISH);
}

std::int64_t Deflater::packedBytes() const { return stream_->packed; }

#else

struct Inflater::Stream {};
Inflater::Inflater(const InputFile& file, std::int64_t /*offset*/) {
  throw cannotRead(ErrorKind::Unsupported, file.shown(), "its voxels are compressed and this build has no zlib",
                   "save it uncompressed (encoding: raw), or use a build with zlib");
}
Inflater::~Inflater() = default;
std::size_t Inflater::readSome(std::span<std::byte> /*out*/) { return 0; }
void Inflater::read(std::span<std::byte> /*out*/, std::int64_t /*done*/, std::int64_t /*needed*/) {}
void Inflater::requireChecksum(const Control& /*control*/) {}

struct Deflater::Stream {};
Deflater::Deflater(Wrap /*wrap*/, Sink /*sink*/) { throw std::logic_error("a build without zlib compresses nothing"); }
Deflater::~Deflater() = default;
void Deflater::write(std::span<const std::byte> /*bytes*/, const Control& /*control*/) {}
void Deflater::finish() {}
std::int64_t Deflater::packedBytes() const { return 0; }

#endif

std::int64_t unpackedBytesOf(const InputFile& file, std::int64_t offset, const Control& control) {
  Inflater stream(file, offset);
  std::vector<std::byte> scratch(std::size_t{1} << 18);
  for (std::int64_t bytes = 0;;) {
    control.check();
    const std::size_t count = stream.readSome(scratch);
    bytes += static_cast<std::int64_t>(count);
    if (count < scratch.size()) return bytes;
  }
}

std::string unpackedHead(const InputFile& file, std::size_t most) {
  if (!file.isGzip()) return file.text(0, most);
  try {
    std::string head(most, '\0');
    head.resize(Inflater(file, 0).readSome(std::as_writable_bytes(std::span(head))));
    return head;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace sscope::io
