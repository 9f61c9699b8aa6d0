#pragma once
// Autosaved sessions, so that a crash or power cut loses only seconds of work. Every window keeps one file in a folder
// of the user and holds a lock file next to it, which the system releases however the program ends. A file with a free
// lock was left behind.

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "core/session/session.h"

namespace sscope {

struct KeptSession {
  Session session;
  std::string file;      // where the user last saved it; empty: never saved
  bool changed = false;  // since then
  bool operator==(const KeptSession&) const = default;
};

// $XDG_STATE_HOME/stencilscope/running or ~/.local/state/stencilscope/running; not created here. Empty if neither
// variable is set.
[[nodiscard]] std::filesystem::path keptSessionsFolder();

// The autosave file of one running window. Thread-safe.
class SessionKeeper {
 public:
  // Creates the folder, for the user alone. Throws Error(Io).
  explicit SessionKeeper(const std::filesystem::path& folder);
  // Releases the lock and leaves the file for the next start.
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  void keep(const KeptSession& session);  // atomically; throws Error(Io)
  // Deletes the file until the next keep().
  void drop();
  // drop(), and ignores further keep() calls: the window was closed.
  void end();

 private:
  std::filesystem::path file_;
  std::mutex mutex_;
  int lock_ = -1;
};

// A session that a killed program left behind. While this object exists, no other window finds it.
class LeftSession {
 public:
  // The newest one in the folder, if any. Unreadable files are left alone.
  [[nodiscard]] static std::optional<LeftSession> find(const std::filesystem::path& folder);
  LeftSession(LeftSession&& other) noexcept;
  LeftSession& operator=(LeftSession&& other) noexcept;
  ~LeftSession();

  [[nodiscard]] const KeptSession& kept() const { return kept_; }
  [[nodiscard]] std::filesystem::file_time_type when() const { return when_; }
  void remove();

 private:
  LeftSession() = default;
  KeptSession kept_;
  std::filesystem::path file_;
  std::filesystem::file_time_type when_;
  int lock_ = -1;
};

}  // namespace sscope
