// sscope-reader: everything but .vti, which is handed on to the program beside it. Loading VTK's libraries would slow
// down the start for all the others.

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/io/any/read_any.h"
#include "core/io/base/file_error.h"
#include "core/io/base/selection.h"
#include "core/io/base/sniff.h"
#include "core/io/itk/image_io.h"
#include "core/io/reader/decode_input.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// What a person says of voxels comes before what they look like.
bool isVti(const Selection& selection) {
  std::error_code code;
  return !selection.correction.raw && fs::is_regular_file(selection.path, code) &&
         sniffFormat(selection.path) == FormatId::vti;
}

}  // namespace

void continueElsewhere(const Request& request) {
  // Where voxels lie, and what parts there are, is found without VTK.
  if (!request.ofVolume() || request.kind == kPlaceRequest || request.kind == kUnpackRequest ||
      request.kind == kPartsRequest || !isVti(parseSelection(request.path)))
    return;
  std::vector<std::string> words = argumentsOf(request);
  words.insert(words.begin(), (fs::read_symlink("/proc/self/exe").parent_path() / "sscope-reader-vti").string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  throw Error(ErrorKind::Io, "cannot start the reader program " + words.front() + " (" + std::strerror(errno) + ")",
              "install Stencilscope again");
}

VolumeInfo decodeInput(const std::string& path, bool /*headerOnly*/, const AllocateVoxels& allocate,
                       const Control& control) {
  silenceItk();
  return readAny(path, allocate, control);
}

}  // namespace sscope::io
