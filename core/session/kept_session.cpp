#include "core/session/kept_session.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/options/json_members.h"

namespace sscope {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kSchema = "stencilscope.running/1";

fs::path lockOf(fs::path file) { return file.replace_extension(".lock"); }

// The lock of this file, or -1 if another process holds it. The holder of a lock may remove its file, so the locked
// file must still be the one with this name.
int lockFor(const fs::path& file, bool create) {
  const fs::path path = lockOf(file);
  for (int tries = 0; tries < 10; ++tries) {
    const int lock = ::open(path.c_str(), O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
    if (lock < 0) return -1;
    struct stat held {
    }, named{};
    errno = 0;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0 && ::fstat(lock, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
        held.st_ino == named.st_ino && held.st_dev == named.st_dev)
      return lock;
    const bool taken = errno == EWOULDBLOCK;
    ::close(lock);
    if (taken) return -1;
  }
  return -1;
}

void removeFreeLock(const fs::path& path) {
  const int lock = lockFor(path, false);
  if (lock < 0) return;
  std::error_code code;
  fs::remove(path, code);
  ::close(lock);
}

json toJson(const KeptSession& kept) {
  return {
      {"schema", kSchema}, {"file", kept.file}, {"changed", kept.changed}, {"session", sscope::toJson(kept.session)}};
}

KeptSession keptFrom(const fs::path& file) {
  json document;
  try {
    document = parseJson(readTextFile(file));
  } catch (const json::exception&) {
    // Damaged files give no object.
  }
  if (!document.is_object() || json_members::text(document, "schema") != kSchema || !document.contains("session"))
    throw Error(ErrorKind::BadData, "cannot read " + file.string() + ": it is not an autosaved session");
  return {sessionFromJson(document.at("session")), json_members::text(document, "file"),
          json_members::truth(document, "changed", true)};
}

}  // namespace

fs::path keptSessionsFolder() {
  fs::path base;
  if (const char* xdg = std::getenv("XDG_STATE_HOME"); xdg != nullptr && *xdg == '/') {
    base = xdg;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    base = fs::path(home) / ".local" / "state";
  } else {
    return {};
  }
  return base / "stencilscope" / "running";
}

SessionKeeper::SessionKeeper(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (!code) fs::permissions(folder, fs::perms::owner_all, code);
  for (int number = 0; !code && lock_ < 0 && number < 100; ++number) {
    file_ = folder / (std::to_string(::getpid()) + "-" + std::to_string(number) + ".json");
    // A file of an earlier process with this id holds work of the user.
    if (!fs::exists(file_, code)) lock_ = lockFor(file_, true);
  }
  if (lock_ < 0)
    throw Error(ErrorKind::Io, "cannot autosave the session in " + folder.string(),
                "set XDG_STATE_HOME to another folder");
}

SessionKeeper::~SessionKeeper() {
  if (lock_ < 0) return;
  std::error_code code;
  if (!fs::exists(file_, code)) fs::remove(lockOf(file_), code);
  ::close(lock_);
}

void SessionKeeper::keep(const KeptSession& session) {
  const std::string text = toJson(session).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
  const std::lock_guard guard(mutex_);
  if (lock_ >= 0) writeTextFile(file_, text);
}

void SessionKeeper::drop() {
  const std::lock_guard guard(mutex_);
  std::error_code code;
  if (lock_ >= 0) fs::remove(file_, code);
}

void SessionKeeper::end() {
  const std::lock_guard guard(mutex_);
  if (lock_ < 0) return;
  std::error_code code;
  fs::remove(file_, code);
  fs::remove(lockOf(file_), code);
  ::close(std::exchange(lock_, -1));
}

std::optional<LeftSession> LeftSession::find(const fs::path& folder) {
  std::error_code code;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (auto entry = fs::directory_iterator(folder, code); !code && entry != fs::directory_iterator();
       entry.increment(code)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.')) continue;  // being written
    if (path.extension() == ".json") files.emplace_back(fs::last_write_time(path, ignored), path);
    // The lock of a program that was killed before its first autosave.
    if (path.extension() == ".lock" && !fs::exists(fs::path(path).replace_extension(".json"), ignored))
      removeFreeLock(path);
  }
  std::sort(files.rbegin(), files.rend());
  for (const auto& [when, file] : files) {
    LeftSession left;
    left.lock_ = lockFor(file, true);
    if (left.lock_ < 0) continue;
    try {
      left.kept_ = keptFrom(file);
    } catch (const Error&) {
      continue;  // including files that were removed meanwhile
    }
    left.file_ = file;
    left.when_ = when;
    return left;
  }
  return {};
}

LeftSession::LeftSession(LeftSession&& other) noexcept
    : kept_(std::move(other.kept_)),
      file_(std::move(other.file_)),
      when_(other.when_),
      lock_(std::exchange(other.lock_, -1)) {}

LeftSession& LeftSession::operator=(LeftSession&& other) noexcept {
  std::swap(kept_, other.kept_);
  std::swap(file_, other.file_);
  std::swap(when_, other.when_);
  std::swap(lock_, other.lock_);
  return *this;
}

LeftSession::~LeftSession() {
  if (lock_ >= 0) ::close(lock_);
}

void LeftSession::remove() {
  if (lock_ < 0) return;
  std::error_code code;
  fs::remove(file_, code);
  fs::remove(lockOf(file_), code);
  ::close(std::exchange(lock_, -1));
}

}  // namespace sscope
