#pragma once
// Each engine's times for the current bank and data, for the charts, and its ceilings. Values of an earlier setting
// stay, dimmed, until there are new ones; values of other data are dropped at once.

#include <QObject>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/joined_parts.h"
#include "core/workload/workload.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"
#include "ui/model/engine_times.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/model/wait_clock.h"

namespace sscope {

class EngineFigures : public QObject {
  Q_OBJECT
 public:
  // Reads and measures the ceilings; replaceable, so that tests need neither a cache directory nor time.
  struct CeilingSource {
    std::function<std::optional<Ceilings>(const EngineInfo&, int threads)> stored;
    std::function<Ceilings(Engine&, int threads, const Control&)> measure;  // also stores them
  };
  EngineFigures(const Toolbox& toolbox, SessionModel& model, LiveController& live, CeilingSource ceilings,
                QObject* parent = nullptr);

  // One row per engine, absent ones last.
  [[nodiscard]] std::vector<EngineRow> rows();
  // Expected seconds of the kernel by the variants of the engine that runs; "" is its own choice. Variants that cannot
  // run this, or of which nobody predicts, are missing.
  [[nodiscard]] const std::map<std::string, double>& variantsPredicted() const { return variants_; }
  // The kernel of the engine's last run against its prediction: "5.1 ms · +4 %", and in words; empty: there is none.
  struct Outcome {
    QString brief, words;
  };
  [[nodiscard]] Outcome predictionOfLast() const;
  // What each of several engines did in the last run of the chosen ones; empty for an engine by itself.
  [[nodiscard]] std::vector<PartShare> sharesOfLast() const;
  // Measures every engine of the machine, one after the other, in the background.
  void measureCeilings();
  [[nodiscard]] WaitClock& waits() { return waits_; }
  [[nodiscard]] BackgroundTask& measuring() { return measuring_; }
  [[nodiscard]] bool ceilingsKnown() const { return !ceilings_.empty(); }

 Q_SIGNALS:
  void changed();
  void variantsChanged();  // variantsPredicted()

 private:
  void takeTimes();
  void findPrecision();
  void forgetAll();
  void loadCeilings();
  // What is predicted is out of date.
  void predictAnew();
  void predict();
  void predictVariants();
  void takeVariants(const std::map<std::string, double>& found);

  const Toolbox& toolbox_;
  SessionModel& model_;
  LiveController& live_;
  CeilingSource source_;
  WaitClock waits_{live_};
  std::map<std::string, Ceilings> ceilings_;
  Precision precision_ = Precision::f32;
  std::map<std::string, double> predicted_;  // seconds of the kernel, by engine
  bool predictionsDue_ = false;              // when rows are asked for: no step of a moving slider waits for them
  std::map<std::string, double> variants_;   // and by variant
  QTimer variantsDue_;                       // so that not every step of a moving slider asks for them
  QTimer dimming_;                           // delays dimming, so that bars do not flicker while a slider is dragged
  BackgroundTask predicting_;
  BackgroundTask loading_;
  BackgroundTask measuring_;
};

}  // namespace sscope
