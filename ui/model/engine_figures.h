#pragma once
// What each engine took for the bank and data of now, for the charts, and its ceilings. Figures of an earlier setting
// stay, dimmed, until there are new ones; those of other data go at once.

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/workload/workload.h"
#include "ui/base/background_task.h"
#include "ui/model/engine_times.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

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
  void takeTurn(const TurnsUpdate& turn);
  void findPrecision();
  void forgetAll();
  void loadCeilings();

  const Toolbox& toolbox_;
  SessionModel& model_;
  LiveController& live_;
  CeilingSource source_;
  EngineTimes times_;
  std::map<std::string, Ceilings> ceilings_;
  Precision precision_ = Precision::f32;
  QTimer dimming_;  // a dragged slider does not make the bars flicker
  BackgroundTask loading_;
  BackgroundTask measuring_;
};

}  // namespace sscope
