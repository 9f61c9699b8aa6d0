#pragma once
// Status texts of filtering: "ran on cpu:avx512, 2 threads · kernel 12.4 ms · total 18.3 ms · error 2e-7 · full
// volume".

#include <QObject>
#include <QTimer>
#include <vector>

#include "ui/model/live_controller.h"
#include "ui/rooms/room.h"

namespace sscope {

// The text about a run; if `verification` is null, it ends with `unverified`, or with "not yet verified".
[[nodiscard]] QString runText(const RunReport& report, const EngineSet& engines, const Verification* verification,
                              const QString& unverified = {});

class FilterWords : public QObject {
  Q_OBJECT
 public:
  explicit FilterWords(LiveController& live, QObject* parent = nullptr);

 Q_SIGNALS:
  void changed(const sscope::RoomWords& words);

 private:
  void follow();
  void begin();
  void end();
  void showRun(const LiveVerified& run, bool verified, const QString& unverified = {});
  void say(const QString& text, const QString& why = {});

  LiveController& live_;
  QTimer delay_;
  QTimer pace_;     // delays texts about slices
  QString slices_;  // the newest text about slices
  LiveVerified lastRun_;
  bool verified_ = false;  // the last run
  std::vector<LeftOut> leftOut_;
  RoomWords words_;
};

}  // namespace sscope
