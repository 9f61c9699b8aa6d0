// sscope-reader: all formats; the voxels of .vti files are left to the program beside it. Loading VTK's libraries would
// slow down the start for all other formats.

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.h"
#include "core/io/base/sniff.h"
#include "core/io/reader/decode_input.h"

namespace sscope::io {

namespace fs = std::filesystem;

void continueElsewhere(const Request& request, const Input& input) {
  // Places and parts of .vti files are found without VTK.
  const bool voxels =
      request.kind == kVoxelsRequest || request.kind == kHeaderRequest || request.kind == kSourceRequest;
  if (!voxels || input.file == nullptr || sniffFormat(*input.file) != FormatId::vti) return;
  std::vector<std::string> words = argumentsOf(request);
  words.insert(words.begin(), (fs::read_symlink("/proc/self/exe").parent_path() / "sscope-reader-vti").string());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  throw Error(ErrorKind::Io, "cannot start the reader program " + words.front() + " (" + std::strerror(errno) + ")",
              "install Stencilscope again");
}

LocatedVolume locateInput(const Input& input, const Control& control) { return locate(input, control); }

}  // namespace sscope::io
