#include "core/base/leftovers.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <string_view>
#include <system_error>

#include "core/base/encoding.h"

namespace sscope {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPart = ".part-";

// Identifies this boot and this container: process ids of others mean nothing here, and machines can share folders.
const std::string& machineMark() {
  static const std::string mark = [] {
    std::string boot;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
    struct stat space {};
    if (boot.empty() || ::stat("/proc/self/ns/pid", &space) != 0) return std::string("0");
    return std::to_string(hashOf(boot + std::to_string(space.st_ino)) % 1000000007);
  }();
  return mark;
}

// A name of the maximum length leaves no room for the prefix, so only its end is used: it holds the extension.
std::string nameEnd(const std::string& name) {
  constexpr std::size_t kMost = 200;
  return name.size() <= kMost ? name : name.substr(name.size() - kMost);
}

struct Temporary {
  pid_t maker = 0;
  std::string name;  // its final name
};

// Empty if it is not a temporary name, or one of another machine.
std::optional<Temporary> temporaryOf(const std::string& file) {
  if (machineMark() == "0" || !file.starts_with(kPart)) return {};
  std::size_t at = kPart.size();
  const auto number = [&](std::size_t mostDigits) -> std::optional<std::string> {
    const std::size_t dash = file.find('-', at);
    if (dash == std::string::npos) return {};
    std::string text = file.substr(at, dash - at);
    at = dash + 1;
    if (text.empty() || text.size() > mostDigits ||
        !std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; }))
      return {};
    return text;
  };
  constexpr std::size_t kOfProcess = 9, kOfRandom = 20;
  const auto maker = number(kOfProcess);
  if (!maker || !number(kOfRandom)) return {};
  const std::string mark = machineMark() + "-";
  if (file.compare(at, mark.size(), mark) != 0) return {};
  return Temporary{static_cast<pid_t>(std::stol(*maker)), file.substr(at + mark.size())};
}

pid_t makerOf(const fs::path& file) {
  const auto temporary = temporaryOf(file.filename().string());
  return temporary ? temporary->maker : 0;
}

}  // namespace

bool TemporaryFile::isThere() const {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return false;
  if (folder) return S_ISDIR(status.st_mode) && status.st_dev == device && status.st_ino == number;
  if (!S_ISREG(status.st_mode)) return false;
  // Writers may replace the file with one of their own. No other user can make a file that belongs to this user and has
  // only one name.
  return (status.st_dev == device && status.st_ino == number) || (status.st_uid == ::geteuid() && status.st_nlink == 1);
}

namespace {

// `make` makes the file or folder of this name and returns 0, or sets errno.
std::optional<TemporaryFile> madeUnder(const fs::path& folder, const std::string& name, bool isFolder,
                                       const std::function<int(const char*)>& make) {
  constexpr int kTries = 100;
  for (int n = 0; n < kTries; ++n) {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random) return std::nullopt;
    const fs::path path = folder / (std::string(kPart) + std::to_string(::getpid()) + "-" + std::to_string(random) +
                                    "-" + machineMark() + "-" + nameEnd(name));
    if (make(path.c_str()) != 0) {
      if (errno == EEXIST) continue;
      return std::nullopt;
    }
    struct stat status {};
    static_cast<void>(!::lstat(path.c_str(), &status));
    return TemporaryFile{path, status.st_dev, status.st_ino, isFolder};
  }
  return std::nullopt;
}

}  // namespace

std::optional<TemporaryFile> makeTemporary(const fs::path& folder, const std::string& name, mode_t mode) {
  return madeUnder(folder, name, false, [mode](const char* path) {
    const int file = ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (file >= 0) ::close(file);
    return file >= 0 ? 0 : -1;
  });
}

std::optional<TemporaryFile> makeTemporaryFolder(const fs::path& folder, const std::string& name, mode_t mode) {
  return madeUnder(folder, name, true, [mode](const char* path) { return ::mkdir(path, mode); });
}

Leftovers::Folder& Leftovers::look(const fs::path& path) {
  constexpr std::chrono::minutes kFresh(1);
  const auto now = std::chrono::steady_clock::now();
  const auto [place, isNew] = folders_.try_emplace(path);
  Folder& folder = place->second;
  if (!isNew && folder.asked++ < folder.entries && now - folder.read < kFresh) return folder;
  folder = {now, 0, 0, {}};
  std::error_code code;
  for (auto entry = fs::directory_iterator(path, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    ++folder.entries;
    if (auto temporary = temporaryOf(entry->path().filename().string()))
      folder.files.emplace(std::move(temporary->name), entry->path());
  }
  entriesRead_ += folder.entries;
  return folder;
}

void removeTemporary(const fs::path& file) noexcept {
  struct stat status {};
  if (::lstat(file.c_str(), &status) != 0) return;
  if (!S_ISDIR(status.st_mode)) {
    ::unlink(file.c_str());
    return;
  }
  if (!file.filename().string().starts_with(kPart)) return;
  // Another thread may still be writing into it.
  constexpr int kTries = 1000;
  std::error_code ignored;
  for (int n = 0; n < kTries && ::lstat(file.c_str(), &status) == 0; ++n) fs::remove_all(file, ignored);
}

void Leftovers::remove(const fs::path& folder, const std::string& name) {
  const std::lock_guard lock(mutex_);
  const Folder& known = look(folder);
  const auto [begin, end] = known.files.equal_range(nameEnd(name));
  for (auto file = begin; file != end; ++file) {
    const pid_t maker = makerOf(file->second);
    if (maker <= 0 || ::kill(maker, 0) == 0 || errno != ESRCH) continue;
    struct stat status {};
    if (::lstat(file->second.c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    std::error_code ignored;
    if (S_ISREG(status.st_mode)) ::unlink(file->second.c_str());
    if (S_ISDIR(status.st_mode)) fs::remove_all(file->second, ignored);
  }
}

std::size_t Leftovers::entriesRead() const {
  const std::lock_guard lock(mutex_);
  return entriesRead_;
}

}  // namespace sscope
