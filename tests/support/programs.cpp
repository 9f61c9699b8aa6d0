#include "tests/support/programs.h"

namespace sscope::test {

namespace fs = std::filesystem;

namespace {
const fs::path& folder() {
  static const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  return folder;
}
}  // namespace

std::string builtProgram(const std::string& name) { return folder() / name; }

bool hasItk() { return fs::exists(builtProgram("sscope-reader-vti")); }

fs::path keptCache() { return folder().parent_path() / "tests" / "cache"; }

}  // namespace sscope::test
