#pragma once
// Figures of the engines for the charts: times and ceilings, and the time from a moving slider to its pictures.

#include <QEvent>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <deque>
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
#include "ui/charts/wait_chart.h"
#include "ui/model/engine_times.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"

namespace sscope {

// Measures the time from the event that moved a slider, as the program received it, to passing the frame with the last
// visible slice to the window system.
class WaitClock : public QObject {
  Q_OBJECT
 public:
  explicit WaitClock(LiveController& live, QObject* parent = nullptr);

  // A slice was painted; its frame is passed to the window system when the event that paints ends.
  void notePainted();
  // The step with the median time among the last ones on one engine.
  [[nodiscard]] std::optional<Wait> median() const;

 Q_SIGNALS:
  void waited(const sscope::Wait& wait);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  using Time = std::chrono::steady_clock::time_point;
  void noteSetting();
  void noteStarted();
  void notePreview(const LivePreview& preview);
  void noteFrame();

  LiveController& live_;
  std::optional<Time> input_;             // the last event of mouse, wheel or keyboard
  std::optional<Time> changed_;           // the event of a change that is not submitted yet
  std::map<std::uint64_t, Time> events_;  // by request
  // A preview that is not on the screen yet.
  struct Shown {
    Time event, arrived;
    Wait wait;
  };
  std::optional<Shown> shown_;
  bool framePosted_ = false;
  std::deque<Wait> waits_;  // of one engine, oldest first
};

// Each engine's times for the current bank and data, and its ceilings. Values of an earlier setting stay, dimmed, until
// there are new ones; values of other data are dropped at once.
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
  // run this, or have no prediction, are missing.
  [[nodiscard]] const std::map<std::string, double>& variantsPredicted() const { return variants_; }
  // The kernel time of the engine's last run against its prediction: "5.1 ms · +4 %", and as a sentence; empty if there
  // is none.
  struct Outcome {
    QString brief, sentence;
  };
  [[nodiscard]] Outcome predictionOfLast() const;
  // The share of each joined engine in their last run; empty for a single engine.
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
  // The predictions are out of date.
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
  bool predictionsDue_ = false;              // made when rows() is called, so that a moving slider does not wait
  std::map<std::string, double> variants_;   // by variant
  QTimer variantsDue_;                       // delays predictions while a slider moves
  QTimer dimming_;                           // delays dimming, so that bars do not flicker while a slider is dragged
  BackgroundTask predicting_;
  BackgroundTask loading_;
  BackgroundTask measuring_;
};

}  // namespace sscope
