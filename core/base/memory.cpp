#include "core/base/memory.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/words.h"

namespace sscope {

namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kLargePage = 2 << 20;
// No process has more addresses on existing processors, so larger requests fail without a call of the allocator.
constexpr std::size_t kAddresses = std::size_t{1} << 47;

namespace fs = std::filesystem;

// The number after `word` at the beginning of a line.
std::optional<std::int64_t> valueAfter(const fs::path& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string key; file >> key; file.ignore(std::numeric_limits<std::streamsize>::max(), '\n'))
    if (std::int64_t value = 0; key == word && file >> value) return value;
  return {};
}

// The number in a file; empty if it holds a word such as "max".
std::optional<std::int64_t> numberIn(const fs::path& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;
  return {};
}

// The files in the folder of a control group, by version.
struct GroupFiles {
  const char *limit, *usage, *reclaimable;
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};

// The bytes that the group `path` below `root` and its parents leave: for each, the limit minus the used memory,
// without cached files, which the system would drop. A container sees its own group at the root, whatever the path is.
std::int64_t leftTo(const fs::path& root, const fs::path& path, const GroupFiles& files) {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  const auto consider = [&](const fs::path& group) {
    const auto limit = numberIn(group / files.limit), used = numberIn(group / files.usage);
    if (!limit || !used) return;
    const std::int64_t cached = valueAfter(group / "memory.stat", files.reclaimable).value_or(0);
    left = std::min(left, std::max<std::int64_t>(*limit - std::max<std::int64_t>(*used - cached, 0), 0));
  };
  for (fs::path group = path.relative_path(); !group.empty(); group = group.parent_path()) consider(root / group);
  consider(root);
  return left;
}

// Reads lines "id:controllers:path"; the line of version 2 has no controllers.
std::int64_t leftToGroups(const MemoryFiles& files) {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  std::ifstream groups(files.ownGroups);
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path path = line.substr(second + 1);
    if (controllers == ",,") {
      // Next to version 1 it may be mounted one folder further down.
      left = std::min({left, leftTo(files.groups, path, kVersion2), leftTo(files.groups / "unified", path, kVersion2)});
    } else if (controllers.find(",memory,") != std::string::npos) {
      left = std::min(left, leftTo(files.groups / "memory", path, kVersion1));
    }
  }
  return left;
}

}  // namespace

std::int64_t availableMemory(const MemoryFiles& files) {
  constexpr auto kNoLimit = std::numeric_limits<std::int64_t>::max();
  const std::int64_t machine = valueAfter(files.machine, "MemAvailable:").value_or(0) * 1024;
  const std::int64_t groups = leftToGroups(files);
  const std::int64_t least = std::min(machine > 0 ? machine : kNoLimit, groups);
  return least == kNoLimit ? 0 : std::max<std::int64_t>(least, 1);
}

bool fitsInMemory(std::int64_t bytes) {
  const std::int64_t available = availableMemory();
  return available <= 0 || bytes <= available;
}

void requireMemory(std::int64_t needed) {
  if (const std::int64_t available = availableMemory(); available > 0 && needed > available)
    throw Error(ErrorKind::Memory,
                "the run needs " + mebibytes(needed) + " of memory and " + mebibytes(available) + " are free",
                "run fewer filters at once, or choose a smaller output type");
}

void* allocateAligned(std::size_t bytes) {
  if (bytes >= kAddresses) return nullptr;
  const std::size_t alignment = bytes >= 2 * kLargePage ? kLargePage : kAlignment;
  const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, padded);
  if (memory != nullptr && alignment == kLargePage) ::madvise(memory, padded, MADV_HUGEPAGE);  // may fail: only advice
  return memory;
}

void keepNoFreedMemory() {
#ifdef M_MMAP_THRESHOLD
  ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

namespace {

// Reads a line such as "VmRSS:     1234 kB".
std::int64_t statusBytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  constexpr std::int64_t kKibibyte = 1024;
  for (std::string word; status >> word;) {
    std::int64_t value = 0;
    if (word == name && status >> value) return value * kKibibyte;
  }
  return 0;
}

}  // namespace

std::int64_t residentMemory() { return statusBytes("VmRSS:"); }
std::int64_t peakResidentMemory() { return statusBytes("VmHWM:"); }

}  // namespace sscope
