#pragma once
// Keeps the result in step with the session: submits every change to the live runner and brings its updates to the
// window's thread. Once a result stands, the engines that are compared are timed against each other.

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
  // Of data larger than memory: reads all of the file for a slice that crosses its planes (1: y, 2: x, in the order of
  // LiveRequest::previewed), or is one that has to be unpacked (0: z), of the source and of the shown filter, and again
  // after each change of the filter, until the crosshair leaves that slice or cancel(). Does nothing for other data.
  void askSlice(std::size_t slice);
  // Why that cannot be done, as one sentence without a full stop; empty: it can.
  [[nodiscard]] QString whyNotAsked(std::size_t slice) const;
  // Computes the same again. Times of engines stay.
  void runAgain();
  // Stops what runs, and only that: a result that stands is not touched when engines are being timed or it is being
  // verified. Answers at once: canceled() or stopped() is emitted before this returns; the worker winds down behind.
  void cancel();
  // A result is being computed or verified, or will be in a moment.
  [[nodiscard]] bool busy() const { return busy_ || scheduled_; }
  // The worker is at something, be it only to end what was canceled or to give memory back. From any thread.
  [[nodiscard]] bool working() const { return runner_->busy(); }
  // Engines are being timed.
  [[nodiscard]] bool comparing() const { return comparing_; }
  // The data are larger than memory: slices are computed, and the whole by an export alone.
  [[nodiscard]] bool large() const { return model_.data().large != nullptr; }
  // A held control asked for slices only; the whole, or slices that were asked for, follow when it is released.
  [[nodiscard]] bool wholeOwed() const { return wholeOwed_; }
  // Slices of the result that are on the screen, in the order of LiveRequest::previewed.
  [[nodiscard]] std::array<bool, 3> seen() const;
  // A control is held down.
  [[nodiscard]] bool held() const { return model_.held(); }
  // How long a held control lies still before its result is verified (kSliderRest).
  void setRest(std::chrono::milliseconds rest) { runner_->setRest(rest); }
  // While paused nothing runs, so that something else can be timed; what was asked for meanwhile runs afterwards.
  void setPaused(bool paused);

  // The newest request that started(), and the one that a signal which is being emitted is about.
  [[nodiscard]] std::uint64_t request() const { return request_; }
  [[nodiscard]] std::uint64_t newsOf() const { return newsOf_; }
  // What that signal tells is of what the session says now.
  [[nodiscard]] bool newsIsCurrent() const { return newsOf_ == request_ && !scheduled_; }
  // The whole result of what the session says now; null while it is out of date.
  [[nodiscard]] std::shared_ptr<const ResidentFilterResult> result() const { return result_; }
  [[nodiscard]] const EngineSet& engines() const { return *toolbox_.engines; }
  // Of the session's setting; whoever shows them forgets them with the data.
  [[nodiscard]] EngineTimes& times() { return times_; }
  // The engine that runs: the session's choice, or the preferred one where it leaves it open.
  [[nodiscard]] std::string engineId() const;

 Q_SIGNALS:
  void started();
  void previewReady(const sscope::LivePreview& preview);
  void wholeReady(const sscope::LiveWhole& whole);
  void verified(const sscope::LiveVerified& verified);
  void sliceVerified(const sscope::LiveVerified& verified);  // of data larger than memory
  void timed();                                              // a race brought times()
  void comparisonChanged();                                  // it began or ended
  void progressed(double fraction, const QString& stage);
  void failed(const QString& message);
  void settingChanged();  // of what is computed: figures of another setting say nothing about this one
  // The filters of the result have other names now; its outputs are the same.
  void renamed();
  // Enabled filters that do not fit the data, whenever they change.
  void leftOutChanged(const std::vector<sscope::LeftOut>& leftOut);
  void canceled();                           // before there was a result
  void stopped();                            // the result that stands was not verified any more
  void idle();                               // everything asked for is there
  void nothingToRun(const QString& reason);  // no data, or no enabled filter

 private:
  void followBank();
  void followEngine();
  void changeSetting();
  void scheduleSubmit(bool keepResult = false);
  void submit();
  void submitForView();
  void followLayout();
  // Of askSlice(), those that are on the screen still.
  [[nodiscard]] std::array<bool, 3> asked() const;
  // Drops those that the crosshair has left.
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
  EngineChoice choice_;           // that the newest setting is of
  FilterBank computed_;           // what of the bank the newest setting is made of
  std::vector<LeftOut> leftOut_;
  std::shared_ptr<const ResidentFilterResult> result_;
  std::uint64_t request_ = 0;  // the newest submitted
  std::uint64_t newsOf_ = 0;
  std::uint64_t firstWanted_ = 0;  // older updates are about data that are gone, or were canceled
  bool scheduled_ = false;
  bool busy_ = false;
  bool comparing_ = false;
  bool paused_ = false;
  bool owed_ = false;       // a run was stopped or asked for while paused
  bool wholeOwed_ = false;  // a held control asked for previews only
  std::array<bool, 3> previewed_{};
  std::array<std::optional<std::int64_t>, 3> asked_;  // index of the slice
  double lastWholeSeconds_ = 0;
  EventBridge<LiveNews> bridge_;
  std::unique_ptr<LiveRunner> runner_;  // last: its thread ends before the rest goes
};

}  // namespace sscope
