#pragma once
// Writes files safely: asks before replacing one, and autosaves the open session.

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/job/input_files.h"
#include "core/session/kept_session.h"
#include "ui/base/background_task.h"

class QWidget;

namespace sscope {

// Asks before files are replaced, and never replaces open files.
class WriteGuard : public QObject {
  Q_OBJECT
 public:
  using Open = std::function<InputFiles()>;

  // `open` returns the files that are open.
  explicit WriteGuard(Open open, QObject* parent = nullptr);

  struct Answer {
    std::function<void()> write;
    // Called with the reason if writing was refused; empty if the user declined.
    std::function<void(const QString& reason)> leave;
  };
  // Calls answer.write at once if none of `files` exists; otherwise one question above `over` asks for all of them.
  // Does not block.
  void ask(QWidget* over, const std::vector<std::filesystem::path>& files, const Answer& answer);
  // The sentence that refuses to write an open file; empty if none is open.
  [[nodiscard]] QString refusal(const std::vector<std::filesystem::path>& files) const;

 private:
  Open open_;
};

// Autosaves the open session shortly after every change.
class RunningSession : public QObject {
 public:
  // `now` returns the open session; it is called every two seconds, and changes are written in the background. Throws
  // Error(Io) if the folder cannot be used.
  RunningSession(const std::filesystem::path& folder, std::function<KeptSession()> now, QObject* parent = nullptr);

  // Writes the open session before it returns.
  void keepNow();
  // Deletes the file and stops autosaving.
  void end();

 private:
  void saveChanges();

  std::function<KeptSession()> now_;
  KeptSession kept_;  // content of the file
  QTimer timer_;
  std::shared_ptr<SessionKeeper> keeper_;
  BackgroundTask writing_;
};

}  // namespace sscope
