#pragma once
// Keeps the Wavelet room's result in step with the session while the room is open.

#include <QObject>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/wavelet/job/wavelet_runner.h"
#include "ui/base/event_bridge.h"
#include "ui/model/comparison.h"
#include "ui/model/engine_times.h"
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
  // Engines that are timed against the current one (core/live/engine_turns.h) whenever a verified result stands and
  // nothing is held down.
  void setCompare(std::vector<std::string> engines);
  // More runs of each compared engine; of the current one alone when none is compared.
  void repeatComparison();
  // Stops what runs. Answers at once: canceled() is emitted before this returns where a transform was stopped; a result
  // that stands is not touched when it is being verified or engines are being timed.
  void cancel();
  [[nodiscard]] bool busy() const { return busy_; }
  // The worker is at something, be it only to end what was canceled.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  // Engines are being timed.
  [[nodiscard]] bool comparing() const { return comparing_; }
  // While a view of the room draws its 3D picture no run is timed.
  void holdComparison(const QObject* view, bool held);

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
  void comparisonChanged();                       // it began or ended
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void canceled();
  void emptied();  // no data

 private:
  void schedule();
  void submit();
  void receive(const WaveletNews& news);
  void take(const WaveletReady& ready, std::uint64_t request);
  void take(const WaveletVerified& verified, std::uint64_t request);
  void take(const FailedNews& failure);
  void takeTurn(const TurnsUpdate& turn);
  void stop();
  void compareIfDue();
  void compareAnew();
  void setComparing(bool comparing);

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::shared_ptr<const WaveletResult> result_;
  Comparison comparison_;
  EngineTimes times_;  // of the first direction
  std::optional<Verification> verification_;
  std::set<const QObject*> drawing_;
  WaveletJob job_;  // the newest submitted
  std::uint64_t request_ = 0, firstWanted_ = 0;
  std::uint64_t firstOfSetting_ = 0;  // the first whose times are those of now
  bool active_ = false, paused_ = false, scheduled_ = false, busy_ = false, owed_ = true, current_ = false;
  bool comparing_ = false;
  EventBridge<WaveletNews> bridge_;
  std::unique_ptr<WaveletRunner> runner_;  // last: its thread ends before the rest goes
};

}  // namespace sscope
