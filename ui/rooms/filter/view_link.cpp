#include "ui/rooms/filter/view_link.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <array>
#include <string>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/filter/job/filter_view.h"
#include "ui/base/text.h"
#include "ui/model/visible_slices.h"

namespace sscope {

namespace {

// The names are in the order of the enumerators of VolumeMode, VolumeViews and CompareLook.
template <std::size_t kCount>
std::size_t placeOf(const std::array<const char*, kCount>& names, const std::string& name, std::size_t fallback = 0) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? fallback : static_cast<std::size_t>(found - names.begin());
}

constexpr std::array kModes{"composite", "maximum", "average", "minimum", "surface"};

}  // namespace

VolumeLook lookOf(const VolumeSettings& settings) {
  VolumeLook look;
  look.mode = static_cast<VolumeMode>(placeOf(kModes, settings.mode));
  look.linked = settings.linked;
  look.preset = {settings.sourcePreset, settings.resultPreset};
  look.own = {settings.sourcePoints, settings.resultPoints};
  look.level = {settings.sourceLevel, settings.resultLevel};
  look.bothSigns = settings.bothSigns;
  look.crop = {settings.cropX0, settings.cropX1, settings.cropY0, settings.cropY1, settings.cropZ0, settings.cropZ1};
  for (double& share : look.crop) share /= 100;
  return look;
}

VolumeLink::VolumeLink(SessionModel& model, VolumeViews& views, QObject* parent)
    : QObject(parent), model_(model), views_(views) {
  model_.follow<VolumeSettings>(this, &VolumeLink::apply);
  connect(&model_, &SessionModel::dataChanged, this, &VolumeLink::followData);
  apply();
}

void VolumeLink::apply() { views_.setVolumeLook(lookOf(model_.settings<VolumeSettings>())); }

void VolumeLink::edit(const VolumeSettings& settings, const QString& gesture) {
  chosenFor_ = model_.data().timelessIdentity();
  model_.edit(settings, gesture);
}

// Values and crops of other data do not apply.
void VolumeLink::followData() {
  if (chosenFor_ == 0 || !model_.hasData() || model_.data().timelessIdentity() == chosenFor_) return;
  chosenFor_ = 0;
  const auto& now = model_.settings<VolumeSettings>();
  VolumeSettings next;
  next.panel = now.panel;
  next.mode = now.mode;
  next.linked = now.linked;
  model_.setSettings(next);
}

namespace {

constexpr std::array kWays{"side", "swipe", "flicker", "checkerboard", "difference"};

DifferenceKind kindOf(const std::string& name) {
  if (name == "absolute") return DifferenceKind::Absolute;
  return name == "relative" ? DifferenceKind::Relative : DifferenceKind::Signed;
}

}  // namespace

CompareLink::CompareLink(SessionModel& model, VolumeViews& views, QObject* parent)
    : QObject(parent), model_(model), views_(views) {
  model_.follow<FilterView>(this, &CompareLink::apply);
  connect(&model_, &SessionModel::dataChanged, this, &CompareLink::followData);
  connect(&views_, &VolumeViews::compareEdited, this, [this](const CompareLook& look) {
    FilterView view = model_.settings<FilterView>();
    view.divider = look.divider;
    if (look.range && view.differenceRange != *look.range) {
      view.differenceRange = *look.range;
      rangeOf_ = model_.data().timelessIdentity();
    }
    model_.setSettings(view);
  });
  for (const auto signal : {&SessionModel::bankChanged, &SessionModel::shownFilterChanged, &SessionModel::dataChanged})
    connect(&model_, signal, this, &CompareLink::apply);
  apply();
}

void CompareLink::apply() {
  const auto& view = model_.settings<FilterView>();
  CompareLook look;
  look.how = static_cast<CompareLook::How>(placeOf(kWays, view.compare));
  look.difference = kindOf(view.difference);
  if (view.differenceRange > 0) look.range = view.differenceRange;
  look.divider = view.divider;
  look.seconds = view.flickerSeconds;
  look.fields = view.checkerFields;
  look.oneWindow = shownFilterKeepsMean(model_);
  views_.setCompare(look);
  views_.setSliceColors({colorMapNamed(view.colors), view.invert, view.gamma});
}

// A range of other data does not apply.
void CompareLink::followData() {
  if (rangeOf_ == 0 || !model_.hasData() || model_.data().timelessIdentity() == rangeOf_) return;
  rangeOf_ = 0;
  model_.changeUnsaved<FilterView>([&](FilterView& view) { view.differenceRange = 0; });
}

void CompareLink::compareNext() {
  const std::size_t now = placeOf(kWays, model_.settings<FilterView>().compare);
  compare(model_.view().show == "both" ? kWays[(now + 1) % kWays.size()] : kWays[now]);
}

void CompareLink::compare(const std::string& how) {
  model_.change<FilterView>([&](FilterView& next) { next.compare = how; });
  model_.changeView([&](ViewState& view) { view.show = "both"; });
}

void CompareLink::toggleInversion() {
  model_.change<FilterView>([&](FilterView& next) { next.invert = !next.invert; });
}

LargeLink::LargeLink(SessionModel& model, VolumeViews& views, QObject* parent)
    : QObject(parent),
      model_(model),
      views_(views),
      bridge_([this](const PlaneNews& news) { receive(news); }),
      worker_([deliver = bridge_.entrance()](const Request& request, const NewestWins<Request>::Turn& turn) {
        deliver(read(request, turn));
      }) {
  connect(&model, &SessionModel::dataChanged, this, &LargeLink::follow);
  connect(&model, &SessionModel::crosshairChanged, this, &LargeLink::follow);
}

void LargeLink::follow() {
  const auto& large = model_.data().large;
  if (!large) {
    worker_.cancel();
    newest_ = 0;
    return;
  }
  // The rows of an image are not slices.
  if (!large->readsPlanes() || large->axis() != 2) return;
  const std::int64_t at = model_.crosshair()[2];
  newest_ = worker_.submit({large, at});
}

// Finishes a plane although a newer request waits, so that stepping without a pause shows some slices.
LargeLink::PlaneNews LargeLink::read(const Request& request, const NewestWins<Request>::Turn& turn) {
  try {
    return {turn.number, Plane{std::make_shared<const Volume>(request.of->plane(request.at, {turn.canceled, {}})),
                               request.of, request.at}};
  } catch (const Canceled&) {
    return {turn.number, CanceledNews{}};
  } catch (const std::exception& error) {
    return {turn.number, FailedNews{wordsOf(error)}};
  }
}

void LargeLink::receive(const PlaneNews& news) {
  if (const auto* plane = news.as<Plane>()) {
    if (plane->of.lock() == model_.data().large && model_.data().large)
      views_.setSourceSlice(model_.data().large->axis(), plane->at, plane->slice);
  } else if (const auto* failure = news.as<FailedNews>(); failure && news.request == newest_) {
    Q_EMIT failed(toQt(failure->message));
  }
}

namespace {

constexpr std::array kShows{"source", "result", "both"};
constexpr std::array kLayouts{"all", "axial", "coronal", "sagittal", "volume"};

VolumeViews::Show showOf(const std::string& name) {
  return static_cast<VolumeViews::Show>(placeOf(kShows, name, static_cast<std::size_t>(VolumeViews::Show::Result)));
}

}  // namespace

ViewLink::ViewLink(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent)
    : QObject(parent), model_(model), live_(live), views_(views) {
  connect(&model, &SessionModel::dataChanged, this, &ViewLink::showData);
  connect(&model, &SessionModel::viewChanged, this, &ViewLink::applyView);
  connect(&model, &SessionModel::crosshairChanged, this, &ViewLink::applyView);
  connect(&model, &SessionModel::shownFilterChanged, this, [this] { showWhole(); });
  connect(&live, &LiveController::started, this, &ViewLink::showStarted);
  connect(&live, &LiveController::settingChanged, this, &ViewLink::ageLargeSlices);
  connect(&live, &LiveController::previewReady, this, &ViewLink::showPreview);
  connect(&live, &LiveController::wholeReady, this, [this](const LiveWhole& whole) {
    latest_ = whole.result;
    showWhole(whole.slicesWereOfIt);
  });
  connect(&live, &LiveController::nothingToRun, this, [this] {
    latest_.reset();
    showWhole();
  });
  connect(&live, &LiveController::canceled, this, [this] { setWords(tr("canceled")); });
  connect(&live, &LiveController::leftOutChanged, this, [this](const std::vector<LeftOut>& leftOut) {
    leftOut_ = leftOut;
    showWhole();
  });
  connect(&live, &LiveController::renamed, this, [this] {
    latest_ = live_.result();
    showWhole();
  });

  // A window shared with the source does not apply to a result in another quantity.
  connect(&model_, &SessionModel::shownFilterChanged, this, [this] {
    ViewState view = model_.view();
    if (!view.resultWindow || view.resultWindow != view.sourceWindow || shownFilterKeepsMean(model_)) return;
    view.resultWindow.reset();
    model_.setView(view);
  });
  connect(&views, &VolumeViews::readingFailed, this, [this](const QString& why) { setWords(why); });
  connect(&views, &VolumeViews::crosshairChanged, this, [this](const VoxelIndex& voxel) {
    if (applying_) return;
    model_.changeView([&](ViewState& view) { view.crosshair = voxel; });
  });
  connect(&views, &VolumeViews::windowChanged, this, [this](bool result, double low, double high) {
    if (applying_ || (result ? views_.resultWindowAutomatic() : views_.sourceWindowAutomatic())) return;
    model_.changeView([&](ViewState& view) {
      (result ? view.resultWindow : view.sourceWindow) = ValueWindow{low, high};
    });
  });
  connect(&views, &VolumeViews::layoutChanged, this, [this](VolumeViews::Layout layout) {
    if (applying_) return;
    model_.changeView([&](ViewState& view) { view.layout = kLayouts[static_cast<std::size_t>(layout)]; });
  });
  connect(&views, &VolumeViews::showChanged, this, [this](VolumeViews::Show show) {
    if (applying_) return;
    model_.changeView([&](ViewState& view) { view.show = kShows[static_cast<std::size_t>(show)]; });
  });
}

void ViewLink::showData() {
  const bool later = model_.hasData() && model_.data().series != 0 && model_.data().series == series_;
  series_ = model_.hasData() ? model_.data().series : 0;
  latest_.reset();
  shown_ = nullptr;
  {
    const QScopedValueRollback<bool> guard(applying_, true);
    views_.setMeaning(model_.data().info.modality, model_.data().info.metadata.inSpace);
    if (const auto& large = model_.data().large)
      views_.setLargeSource(model_.data().volume, large->overview());
    else
      later ? views_.setSourceLater(model_.data().volume) : views_.setSource(model_.data().volume);
  }
  applyView();
  setWords(later ? tr("earlier time point") : QString());
}

void ViewLink::applyView() {
  const QScopedValueRollback<bool> guard(applying_, true);
  const ViewState& view = model_.view();
  views_.setShow(showOf(view.show));
  views_.setViewLayout(static_cast<VolumeViews::Layout>(placeOf(kLayouts, view.layout)));
  if (model_.hasData()) {
    if (views_.component() != view.component && view.component < model_.data().volume->shape().components)
      views_.setComponent(view.component);
    if (views_.crosshair() != model_.crosshair()) views_.setCrosshair(model_.crosshair());
  }
  const auto differs = [](const std::optional<ValueWindow>& wanted, bool automatic, const ValueWindow& now) {
    return wanted ? automatic || *wanted != now : !automatic;
  };
  if (differs(view.sourceWindow, views_.sourceWindowAutomatic(), views_.sourceWindow()))
    views_.setSourceWindow(view.sourceWindow);
  if (differs(view.resultWindow, views_.resultWindowAutomatic(), views_.resultWindow()))
    views_.setResultWindow(view.resultWindow);
  showWords();
}

void ViewLink::showPreview(const LivePreview& preview) {
  for (std::size_t slice = 0; slice < preview.sources.size(); ++slice)
    if (preview.sources[slice]) views_.setSourceSlice(2 - slice, preview.sliceAt[slice], preview.sources[slice]);
  if (std::ranges::none_of(preview.slices, [](const auto& slice) { return slice != nullptr; })) return;
  views_.setPreview(preview.slices, {preview.sliceAt[2], preview.sliceAt[1], preview.sliceAt[0]});
  shown_ = nullptr;
  // A late preview may be the last one of its pane.
  const QString exact = live_.newsIsCurrent() ? tr("exact slice") : tr("previous setting");
  std::array<bool, 3> set{};
  for (std::size_t pane = 0; pane < set.size(); ++pane) {
    const std::size_t slice = sliceOfPane(pane, *model_.data().volume);
    if (preview.slices[slice]) words_[pane] = live_.large() ? exact : tr("slices");
    set[slice] = preview.slices[slice] || live_.seen()[slice];  // pending ones keep their text
  }
  // Slices of data larger than memory arrive one by one: each keeps its text until its setting changes.
  if (live_.large())
    showWords();
  else
    setOtherWords(set, latest_ ? tr("previous setting") : tr("computing"));
}

void ViewLink::ageLargeSlices() {
  if (live_.large()) setWords(tr("previous setting"));
}

void ViewLink::showStarted() {
  if (live_.result() || !latest_) return;
  setOtherWords(live_.seen(), tr("previous setting"));
}

void ViewLink::showWhole(bool slicesAreOfIt) {
  const QScopedValueRollback<bool> guard(applying_, true);
  const std::size_t shown = model_.shownFilterIndex();
  const auto enabled = model_.bank().enabled();
  const auto isShown = [&](const std::string& name) { return shown < enabled.size() && enabled[shown]->name == name; };
  const bool without = std::ranges::any_of(leftOut_, [&](const LeftOut& each) { return isShown(each.name); });
  if (!latest_ || without) {
    views_.setResult(nullptr);
    shown_ = nullptr;
    setWords(without ? tr("left out") : QString());
    return;
  }
  const auto place = std::ranges::find_if(latest_->names, isShown);
  if (place == latest_->names.end()) return;  // the result of this filter is being computed
  const auto& output = latest_->outputs[static_cast<std::size_t>(place - latest_->names.begin())];
  // A renamed filter has the same picture.
  if (shown_ != output.get()) views_.setResult(output, latest_->geometry, slicesAreOfIt);
  shown_ = output.get();
  setWords(live_.result() ? tr("full") : tr("previous setting"));
}

void ViewLink::setWords(const QString& words) {
  words_.fill(words);
  showWords();
}

void ViewLink::setOtherWords(const std::array<bool, 3>& set, const QString& words) {
  for (std::size_t pane = 0; pane < set.size(); ++pane)
    if (!set[sliceOfPane(pane, *model_.data().volume)]) words_[pane] = words;
  words_.back() = words;
  showWords();
}

// The 3D view shows only the overview.
QString ViewLink::largeWords(bool result) const {
  const QString means = tr("overview: %1").arg(overviewText(model_.data().large->overview()));
  return result ? tr("%1 · no result in 3D").arg(means) : means;
}

void ViewLink::showWords() {
  const bool result = model_.view().show != "source";
  // No text where the crosshair left a slice of data larger than memory.
  const auto hasSlice = [&](std::size_t pane) {
    return !live_.large() || pane >= 3 || views_.resultSlice(2 - sliceOfPane(pane, *model_.data().volume)).volume;
  };
  for (std::size_t pane = 0; pane < words_.size(); ++pane)
    views_.setStatusText(static_cast<VolumeViews::View>(pane), result && hasSlice(pane) ? words_[pane] : QString());
  if (live_.large()) views_.setStatusText(VolumeViews::View::Volume, largeWords(result));
}

}  // namespace sscope

#include "moc_view_link.cpp"
