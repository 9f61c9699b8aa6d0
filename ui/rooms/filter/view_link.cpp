#include "ui/rooms/filter/view_link.h"

#include <QScopedValueRollback>
#include <algorithm>

#include "ui/base/text.h"
#include "ui/model/visible_slices.h"

namespace sscope {

namespace {

VolumeViews::Show showOf(const std::string& name) {
  if (name == "source") return VolumeViews::Show::Source;
  return name == "both" ? VolumeViews::Show::Both : VolumeViews::Show::Result;
}

const char* nameOf(VolumeViews::Show show) {
  switch (show) {
    case VolumeViews::Show::Source: return "source";
    case VolumeViews::Show::Result: return "result";
    case VolumeViews::Show::Both: break;
  }
  return "both";
}

VolumeViews::Layout layoutOf(const std::string& name) {
  if (name == "axial") return VolumeViews::Layout::Axial;
  if (name == "coronal") return VolumeViews::Layout::Coronal;
  if (name == "sagittal") return VolumeViews::Layout::Sagittal;
  return name == "volume" ? VolumeViews::Layout::Volume : VolumeViews::Layout::All;
}

const char* nameOf(VolumeViews::Layout layout) {
  switch (layout) {
    case VolumeViews::Layout::Axial: return "axial";
    case VolumeViews::Layout::Coronal: return "coronal";
    case VolumeViews::Layout::Sagittal: return "sagittal";
    case VolumeViews::Layout::Volume: return "volume";
    case VolumeViews::Layout::All: break;
  }
  return "all";
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
  connect(&live, &LiveController::canceled, this, [this] { tell(tr("canceled")); });
  connect(&live, &LiveController::leftOutChanged, this, [this](const std::vector<LeftOut>& leftOut) {
    leftOut_ = leftOut;
    showWhole();
  });
  connect(&live, &LiveController::renamed, this, [this] {
    latest_ = live_.result();
    showWhole();
  });

  // The window that a result had with the source says nothing of one in another quantity.
  connect(&model_, &SessionModel::shownFilterChanged, this, [this] {
    ViewState view = model_.view();
    if (!view.resultWindow || view.resultWindow != view.sourceWindow || shownFilterKeepsMean(model_)) return;
    view.resultWindow.reset();
    model_.setView(view);
  });
  connect(&views, &VolumeViews::readingFailed, this, [this](const QString& why) { tell(why); });
  connect(&views, &VolumeViews::crosshairChanged, this, [this](const VoxelIndex& voxel) {
    if (applying_) return;
    ViewState view = model_.view();
    view.crosshair = voxel;
    model_.setView(view);
  });
  connect(&views, &VolumeViews::windowChanged, this, [this](bool result, double low, double high) {
    if (applying_ || (result ? views_.resultWindowAutomatic() : views_.sourceWindowAutomatic())) return;
    ViewState view = model_.view();
    (result ? view.resultWindow : view.sourceWindow) = ValueWindow{low, high};
    model_.setView(view);
  });
  connect(&views, &VolumeViews::layoutChanged, this, [this](VolumeViews::Layout layout) {
    if (applying_) return;
    ViewState view = model_.view();
    view.layout = nameOf(layout);
    model_.setView(view);
  });
  connect(&views, &VolumeViews::showChanged, this, [this](VolumeViews::Show show) {
    if (applying_) return;
    ViewState view = model_.view();
    view.show = nameOf(show);
    model_.setView(view);
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
  tell(later ? tr("earlier point in time") : QString());
}

void ViewLink::applyView() {
  const QScopedValueRollback<bool> guard(applying_, true);
  const ViewState& view = model_.view();
  views_.setShow(showOf(view.show));
  views_.setViewLayout(layoutOf(view.layout));
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
  // One that comes late may be the last that its pane sees.
  const QString exact = live_.newsIsCurrent() ? tr("exact slice") : tr("previous setting");
  std::array<bool, 3> set{};
  for (std::size_t pane = 0; pane < set.size(); ++pane) {
    const std::size_t slice = sliceOfPane(pane, *model_.data().volume);
    if (preview.slices[slice]) words_[pane] = live_.large() ? exact : tr("slices");
    set[slice] = preview.slices[slice] || live_.seen()[slice];  // those that are still to come are as they were
  }
  // Slices of data larger than memory come one by one: each keeps its words until its setting changes.
  if (live_.large())
    showWords();
  else
    tellOthers(set, latest_ ? tr("previous setting") : tr("computing"));
}

void ViewLink::ageLargeSlices() {
  if (live_.large()) tell(tr("previous setting"));
}

void ViewLink::showStarted() {
  if (live_.result() || !latest_) return;
  tellOthers(live_.seen(), tr("previous setting"));
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
    tell(without ? tr("left out") : QString());
    return;
  }
  const auto place = std::ranges::find_if(latest_->names, isShown);
  if (place == latest_->names.end()) return;  // the result of this filter is being computed
  const auto& output = latest_->outputs[static_cast<std::size_t>(place - latest_->names.begin())];
  // Under another name it is the same picture.
  if (shown_ != output.get()) views_.setResult(output, latest_->geometry, slicesAreOfIt);
  shown_ = output.get();
  tell(live_.result() ? tr("full") : tr("previous setting"));
}

void ViewLink::tell(const QString& words) {
  words_.fill(words);
  showWords();
}

void ViewLink::tellOthers(const std::array<bool, 3>& set, const QString& words) {
  for (std::size_t pane = 0; pane < set.size(); ++pane)
    if (!set[sliceOfPane(pane, *model_.data().volume)]) words_[pane] = words;
  words_.back() = words;
  showWords();
}

// The 3D view has the overview alone.
QString ViewLink::largeWords(bool result) const {
  const QString means = tr("overview: %1").arg(overviewText(model_.data().large->overview()));
  return result ? tr("%1 · no result in 3D").arg(means) : means;
}

void ViewLink::showWords() {
  const bool result = model_.view().show != "source";
  // Where the crosshair left a slice of data larger than memory there is nothing to speak of.
  const auto stands = [&](std::size_t pane) {
    return !live_.large() || pane >= 3 || views_.resultSlice(2 - sliceOfPane(pane, *model_.data().volume)).volume;
  };
  for (std::size_t pane = 0; pane < words_.size(); ++pane)
    views_.setStatusText(static_cast<VolumeViews::View>(pane), result && stands(pane) ? words_[pane] : QString());
  if (live_.large()) views_.setStatusText(VolumeViews::View::Volume, largeWords(result));
}

}  // namespace sscope

#include "moc_view_link.cpp"
