#pragma once
// Autosaves the open session shortly after every change, so that a crash loses little.

#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>

#include "core/session/kept_session.h"
#include "ui/base/background_task.h"

namespace sscope {

class RunningSession : public QObject {
  Q_OBJECT
 public:
  // `now` returns the open session; it is called every other second, and changes are written in the background. Throws
  // Error(Io) if the folder cannot be used.
  RunningSession(const std::filesystem::path& folder, std::function<KeptSession()> now, QObject* parent = nullptr);

  // Writes the open session before it returns.
  void keepNow();
  // Deletes the file and stops autosaving.
  void end();

 private:
  void look();

  std::function<KeptSession()> now_;
  KeptSession kept_;  // content of the file
  QTimer timer_;
  std::shared_ptr<SessionKeeper> keeper_;
  BackgroundTask writing_;
};

}  // namespace sscope
