#pragma once
// Keeps the Wavelet room's result in step with the session while the room is open.

#include <QObject>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/wavelet/job/wavelet_runner.h"
#include "ui/charts/engine_charts.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

class WaveletController : public QObject {
  Q_OBJECT
 public:
  WaveletController(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // Computes only while active; what changed meanwhile is computed on activation.
  void setActive(bool active);
  // While held nothing runs, so that something else can be timed.
  void setPaused(bool paused);
  void runAgain();
  // More engines to run after the chosen one, for the charts.
  void setCompare(std::vector<std::string> engines);
  // Answers at once: canceled() is emitted before this returns.
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }

  // Of what the session says now, or of an earlier setting while busy; null: there is none.
  [[nodiscard]] std::shared_ptr<const WaveletResult> result() const { return result_; }
  // The result is that of the session's settings.
  [[nodiscard]] bool current() const { return current_; }
  // Null while it is pending.
  [[nodiscard]] const Verification* verification() const { return verification_ ? &*verification_ : nullptr; }
  [[nodiscard]] std::string engineId() const;
  // The session's variant, or empty for the default where the engine has none of this name.
  [[nodiscard]] std::string variant() const;
  // The component in use: never color.
  [[nodiscard]] int component() const;
  // What each engine took for the transform of now.
  [[nodiscard]] std::vector<EngineRow> rows() const;

 Q_SIGNALS:
  void started();
  void previewed(const WaveletPreview& preview);  // slices that are newer than result()
  void ready();                                   // result() is new
  void verified();                                // verification() is that of result()
  void compared();                                // rows() has more
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void canceled();
  void emptied();  // no data

 private:
  void schedule();
  void submit();
  void deliver(WaveletUpdate update);  // on the worker's thread
  void receive(const WaveletUpdate& update);
  void remember(const RunReport& report);

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::shared_ptr<const WaveletResult> result_;
  std::vector<std::string> compare_;
  std::optional<Verification> verification_;
  std::map<std::string, std::string> failures_;            // why an engine to compare with could not
  std::map<std::string, Verification> verifications_;      // by engine
  std::map<std::string, std::vector<RunReport>> reports_;  // by engine, of the forward transform of now
  WaveletJob job_;                                         // the newest submitted
  std::uint64_t request_ = 0, firstWanted_ = 0;
  bool active_ = false, paused_ = false, scheduled_ = false, busy_ = false, owed_ = true, current_ = false;
  std::atomic<std::int64_t> lastProgress_{0};  // steady clock, milliseconds
  std::unique_ptr<WaveletRunner> runner_;      // last: its thread ends before the rest goes
};

}  // namespace sscope
