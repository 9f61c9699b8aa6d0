#pragma once
// Keeps the result in step with the session: submits every change to the live runner and brings its updates to the
// window's thread. Once there is a result, the checked engines race each other.

#include <QObject>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/job/live_runner.h"
#include "ui/base/event_bridge.h"
#include "ui/base/toolbox.h"
#include "ui/model/engine_times.h"
#include "ui/model/session_model.h"

namespace sscope {

class LiveController : public QObject {
  Q_OBJECT
 public:
  LiveController(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // Engines that race the current one (core/compare/race.h) whenever there is a result and no control is held.
  void setCompare(std::vector<std::string> engines);
  // Requests more repetitions of each compared engine; of the current one alone when none is compared.
  void repeatComparison();
  // While held, nothing is timed, because something else in the window works, such as the 3D view.
  void holdComparison(bool held);
  // For data larger than memory: reads the whole file for a slice across its planes (1: y, 2: x, in the order of
  // LiveRequest::previewed) or for a compressed plane (0: z), of the source and of the shown filter. Repeats it after
  // each change of the filter, until the crosshair leaves that slice or cancel(). Does nothing for other data.
  void askSlice(std::size_t slice);
  // Why askSlice() cannot be done, as one sentence without a period; empty: it can.
  [[nodiscard]] QString whyNotAsked(std::size_t slice) const;
  // Computes the same again. Times of engines stay.
  void runAgain();
  // Stops the running work. A finished result stays when its verification or a race is stopped. Returns at once:
  // canceled() or stopped() is emitted before it returns, and the worker ends its work later.
  void cancel();
  // A result is being computed or verified, or is about to be.
  [[nodiscard]] bool busy() const { return busy_ || scheduled_; }
  // Whether the worker is running, even if it only ends canceled work or gives memory back. From any thread.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  // Engines are being timed.
  [[nodiscard]] bool comparing() const { return comparing_; }
  // The data are larger than memory: only slices are computed here, and an export computes the whole.
  [[nodiscard]] bool large() const { return model_.data().large != nullptr; }
  // While a control was held only slices were computed; the rest follows when it is released.
  [[nodiscard]] bool wholeOwed() const { return wholeOwed_; }
  // Slices of the result that are on the screen, in the order of LiveRequest::previewed.
  [[nodiscard]] std::array<bool, 3> seen() const;
  // A control is held down.
  [[nodiscard]] bool held() const { return model_.held(); }
  // How long a held control must rest before its result is verified (kSliderRest).
  void setRest(std::chrono::milliseconds rest) { runner_->setRest(rest); }
  // While paused nothing runs, so that something else can be timed; requests made meanwhile run afterward.
  void setPaused(bool paused);

  // The newest request, and the request of the signal that is being emitted.
  [[nodiscard]] std::uint64_t request() const { return request_; }
  [[nodiscard]] std::uint64_t newsOf() const { return newsOf_; }
  // Whether that signal is about the session's present settings.
  [[nodiscard]] bool newsIsCurrent() const { return newsOf_ == request_ && !scheduled_; }
  // The whole result of the session's present settings; null while it is out of date.
  [[nodiscard]] std::shared_ptr<const ResidentFilterResult> result() const { return result_; }
  [[nodiscard]] const EngineSet& engines() const { return *toolbox_.engines; }
  // The times of the engines at the session's settings.
  [[nodiscard]] EngineTimes& times() { return times_; }
  // The engine in use: the session's choice, else the preferred one.
  [[nodiscard]] std::string engineId() const;

 Q_SIGNALS:
  void started();
  void previewReady(const sscope::LivePreview& preview);
  void wholeReady(const sscope::LiveWhole& whole);
  void verified(const sscope::LiveVerified& verified);
  void sliceVerified(const sscope::LiveVerified& verified);  // of data larger than memory
  void timed();                                              // times() changed by a race
  void comparisonChanged();                                  // a race began or ended
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void settingChanged();  // what is computed changed, so that times of the old setting are stale
  // The filters of the result have other names now; its outputs are the same.
  void renamed();
  // Enabled filters that do not fit the data, whenever they change.
  void leftOutChanged(const std::vector<sscope::LeftOut>& leftOut);
  void canceled();                           // before there was a result
  void stopped();                            // the verification of the result was stopped
  void idle();                               // everything requested is done
  void nothingToRun(const QString& reason);  // no data, or no enabled filter

 private:
  void followBank();
  void followEngine();
  void changeSetting();
  void scheduleSubmit(bool keepResult = false);
  void submit();
  void submitForView();
  void followLayout();
  // The slices of askSlice() that are still on the screen.
  [[nodiscard]] std::array<bool, 3> asked() const;
  // Drops the slices that the crosshair has left.
  void forgetAsked();
  void compareIfDue();
  void compareAnew();
  void setComparing(bool comparing);
  void takeLeftOut(const std::vector<LeftOut>& leftOut);
  // Names of the result's outputs as the bank has them now.
  void renameResult();
  void receive(const LiveNews& news);
  void take(const LivePreview& preview, bool newest);
  void take(const LiveWhole& whole);
  void take(const LiveVerified& verification);
  void take(const FailedNews& failure);
  void becomeIdle();
  void stop();

  const Toolbox& toolbox_;
  SessionModel& model_;
  EngineTimes times_;
  std::vector<BenchRow> racing_;  // the contenders of the newest race
  EngineChoice choice_;           // of the newest setting
  FilterBank computed_;           // the part of the bank that the newest setting computes
  std::vector<LeftOut> leftOut_;
  std::shared_ptr<const ResidentFilterResult> result_;
  std::uint64_t request_ = 0;  // the newest submitted
  std::uint64_t newsOf_ = 0;
  std::uint64_t firstWanted_ = 0;  // older news are about closed data, or were canceled
  bool scheduled_ = false;
  bool busy_ = false;
  bool comparing_ = false;
  bool paused_ = false;
  bool owed_ = false;       // a run was stopped or requested while paused
  bool wholeOwed_ = false;  // a held control asked for previews only
  std::array<bool, 3> previewed_{};
  std::array<std::optional<std::int64_t>, 3> asked_;  // index of the slice
  double lastWholeSeconds_ = 0;
  EventBridge<LiveNews> bridge_;
  std::unique_ptr<LiveRunner> runner_;  // last member: its thread ends before the others are destroyed
};

}  // namespace sscope
