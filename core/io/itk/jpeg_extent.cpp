#include "core/io/itk/jpeg_extent.h"

#include <cerrno>
#include <fstream>

#include "core/io/file_error.h"

namespace sscope::io {

namespace {

constexpr int kEnd = 0xd9, kFirstRestart = 0xd0, kLastRestart = 0xd7, kTemporary = 0x01, kStart = 0xd8;

// The next marker behind coded pixels, in which 0xff is followed by 0; -1 at the end of the file.
int nextMarker(std::istream& file) {
  for (int c = file.get(); c != EOF; c = file.get()) {
    if (c != 0xff) continue;
    while (c == 0xff) c = file.get();
    if (c != 0) return c;
  }
  return -1;
}

}  // namespace

bool endsAsJpeg(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cannotReadErrno(path, errno);
  for (int marker = nextMarker(file); marker >= 0; marker = nextMarker(file)) {
    if (marker == kEnd) return true;
    const bool bare = (marker >= kFirstRestart && marker <= kLastRestart) || marker == kTemporary || marker == kStart;
    if (bare) continue;
    // A segment says its own length; the coded pixels behind a scan's header are searched for the next marker.
    const int high = file.get(), low = file.get();
    if (low == EOF) return false;
    const int length = high * 256 + low;
    if (length < 2) return true;  // nonsense, but not missing
    file.seekg(length - 2, std::ios::cur);
  }
  return false;
}

}  // namespace sscope::io
