// The program of ./test --fuzz: one of the targets with libFuzzer around it.
//   fuzz --list                      the names of the targets
//   fuzz --target=NAME --seeds=FOLDER [--data=FOLDER]
//                                    puts valid inputs into FOLDER, small real files among them, and ends
//   fuzz --target=NAME CORPUS... [-max_total_time=60 ...]
//   fuzz --target=NAME FILE          runs the target on one input, a crash that was found say

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

namespace fs = std::filesystem;
using sscope::test::Target;

const Target* chosen = nullptr;

std::string valueOf(int argc, char** argv, std::string_view option) {
  for (int i = 1; i < argc; ++i)
    if (const std::string_view word = argv[i]; word.starts_with(option)) return std::string(word.substr(option.size()));
  return {};
}

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "error: %s\n", why.c_str());
  std::exit(2);
}

bool isFor(const Target& target, const std::string& name) {
  for (const std::string& extension : target.extensions)
    if (name.ends_with(extension)) return true;
  return false;
}

void writeSeeds(const Target& target, const fs::path& folder, const fs::path& data) {
  constexpr std::uintmax_t kLargest = 1 << 15;
  int number = 0;
  for (const std::string& seed : target.seeds())
    std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
  if (data.empty() || !fs::is_directory(data)) return;
  for (const auto& entry : fs::recursive_directory_iterator(data))
    if (entry.is_regular_file() && entry.file_size() <= kLargest && isFor(target, entry.path().filename().string()))
      fs::copy_file(entry.path(), folder / ("real" + std::to_string(number++)), fs::copy_options::overwrite_existing);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc > 1 && std::string_view((*argv)[1]) == "--list") {
    for (const Target& target : sscope::test::targets()) std::puts(target.name.c_str());
    std::exit(0);
  }
  const std::string name = valueOf(*argc, *argv, "--target=");
  for (const Target& target : sscope::test::targets())
    if (target.name == name) chosen = &target;
  if (chosen == nullptr) fail("there is no target \"" + name + "\"; fuzz --list names them");
  if (const std::string seeds = valueOf(*argc, *argv, "--seeds="); !seeds.empty()) {
    writeSeeds(*chosen, seeds, valueOf(*argc, *argv, "--data="));
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = chosen->wrong({reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", chosen->name.c_str(), wrong.c_str());
  std::abort();
}
