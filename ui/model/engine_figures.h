#pragma once
// What each engine took for the bank and data of now, for the charts. Figures of other settings are dropped.

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/workload/workload.h"
#include "ui/base/background_task.h"
#include "ui/charts/engine_charts.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

// "error 2e-7, full volume", or why it is not verified.
[[nodiscard]] std::string verificationText(const Verification& verification);

class EngineFigures : public QObject {
  Q_OBJECT
 public:
  // Reads and measures the ceilings; handed in so that tests need no cache directory and no second of measuring.
  struct CeilingSource {
    std::function<std::optional<Ceilings>(const EngineInfo&, int threads)> stored;
    std::function<Ceilings(Engine&, int threads, const Control&)> measure;  // stores as well
  };
  EngineFigures(const Toolbox& toolbox, SessionModel& model, LiveController& live, CeilingSource ceilings,
                QObject* parent = nullptr);

  // One row an engine, absent ones last.
  [[nodiscard]] std::vector<EngineRow> rows() const;
  // Every engine of the machine, one after the other, beside the window.
  void measureCeilings();
  [[nodiscard]] BackgroundTask& measuring() { return measuring_; }
  [[nodiscard]] bool ceilingsKnown() const { return !ceilings_.empty(); }

 Q_SIGNALS:
  void changed();

 private:
  struct Figures {
    std::vector<RunReport> reports;  // of the newest setting, oldest first
    Verification verification;
    std::string failure;
    bool checked = false;
  };
  void forget();
  void addReport(const std::string& engine, const LiveUpdate& update);
  void loadCeilings();
  [[nodiscard]] EngineRow row(const EngineInfo& info) const;

  const Toolbox& toolbox_;
  SessionModel& model_;
  LiveController& live_;
  CeilingSource source_;
  std::map<std::string, Figures> figures_;
  std::map<std::string, Ceilings> ceilings_;
  Precision precision_ = Precision::f32;
  bool outdated_ = false;  // the setting changed since the figures were taken
  BackgroundTask loading_;
  BackgroundTask measuring_;
};

}  // namespace sscope
