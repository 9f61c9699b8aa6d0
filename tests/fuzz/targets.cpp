#include "tests/fuzz/targets.h"

#include <fstream>
#include <new>

#include "core/base/error.h"
#include "tests/support/support.h"

namespace sscope::test {

namespace {

bool isOneSentence(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos && text.back() != '.';
}

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// With its neighbors in it.
const TemporaryFolder& folder() {
  static const TemporaryFolder folder;
  static const bool made = [] {
    std::string voxels;
    for (int i = 0; i < 4096; ++i) voxels += static_cast<char>(37 * i);
    for (const char* name : {"input.raw", "input.img"}) put(folder / name, voxels);
    return true;
  }();
  static_cast<void>(made);
  return folder;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> result = volumeTargets();
    for (const auto& more : {linkTargets(), textTargets()}) result.insert(result.end(), more.begin(), more.end());
    return result;
  }();
  return all;
}

std::string outcomeOf(const std::function<std::string()>& read) {
  try {
    return read();
  } catch (const Error& error) {
    return isOneSentence(error.what()) ? std::string() : "its error is not one sentence: " + std::string(error.what());
  } catch (const std::bad_alloc&) {
    return {};
  } catch (const std::exception& error) {
    return std::string("an exception of another kind: ") + error.what();
  }
}

std::string putFile(const std::string& name, const std::string& bytes) {
  put(folder() / name, bytes);
  return folder() / name;
}

}  // namespace sscope::test
