#pragma once
// Sessions kept while somebody works, so that a crash or a power cut loses seconds and no more. Every window keeps one
// file in a folder of the user's and holds a lock beside it, which the system releases however the program ends: a file
// whose lock is free was left behind.

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "core/session/session.h"

namespace sscope {

struct KeptSession {
  Session session;
  std::string file;      // where the user saved it last; empty: nowhere
  bool changed = false;  // since then
  bool operator==(const KeptSession&) const = default;
};

// $XDG_STATE_HOME/stencilscope/running or ~/.local/state/stencilscope/running; not created here. Empty where neither
// variable is set.
[[nodiscard]] std::filesystem::path keptSessionsFolder();

// The file of one running window. All calls may come from any thread.
class SessionKeeper {
 public:
  // Creates the folder, for the user alone. Throws Error(Io).
  explicit SessionKeeper(const std::filesystem::path& folder);
  // Lets the lock go and leaves what was kept to the next start.
  ~SessionKeeper();
  SessionKeeper(const SessionKeeper&) = delete;
  SessionKeeper& operator=(const SessionKeeper&) = delete;

  void keep(const KeptSession& session);  // atomically; throws Error(Io)
  // Nothing is worth keeping any more.
  void drop();
  // drop(), and nothing is kept from here on: the window was closed.
  void end();

 private:
  std::filesystem::path file_;
  std::mutex mutex_;
  int lock_ = -1;
};

// What a program that was killed left behind. While one has it, no other window finds it.
class LeftSession {
 public:
  // The newest one of the folder; empty: none. Files that cannot be read are left where they are.
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
