#include "core/io/zarr/zarr_codecs.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/error.h"
#include "core/io/base/file_error.h"
#ifdef SSCOPE_IO_ZLIB
#include <zlib.h>
#endif
#ifdef SSCOPE_IO_ZSTD
#include <zstd.h>
#endif
#ifdef SSCOPE_IO_BLOSC
#include <blosc.h>
#endif
#ifdef SSCOPE_IO_LZ4
#include <lz4.h>
#endif

namespace sscope::io {

namespace {

using PackedBytes = std::span<const std::byte>;

[[maybe_unused]] Error lackingCodec(const std::string& shown, const std::string& codec, const std::string& package) {
  return cannotRead(ErrorKind::Unsupported, shown, "it is packed by " + codec + ", which this build lacks",
                    "install " + package + " and build again");
}

[[maybe_unused]] Error brokenCodec(const std::string& shown, const std::string& codec) {
  return damaged(shown, "its " + codec + " data are damaged");
}

// Makes room for what a header claims.
[[maybe_unused]] void makeRoom(std::vector<std::byte>& out, double claimed, std::size_t most,
                               const std::string& shown) {
  if (claimed > static_cast<double>(most))
    throw damaged(
        shown, "it claims to hold " + bytesText(claimed) + " and a chunk has " + bytesText(static_cast<double>(most)));
  out.resize(static_cast<std::size_t>(claimed));
}

#ifdef SSCOPE_IO_ZLIB
struct ChunkInflater {
  z_stream stream{};
  ~ChunkInflater() { inflateEnd(&stream); }
};
#endif

void unpackDeflate([[maybe_unused]] PackedBytes in, [[maybe_unused]] std::size_t most, const std::string& shown,
                   [[maybe_unused]] std::vector<std::byte>& out) {
#ifdef SSCOPE_IO_ZLIB
  constexpr std::size_t kDensest = 1032, kSpare = 64;
  ChunkInflater inflater;
  z_stream& stream = inflater.stream;
  constexpr int kAnyHeader = 15 + 32;
  if (inflateInit2(&stream, kAnyHeader) != Z_OK) throw std::bad_alloc();
  out.resize(std::min(most, in.size() * kDensest + kSpare));
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = inflate(&stream, Z_FINISH);
  if (code != Z_STREAM_END || stream.avail_in != 0) throw brokenCodec(shown, "deflate");
  out.resize(stream.total_out);
#else
  throw lackingCodec(shown, "deflate", "zlib1g-dev");
#endif
}

void unpackZstd([[maybe_unused]] PackedBytes in, [[maybe_unused]] std::size_t most, const std::string& shown,
                [[maybe_unused]] std::vector<std::byte>& out) {
#ifdef SSCOPE_IO_ZSTD
  const unsigned long long claimed = ZSTD_getFrameContentSize(in.data(), in.size());
  if (claimed == ZSTD_CONTENTSIZE_ERROR) throw brokenCodec(shown, "zstd");
  makeRoom(out, claimed == ZSTD_CONTENTSIZE_UNKNOWN ? static_cast<double>(most) : static_cast<double>(claimed), most,
           shown);
  const std::size_t got = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(got) != 0U) throw brokenCodec(shown, "zstd");
  out.resize(got);
#else
  throw lackingCodec(shown, "zstd", "libzstd-dev");
#endif
}

void unpackBlosc([[maybe_unused]] PackedBytes in, [[maybe_unused]] std::size_t most, const std::string& shown,
                 [[maybe_unused]] std::vector<std::byte>& out) {
#ifdef SSCOPE_IO_BLOSC
  std::size_t claimed = 0;
  if (in.size() < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(in.data(), in.size(), &claimed) < 0)
    throw brokenCodec(shown, "blosc");
  makeRoom(out, static_cast<double>(claimed), most, shown);
  if (claimed == 0) return;
  const int got = blosc_decompress_ctx(in.data(), out.data(), claimed, 1);
  if (got < 0 || static_cast<std::size_t>(got) != claimed) throw brokenCodec(shown, "blosc");
#else
  throw lackingCodec(shown, "blosc", "libblosc-dev");
#endif
}

void unpackLz4([[maybe_unused]] PackedBytes in, [[maybe_unused]] std::size_t most, const std::string& shown,
               [[maybe_unused]] std::vector<std::byte>& out) {
#ifdef SSCOPE_IO_LZ4
  std::uint32_t claimed = 0;
  if (in.size() < sizeof claimed) throw brokenCodec(shown, "lz4");
  for (std::size_t i = 0; i < sizeof claimed; ++i) claimed |= static_cast<std::uint32_t>(in[i]) << (8 * i);
  makeRoom(out, static_cast<double>(claimed), most, shown);
  const PackedBytes block = in.subspan(sizeof claimed);
  const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
                                      static_cast<int>(block.size()), static_cast<int>(out.size()));
  if (got < 0 || static_cast<std::size_t>(got) != out.size()) throw brokenCodec(shown, "lz4");
#else
  throw lackingCodec(shown, "lz4", "liblz4-dev");
#endif
}

PackedBytes checkedBytes(PackedBytes in, const std::string& shown) {
  constexpr std::size_t kSum = 4;
  if (in.size() < kSum) throw damaged(shown, "it is cut off before its checksum");
  std::uint32_t sum = 0;
  const PackedBytes rest = in.first(in.size() - kSum);
  for (std::size_t i = 0; i < kSum; ++i) sum |= static_cast<std::uint32_t>(in[rest.size() + i]) << (8 * i);
  if (sum != crc32c(rest)) throw damaged(shown, "its checksum is another");
  return rest;
}

}  // namespace

std::optional<ZarrCodec> zarrCodecOf(std::string_view word) {
  constexpr std::string_view kPrefix = "numcodecs.";
  if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
  if (word == "gzip" || word == "zlib") return ZarrCodec::deflate;
  if (word == "zstd") return ZarrCodec::zstd;
  if (word == "blosc") return ZarrCodec::blosc;
  if (word == "lz4") return ZarrCodec::lz4;
  if (word == "crc32c") return ZarrCodec::crc32c;
  return std::nullopt;
}

std::uint32_t crc32c(PackedBytes bytes) {
  // Four bytes at a time, each through a table of its own.
  static const auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 4> t{};
    constexpr std::uint32_t kPolynomial = 0x82f63b78;
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) != 0 ? kPolynomial : 0);
      t[0][i] = value;
    }
    for (std::size_t k = 1; k < t.size(); ++k)
      for (std::size_t i = 0; i < 256; ++i) t[k][i] = (t[k - 1][i] >> 8) ^ t[0][t[k - 1][i] & 0xff];
    return t;
  }();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(bytes[i]); };
  std::uint32_t sum = 0xffffffff;
  std::size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    sum ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    sum = tables[3][sum & 0xff] ^ tables[2][(sum >> 8) & 0xff] ^ tables[1][(sum >> 16) & 0xff] ^ tables[0][sum >> 24];
  }
  for (; i < bytes.size(); ++i) sum = (sum >> 8) ^ tables[0][(sum ^ byte(i)) & 0xff];
  return ~sum;
}

void unpackChunk(PackedBytes packed, const std::vector<ZarrCodec>& codecs, std::size_t bytes, const std::string& shown,
                 std::vector<std::byte>& out, std::vector<std::byte>& other) {
  if (packed.size() > std::numeric_limits<std::int32_t>::max())
    throw damaged(shown, "it is longer than packed chunks are");
  PackedBytes now = packed;
  bool inOther = false;
  for (std::size_t k = codecs.size(); k-- > 0;) {
    if (codecs[k] == ZarrCodec::crc32c) {
      now = checkedBytes(now, shown);
      continue;
    }
    std::vector<std::byte>& room = inOther ? out : other;
    // What another codec made may be somewhat longer than the chunk.
    constexpr std::size_t kSpare = 1 << 16;
    const std::size_t most = k == 0 ? bytes : bytes + bytes / 8 + kSpare;
    switch (codecs[k]) {
      case ZarrCodec::deflate: unpackDeflate(now, most, shown, room); break;
      case ZarrCodec::zstd: unpackZstd(now, most, shown, room); break;
      case ZarrCodec::blosc: unpackBlosc(now, most, shown, room); break;
      case ZarrCodec::lz4: unpackLz4(now, most, shown, room); break;
      case ZarrCodec::crc32c: break;
    }
    now = room;
    inOther = !inOther;
  }
  if (now.size() != bytes)
    throw damaged(shown, "it holds " + std::to_string(now.size()) + " bytes, and a chunk has " + std::to_string(bytes));
  if (now.data() == other.data()) {
    out.swap(other);
    out.resize(bytes);
  } else if (now.data() != out.data()) {
    out.assign(now.begin(), now.end());
  } else {
    out.resize(bytes);
  }
}

ZarrPacking bestPacking() {
#if defined(SSCOPE_IO_BLOSC)
  return ZarrPacking::blosc;
#elif defined(SSCOPE_IO_ZSTD)
  return ZarrPacking::zstd;
#elif defined(SSCOPE_IO_ZLIB)
  return ZarrPacking::gzip;
#else
  return ZarrPacking::none;
#endif
}

void packChunk(PackedBytes bytes, [[maybe_unused]] std::size_t size, ZarrPacking packing, std::vector<std::byte>& out) {
  switch (packing) {
    case ZarrPacking::none: break;
    case ZarrPacking::blosc: {
#ifdef SSCOPE_IO_BLOSC
      constexpr int kLevel = 5;
      out.resize(bytes.size() + BLOSC_MAX_OVERHEAD);
      const int got = blosc_compress_ctx(kLevel, size > 1 ? BLOSC_SHUFFLE : BLOSC_NOSHUFFLE, size, bytes.size(),
                                         bytes.data(), out.data(), out.size(), BLOSC_ZSTD_COMPNAME, 0, 1);
      if (got <= 0) throw std::runtime_error("blosc cannot pack a chunk");
      return out.resize(static_cast<std::size_t>(got));
#else
      break;
#endif
    }
    case ZarrPacking::zstd: {
#ifdef SSCOPE_IO_ZSTD
      constexpr int kLevel = 3;
      out.resize(ZSTD_compressBound(bytes.size()));
      const std::size_t got = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
      if (ZSTD_isError(got) != 0U) throw std::runtime_error("zstd cannot pack a chunk");
      return out.resize(got);
#else
      break;
#endif
    }
    case ZarrPacking::gzip: {
#ifdef SSCOPE_IO_ZLIB
      constexpr int kLevel = 5, kGzipHeader = 15 + 16, kUsualMemory = 8;
      z_stream stream{};
      if (deflateInit2(&stream, kLevel, Z_DEFLATED, kGzipHeader, kUsualMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
      out.resize(deflateBound(&stream, bytes.size()));
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(bytes.size());
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      const int code = deflate(&stream, Z_FINISH);
      out.resize(stream.total_out);
      deflateEnd(&stream);
      if (code != Z_STREAM_END) throw std::runtime_error("deflate cannot pack a chunk");
      return;
#else
      break;
#endif
    }
  }
  out.assign(bytes.begin(), bytes.end());
}

}  // namespace sscope::io
