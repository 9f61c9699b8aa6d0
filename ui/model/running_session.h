#pragma once
// Keeps the session that is open in a file of the user's, a moment after every change, so that a crash loses little.

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
  // `now` gives what is open; it is looked at every other second and written in the background where it differs.
  // Throws Error(Io) when the folder cannot be used.
  RunningSession(const std::filesystem::path& folder, std::function<KeptSession()> now, QObject* parent = nullptr);

  // Writes what is open before it returns.
  void keepNow();
  // Nothing is left behind; nothing is kept any more.
  void end();

 private:
  void look();

  std::function<KeptSession()> now_;
  KeptSession kept_;  // what the file holds
  QTimer timer_;
  std::shared_ptr<SessionKeeper> keeper_;
  BackgroundTask writing_;
};

}  // namespace sscope
