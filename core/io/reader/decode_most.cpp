// sscope-reader: everything but .vti, which is handed on to the program beside it. Loading VTK's libraries would slow
// down the start for all the others.

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/io/file_error.h"
#include "core/io/itk/image_io.h"
#include "core/io/read_any.h"
#include "core/io/reader/decode_input.h"
#include "core/io/sniff.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

bool isVti(const std::string& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && sniffFormat(path) == FormatId::vti;
}

[[noreturn]] void continueAsVtiReader(const std::string& path, bool headerOnly) {
  std::string program = (fs::read_symlink("/proc/self/exe").parent_path() / "sscope-reader-vti").string();
  std::string mode = headerOnly ? "probe" : "read", file = path;
  char* arguments[] = {program.data(), mode.data(), file.data(), nullptr};
  ::execv(program.c_str(), arguments);
  throw Error(ErrorKind::Io, "cannot start the reader program " + program + " (" + std::strerror(errno) + ")",
              "install Stencilscope again");
}

}  // namespace

VolumeInfo decodeInput(const std::string& path, bool headerOnly, const AllocateVoxels& allocate) {
  silenceItk();
  if (isVti(path)) continueAsVtiReader(path, headerOnly);
  return readAny(path, allocate, {});
}

}  // namespace sscope::io
