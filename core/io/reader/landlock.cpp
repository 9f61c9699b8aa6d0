// Landlock through its system calls: the C library has no functions for them.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "core/io/base/descriptor.h"
#include "core/io/reader/sandbox.h"

#if defined(__NR_landlock_create_ruleset) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

namespace sscope::io {

#ifdef LANDLOCK_CREATE_RULESET_VERSION

namespace {

// As the newest kernel knows them; older headers have fewer names than the running kernel has bits.
struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};

// What each version of the interface added: bits of file rights handled, and bytes of the attributes.
struct Version {
  std::uint64_t files;
  std::size_t bytes;
};
constexpr std::uint64_t allUpTo(int bit) { return (std::uint64_t{2} << bit) - 1; }
constexpr std::array<Version, 6> kVersions = {{{allUpTo(12), 8},     // 1: all but the following
                                               {allUpTo(13), 8},     // 2: linking and renaming between folders
                                               {allUpTo(14), 8},     // 3: truncating
                                               {allUpTo(14), 16},    // 4: TCP
                                               {allUpTo(15), 16},    // 5: ioctl on devices
                                               {allUpTo(15), 24}}};  // 6: signals and abstract sockets
constexpr std::uint64_t kTcp = 3, kScopes = 3;

void allowReading(int rules, const std::filesystem::path& path) {
  const Descriptor place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat status {};
  if (!place.valid() || ::fstat(place.get(), &status) != 0) return;  // the decoder says what is wrong
  landlock_path_beneath_attr beneath{};
  beneath.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
  if (S_ISDIR(status.st_mode)) beneath.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
  beneath.parent_fd = place.get();
  static_cast<void>(::syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0));
}

}  // namespace

bool confineFiles(const std::vector<std::filesystem::path>& readable) {
  const long newest = ::syscall(__NR_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (newest < 1) return false;
  const Version version = kVersions[std::min<std::size_t>(static_cast<std::size_t>(newest), kVersions.size()) - 1];
  const RulesetAttributes attributes{version.files, kTcp, kScopes};
  const Descriptor rules(static_cast<int>(::syscall(__NR_landlock_create_ruleset, &attributes, version.bytes, 0)));
  if (!rules.valid()) return false;
  for (const std::filesystem::path& path : readable) allowReading(rules.get(), path);
  return ::syscall(__NR_landlock_restrict_self, rules.get(), 0) == 0;
}

#else

bool confineFiles(const std::vector<std::filesystem::path>& /*readable*/) { return false; }

#endif

}  // namespace sscope::io
