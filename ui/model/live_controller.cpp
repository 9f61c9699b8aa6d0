#include "ui/model/live_controller.h"

#include <QMetaObject>
#include <algorithm>
#include <utility>

#include "core/base/overloaded.h"
#include "ui/base/text.h"
#include "ui/model/seen_slices.h"

namespace sscope {

namespace {

// Above this a held slider asks for previews only: stopping a whole run would delay the next preview.
constexpr double kFastWholeSeconds = 0.05;

}  // namespace

LiveController::LiveController(const Toolbox& toolbox, SessionModel& model, QObject* parent)
    : QObject(parent),
      toolbox_(toolbox),
      model_(model),
      choice_(model.engineChoice()),
      bridge_([this](const LiveNews& news) { receive(news); }) {
  runner_ = std::make_unique<LiveRunner>(*toolbox.engines, *toolbox.variants, bridge_.entrance());
  connect(&model, &SessionModel::bankChanged, this, &LiveController::followBank);
  connect(&model, &SessionModel::engineChoiceChanged, this, &LiveController::followEngine);
  connect(&model, &SessionModel::dataChanged, this, [this] {
    firstWanted_ = request_ + 1;
    lastWholeSeconds_ = 0;
    asked_ = {};
    takeLeftOut({});
    changeSetting();
  });
  connect(&model, &SessionModel::crosshairChanged, this, &LiveController::submitForView);
  connect(&model, &SessionModel::shownFilterChanged, this, &LiveController::submitForView);
  connect(&model, &SessionModel::viewChanged, this, &LiveController::followLayout);
  connect(&model, &SessionModel::heldChanged, this, [this](bool held) {
    runner_->setHeld(held);
    if (held) return;
    if (wholeOwed_) scheduleSubmit();
    compareIfDue();
  });
}

// Names, and filters that are switched off, compute nothing.
void LiveController::followBank() {
  FilterBank computed = computedPart(model_.bank());
  if (computed == computed_ && (result_ || scheduled_ || busy_)) {
    renameResult();
    return;
  }
  computed_ = std::move(computed);
  changeSetting();
  if (model_.held()) submit();  // while the rest of the window follows the slider; nothing else changes with it
}

// Engines with their default variants ran the same in a comparison: choosing another one forgets no sample.
void LiveController::followEngine() {
  const EngineChoice before = std::exchange(choice_, model_.engineChoice());
  if (choice_.engine == before.engine || choice_.threads != before.threads || !choice_.variant.empty() ||
      !before.variant.empty()) {
    changeSetting();
    return;
  }
  comparison_.setDeclined(false);
  scheduleSubmit();
}

void LiveController::changeSetting() {
  comparison_.beginSetting();
  Q_EMIT settingChanged();
  scheduleSubmit();
}

void LiveController::renameResult() {
  if (!result_) return;
  std::vector<std::string> names;
  for (const FilterRecipe* recipe : model_.bank().enabled()) names.push_back(recipe->name);
  // Those that were left out have no output; they are found by their places, which a new name does not change.
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::none_of(leftOut_, [&](const LeftOut& each) { return each.place == i; })) kept.push_back(names[i]);
  std::vector<LeftOut> leftOut = leftOut_;
  for (LeftOut& each : leftOut)
    if (each.place < names.size()) each.name = names[each.place];
  takeLeftOut(leftOut);
  if (kept.size() != result_->names.size() || kept == result_->names) return;
  result_ = sscope::renamed(result_, std::move(kept));
  Q_EMIT renamed();
}

void LiveController::takeLeftOut(const std::vector<LeftOut>& leftOut) {
  if (leftOut == leftOut_) return;
  leftOut_ = leftOut;
  Q_EMIT leftOutChanged(leftOut_);
}

void LiveController::setCompare(std::vector<std::string> engines) {
  if (comparison_.choose(std::move(engines))) compareAnew();
}

void LiveController::repeatComparison() {
  comparison_.askForMore(comparing_);
  compareAnew();
}

void LiveController::compareAnew() {
  if (comparing_) {
    runner_->cancel();
    setComparing(false);
  }
  compareIfDue();
}

void LiveController::holdComparison(bool held) { runner_->holdTurns(held); }

void LiveController::setComparing(bool comparing) {
  if (comparing == comparing_) return;
  comparing_ = comparing;
  Q_EMIT comparisonChanged();
}

void LiveController::compareIfDue() {
  if (busy_ || scheduled_ || comparing_ || paused_ || model_.held() || !result_) return;
  const std::optional<Contest> due = comparison_.due(engineId(), model_.session().variant);
  if (!due) return;
  request_ = runner_->takeTurns({.contest = *due,
                                 .input = model_.data().volume,
                                 .inputIdentity = model_.data().identity,
                                 .bank = model_.bank(),
                                 .threads = model_.session().threads});
  setComparing(true);
}

void LiveController::runAgain() {
  comparison_.setDeclined(false);
  scheduleSubmit(true);
}

std::string LiveController::engineId() const {
  const std::string& chosen = model_.session().engine;
  return chosen.empty() ? toolbox_.engines->preferred().info().id : chosen;
}

// Several changes of one event (a session opened: data, bank and engine) make one request.
void LiveController::scheduleSubmit(bool keepResult) {
  if (!keepResult) result_.reset();
  setComparing(false);
  if (scheduled_) return;
  scheduled_ = true;
  QMetaObject::invokeMethod(this, &LiveController::submit, Qt::QueuedConnection);
}

// What the slices show matters only as long as they have to be previewed.
void LiveController::submitForView() {
  const std::array<bool, 3> none{};
  if (!result_ && (busy_ || wholeOwed_ || large()) && (seen() != none || asked() != none)) scheduleSubmit();
}

void LiveController::followLayout() {
  const std::array<bool, 3> now = seen();
  for (std::size_t i = 0; i < now.size(); ++i)
    if (now[i] && !previewed_[i]) return submitForView();
}

std::array<bool, 3> LiveController::seen() const {
  if (!model_.hasData() || model_.view().show == "source") return {};
  std::array<bool, 3> seen = seenSlices(model_.view().layout, *model_.data().volume);
  // Of data larger than memory only planes of the file.
  if (const auto& large = model_.data().large; large)
    for (std::size_t slice = 0; slice < seen.size(); ++slice)
      seen[slice] = seen[slice] && large->readsPlanes() && large->axis() == 2 && slice == 0;
  return seen;
}

QString LiveController::whyNotAsked(std::size_t slice) const {
  const auto& large = model_.data().large;
  if (!large) return tr("all slices of data that fit into memory are exact");
  if (large->axis() != 2 || model_.data().volume->shape().nz == 1)
    return tr("an image larger than memory is seen as its overview alone");
  if (slice == 0 && large->readsPlanes()) return tr("this slice is read as it is seen");
  return toQt(large->whyNoPlanes());
}

void LiveController::askSlice(std::size_t slice) {
  if (!whyNotAsked(slice).isEmpty()) return;
  asked_.at(slice) = model_.crosshair()[2 - slice];
  scheduleSubmit();
}

void LiveController::forgetAsked() {
  for (std::size_t slice = 0; slice < asked_.size(); ++slice)
    if (asked_[slice] && *asked_[slice] != model_.crosshair()[2 - slice]) asked_[slice].reset();
}

std::array<bool, 3> LiveController::asked() const {
  if (!large()) return {};
  std::array<bool, 3> asked = seenSlices(model_.view().layout, *model_.data().volume);
  for (std::size_t slice = 0; slice < asked.size(); ++slice) asked[slice] = asked[slice] && asked_[slice];
  return asked;
}

void LiveController::submit() {
  if (!scheduled_) return;  // canceled meanwhile
  scheduled_ = false;
  if (paused_) {
    owed_ = true;
    return;
  }
  if (!model_.hasData()) {
    stop();
    runner_->release();
    takeLeftOut({});
    Q_EMIT nothingToRun(tr("no data is open"));
    return;
  }
  forgetAsked();
  const std::array<bool, 3> swept = asked();
  const bool sweeps = swept != std::array<bool, 3>{};
  if (model_.bank().enabled().empty() && !sweeps) {
    stop();
    runner_->release();
    takeLeftOut({});
    Q_EMIT nothingToRun(tr("no filter is enabled: add or enable one"));
    return;
  }
  if (large() && !sweeps && seen() == std::array<bool, 3>{} && model_.view().show != "source") {
    stop();
    previewed_ = {};
    const bool volume = model_.data().large->axis() == 2;
    Q_EMIT nothingToRun(
        volume && model_.data().large->holdsPlanes() && !model_.data().large->readsPlanes()
            ? tr("X unpacks this compressed file for the slices that are seen, and an export computes the whole")
        : volume && model_.data().large->readsPlanes()
            ? tr("of data larger than memory slices across z are computed as they are seen, others "
                 "when X asks for them")
            : tr("no slice of these data can be read by itself: an export computes the whole"));
    return;
  }
  LiveRequest request;
  request.input = model_.data().volume;
  request.large = model_.data().large;
  request.inputIdentity = model_.data().identity;
  // Who looks at the source alone waits for no filter.
  if (!(large() && model_.view().show == "source")) request.bank = model_.bank();
  request.engine = engineId();
  request.variant = model_.session().variant;
  request.threads = model_.session().threads;
  request.crosshair = model_.crosshair();
  request.shownFilter = model_.shownFilterIndex();
  request.previewed = previewed_ = seen();
  // Without a slice to follow the slider, the whole does as well as it can.
  request.whole = !(model_.held() && lastWholeSeconds_ > kFastWholeSeconds) || previewed_ == std::array<bool, 3>{};
  if (request.large) request.whole = false;  // an export computes it
  if (!model_.held()) request.swept = swept;
  wholeOwed_ = large() ? model_.held() && sweeps : !request.whole;
  busy_ = true;
  request_ = runner_->submit(std::move(request));
  Q_EMIT started();
}

void LiveController::stop() {
  asked_ = {};
  runner_->cancel();
  firstWanted_ = request_ + 1;  // whatever still arrives is older
  busy_ = false;
  scheduled_ = false;
  wholeOwed_ = false;
  setComparing(false);
}

void LiveController::cancel() {
  const bool standing = result_ != nullptr;
  if (busy()) {
    stop();
    if (standing) {
      Q_EMIT stopped();
    } else {
      Q_EMIT canceled();
    }
  } else if (comparing_) {
    runner_->cancel();
    firstWanted_ = request_ + 1;
    comparison_.setDeclined(true);
    setComparing(false);
  }
}

void LiveController::setPaused(bool paused) {
  if (paused == paused_) return;
  paused_ = paused;
  if (paused) {
    owed_ = busy();
    const bool declined = comparison_.declined();
    cancel();
    runner_->release();                 // the memory, too, is somebody else's
    comparison_.setDeclined(declined);  // it goes on afterwards
  } else if (owed_) {
    owed_ = false;
    if (model_.hasData()) scheduleSubmit();
  } else {
    compareIfDue();
  }
}

void LiveController::receive(const LiveNews& news) {
  if (news.request < firstWanted_) return;
  newsOf_ = news.request;
  const bool newest = news.request == request_;
  if (const auto* preview = news.as<LivePreview>()) take(*preview, newest);
  if (!newest) return;
  std::visit(Overloaded{
                 [](const LivePreview&) {},
                 [this](const LiveWhole& whole) { take(whole); },
                 [this](const LiveVerified& verification) {
                   if (verification.ofSlices)
                     Q_EMIT sliceVerified(verification);
                   else
                     Q_EMIT verified(verification);
                 },
                 [this](const TurnsUpdate& turn) {
                   comparison_.take(turn);
                   Q_EMIT turnTaken(turn);
                 },
                 [this](const ProgressNews& progress) { Q_EMIT progressed(progress.fraction, toQt(progress.message)); },
                 [this](const FailedNews& failure) {
                   busy_ = false;
                   setComparing(false);
                   takeLeftOut({});
                   Q_EMIT failed(toQt(failure.message));
                 },
                 [this](const CanceledNews&) { becomeIdle(); },
                 [this](const IdleNews&) { becomeIdle(); },
             },
             news.what);
}

void LiveController::take(const LivePreview& preview, bool newest) {
  if (newest) takeLeftOut(preview.leftOut);
  Q_EMIT previewReady(preview);
}

void LiveController::take(const LiveWhole& whole) {
  takeLeftOut(whole.leftOut);
  // A change that is waiting to be submitted makes this result old; it is still the best to look at.
  if (!scheduled_) result_ = whole.result;
  lastWholeSeconds_ = whole.report.phases.total;
  Q_EMIT wholeReady(whole);
  if (!scheduled_) renameResult();  // a filter may have got another name while it was computed
}

void LiveController::becomeIdle() {
  busy_ = false;
  setComparing(false);
  Q_EMIT idle();
  compareIfDue();
}

}  // namespace sscope

#include "moc_live_controller.cpp"
