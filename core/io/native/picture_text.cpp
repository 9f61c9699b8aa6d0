#include "core/io/native/picture_text.h"

#include <algorithm>
#include <fstream>

#include "core/io/native/png_check.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

// The next bytes; fewer at the end.
std::string takeBytes(std::ifstream& file, std::size_t count) {
  std::string bytes(count, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::size_t bigEndianOf(std::string_view bytes) {
  std::size_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

}  // namespace

std::string provenanceOfPng(const std::string& path) {
  constexpr std::size_t kSignature = 8, kChecksum = 4;
  const std::string keyword = kProvenanceKey + std::string(1, '\0');
  // Not compressed, of no language, without a translated keyword.
  const std::string start = keyword + std::string(4, '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(kSignature);
  for (std::string head = takeBytes(file, 8); head.size() == 8 && !head.ends_with("IDAT"); head = takeBytes(file, 8)) {
    const std::size_t size = bigEndianOf(std::string_view(head).substr(0, 4));
    const std::string kind = head.substr(4);
    if (kind == "iTXt" || kind == "tEXt" || kind == "zTXt") {
      const std::string begin = takeBytes(file, std::min(size, start.size()));
      if (begin.starts_with(keyword)) {
        if (begin != start || kind != "iTXt")
          return unreadable("it is compressed, or in a chunk of another kind than this program writes");
        if (size > kLongestProvenance + start.size()) return unreadable("it is too long");
        const std::string text = begin + takeBytes(file, size - begin.size());
        if (bigEndianOf(takeBytes(file, kChecksum)) != pngChecksum(kind + text))
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

std::string provenanceOfJpeg(const std::string& path) {
  constexpr std::size_t kMarker = 4;  // with the length behind it
  std::ifstream file(path, std::ios::binary);
  file.seekg(2);
  for (std::string head = takeBytes(file, kMarker); head.size() == kMarker && head[0] == '\xff' && head[1] != '\xda';
       head = takeBytes(file, kMarker)) {
    const std::size_t size = bigEndianOf(std::string_view(head).substr(2));
    if (size < 2) break;
    if (head[1] != '\xfe') {
      file.seekg(static_cast<std::streamoff>(size - 2), std::ios::cur);
      continue;
    }
    const std::string text = takeBytes(file, size - 2);
    if (text.starts_with(kJpegProvenance)) return text.substr(kJpegProvenance.size());
  }
  return {};
}

}  // namespace sscope::io
