#include "core/io/native/png.h"

#include <algorithm>
#include <string_view>

#include "core/io/base/file_error.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::size_t kPngSignature = 8, kIhdrBytes = 13, kLongestPalette = 768;

std::uint32_t bigEndian(std::string_view text) {
  std::uint32_t value = 0;
  for (const char c : text.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// The next bytes; fewer at the end.
std::string pngBytes(std::istream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

bool possible(std::string_view ihdr) {
  const int bits = ihdr[8], color = ihdr[9];
  const bool small = bits == 1 || bits == 2 || bits == 4, whole = bits == 8 || bits == 16;
  const bool fits = color == 0   ? small || whole
                    : color == 3 ? small || bits == 8
                                 : (color == 2 || color == 4 || color == 6) && whole;
  return fits && ihdr[10] == 0 && ihdr[11] == 0 && (ihdr[12] == 0 || ihdr[12] == 1);
}

}  // namespace

std::uint32_t pngChecksum(std::string_view text) {
  std::uint32_t sum = 0xffffffff;
  for (const char c : text) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

void requirePngHeader(const InputFile& input) {
  const std::string& path = input.path();
  InputStream file(input);
  const auto bytes = static_cast<std::uint64_t>(input.bytes());
  const auto next = [&](std::size_t count) {
    std::string text(count, '\0');
    if (!file.read(text.data(), static_cast<std::streamsize>(count))) throw damaged(path, "the picture is cut off");
    return text;
  };
  static_cast<void>(next(kPngSignature));
  bool first = true, palette = false, needsPalette = false;
  for (;;) {
    const std::string head = next(8), name = head.substr(4);
    const std::uint32_t length = bigEndian(head);
    const bool header = name == "IHDR", colors = name == "PLTE";
    if (first != header || (header && length != kIhdrBytes) ||
        (colors && (length > kLongestPalette || length % 3 != 0)))
      throw damaged(path, "its header is invalid");
    if (name == "IDAT") break;
    if (name == "IEND" || (colors && palette)) throw damaged(path, "its header is invalid");
    if (length > bytes) throw damaged(path, "the picture is cut off, or its header is damaged");
    if (!header && !colors) {
      file.seekg(std::streamoff{length} + 4, std::ios::cur);
      continue;
    }
    const std::string content = next(length);
    if (pngChecksum(name + content) != bigEndian(next(4)))
      throw damaged(path, "its header is damaged: its checksum is another one");
    palette = palette || colors;
    if (!header) continue;
    first = false;
    needsPalette = content[9] == 3;
    const std::uint32_t width = bigEndian(content), height = bigEndian(content.substr(4));
    if (width == 0 || height == 0 || !possible(content)) throw damaged(path, "its header is invalid");
    constexpr std::uint32_t kLongest = 1'000'000;  // of libpng
    if (width > kLongest || height > kLongest)
      throw cannotRead(ErrorKind::Unsupported, path,
                       "it has " + std::to_string(width) + " x " + std::to_string(height) + " pixels",
                       "cut it into pictures of at most 1000000 pixels an edge");
  }
  if (needsPalette && !palette) throw damaged(path, "its palette is missing");
}

std::string provenanceOfPng(const InputFile& input) {
  constexpr std::size_t kChecksum = 4;
  const std::string keyword = kProvenanceKey + std::string(1, '\0');
  // Not compressed, without a language and a translated keyword.
  const std::string start = keyword + std::string(4, '\0');
  InputStream file(input);
  file.seekg(kPngSignature);
  for (std::string head = pngBytes(file, 8); head.size() == 8 && !head.ends_with("IDAT"); head = pngBytes(file, 8)) {
    const std::size_t size = bigEndian(head);
    const std::string kind = head.substr(4);
    if (kind == "iTXt" || kind == "tEXt" || kind == "zTXt") {
      const std::string begin = pngBytes(file, std::min(size, start.size()));
      if (begin.starts_with(keyword)) {
        if (begin != start || kind != "iTXt")
          return unreadable("it is compressed, or in a chunk of another kind than this program writes");
        if (size > kLongestProvenance + start.size()) return unreadable("it is too long");
        const std::string text = begin + pngBytes(file, size - begin.size());
        if (bigEndian(pngBytes(file, kChecksum)) != pngChecksum(kind + text))
          return unreadable("its checksum is another one");
        return text.substr(start.size());
      }
      file.seekg(static_cast<std::streamoff>(size - begin.size() + kChecksum), std::ios::cur);
    } else {
      file.seekg(static_cast<std::streamoff>(size + kChecksum), std::ios::cur);
    }
  }
  return {};
}

}  // namespace sscope::io
