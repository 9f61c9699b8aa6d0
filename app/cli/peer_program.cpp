#include "app/cli/peer_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/base/error.h"

namespace sscope::cli {

namespace {

// Whether a list of engines or contenders, or an option with one, names a peer.
bool namesPeer(std::string_view argument) {
  while (!argument.empty()) {
    const std::size_t end = argument.find_first_of(",=+");
    const std::string_view word = argument.substr(0, end);
    if (word == "peers" || word.starts_with("peer:")) return true;
    if (end == std::string_view::npos) break;
    argument.remove_prefix(end + 1);
  }
  return false;
}

bool asksForPeers(int argc, char** argv) {
  if (argc < 2) return false;
  const std::string_view command = argv[1];
  if (command != "bench" && command != "compare") return false;
  for (int i = 2; i < argc; ++i)
    if (namesPeer(argv[i])) return true;
  return false;
}

}  // namespace

void becomePeerProgramIfNamed(int argc, char** argv) {
  if (!asksForPeers(argc, argv)) return;
  std::error_code error;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "sscope-peers";
  execv(program.c_str(), argv);
  if (errno == ENOENT)
    throw Error(ErrorKind::Usage, "other libraries are not part of this build: there is no " + program.string(),
                "build it with ./run --all, or omit the peers");
  throw Error(ErrorKind::Usage, "cannot start " + program.string() + ": " + std::strerror(errno));
}

}  // namespace sscope::cli
