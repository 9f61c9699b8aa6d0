#pragma once
// Keeps the Wavelet room's result up to date with the session while the room is open.

#include <QObject>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/wavelet/job/wavelet_runner.h"
#include "ui/base/event_bridge.h"
#include "ui/base/toolbox.h"
#include "ui/model/engine_times.h"
#include "ui/model/session_model.h"

namespace sscope {

class WaveletController : public QObject {
  Q_OBJECT
 public:
  WaveletController(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // Computes only while active; pending changes are computed on activation.
  void setActive(bool active);
  // While paused, nothing runs, so that something else can be timed.
  void setPaused(bool paused);
  void runAgain();
  // Engines that race the current one (core/compare/race.h) whenever there is a verified result and no control is held.
  void setCompare(std::vector<std::string> engines);
  // Requests more runs of each compared engine, or of the current one if none is compared.
  void repeatComparison();
  // Cancels what is running and returns at once. Emits canceled() before it returns if a transform was stopped. Keeps
  // the result if only its verification or timing was stopped.
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }
  // Whether the worker is running, even if it is only winding down.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  // Engines are being timed.
  [[nodiscard]] bool comparing() const { return comparing_; }
  // Holds timing while a view of the room draws its 3D picture.
  void holdComparison(const QObject* view, bool held);

  // The result for the session's settings, or for earlier ones while busy; null: none.
  [[nodiscard]] std::shared_ptr<const WaveletResult> result() const { return result_; }
  // Whether the result is for the session's current settings.
  [[nodiscard]] bool current() const { return current_; }
  // Null while pending.
  [[nodiscard]] const Verification* verification() const { return verification_ ? &*verification_ : nullptr; }
  [[nodiscard]] std::string engineId() const;
  // The session's variant, or empty (the default) if the engine does not have it.
  [[nodiscard]] std::string variant() const;
  // The component in use: never color.
  [[nodiscard]] int component() const;
  // Each engine's times for the current transform.
  [[nodiscard]] std::vector<EngineRow> rows() const;

 Q_SIGNALS:
  void started();
  void previewed(const WaveletPreview& preview);  // slices that are newer than result()
  void ready();                                   // result() is new
  void verified();                                // verification() is that of result()
  void compared();                                // rows() has more
  void comparisonChanged();                       // it began or ended
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void canceled();
  void emptied();  // no data, or such as do not fit into memory

 private:
  void schedule();
  void submit();
  void receive(const WaveletNews& news);
  void take(const WaveletReady& ready, std::uint64_t request);
  void take(const WaveletVerified& verified, std::uint64_t request);
  void take(const FailedNews& failure);
  void stop();
  void compareIfDue();
  void compareAnew();
  void setComparing(bool comparing);

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::shared_ptr<const WaveletResult> result_;
  EngineTimes times_;             // of the first direction
  std::vector<BenchRow> racing_;  // the contenders of the newest race
  std::optional<Verification> verification_;
  std::set<const QObject*> drawing_;
  WaveletJob job_;  // the last submitted
  std::uint64_t request_ = 0, firstWanted_ = 0;
  std::uint64_t firstOfSetting_ = 0;  // the first request with the current setting
  bool active_ = false, paused_ = false, scheduled_ = false, busy_ = false, owed_ = true, current_ = false;
  bool comparing_ = false;
  EventBridge<WaveletNews> bridge_;
  std::unique_ptr<WaveletRunner> runner_;  // last member, so that its thread ends before the others are destroyed
};

}  // namespace sscope
