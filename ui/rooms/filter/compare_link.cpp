#include "ui/rooms/filter/compare_link.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/filter/job/filter_view.h"
#include "ui/model/visible_slices.h"

namespace sscope {

namespace {

constexpr std::array<const char*, 5> kWays{"side", "swipe", "flicker", "checkerboard", "difference"};

// As CompareLook::How counts them.
std::size_t wayOf(const std::string& name) {
  const auto found = std::ranges::find(kWays, name);
  return found == kWays.end() ? 0 : static_cast<std::size_t>(found - kWays.begin());
}

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
      rangeOf_ = dataNow();
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
  look.how = static_cast<CompareLook::How>(wayOf(view.compare));
  look.difference = kindOf(view.difference);
  if (view.differenceRange > 0) look.range = view.differenceRange;
  look.divider = view.divider;
  look.seconds = view.flickerSeconds;
  look.fields = view.checkerFields;
  look.oneWindow = shownFilterKeepsMean(model_);
  views_.setCompare(look);
  views_.setSliceColors({colorMapNamed(view.colors), view.invert, view.gamma});
}

// The same for all points in time.
std::uint64_t CompareLink::dataNow() const {
  const OpenData& data = model_.data();
  return data.series != 0 ? data.series : data.identity;
}

// A range of other data says nothing about these.
void CompareLink::followData() {
  if (rangeOf_ == 0 || !model_.hasData() || dataNow() == rangeOf_) return;
  rangeOf_ = 0;
  FilterView view = model_.settings<FilterView>();
  view.differenceRange = 0;
  model_.setSettings(view);
}

void CompareLink::compareNext() {
  const std::size_t now = wayOf(model_.settings<FilterView>().compare);
  compare(model_.view().show == "both" ? kWays[(now + 1) % kWays.size()] : kWays[now]);
}

void CompareLink::compare(const std::string& how) {
  FilterView next = model_.settings<FilterView>();
  next.compare = how;
  model_.edit(next);
  ViewState view = model_.view();
  view.show = "both";
  model_.setView(view);
}

void CompareLink::toggleInversion() {
  FilterView next = model_.settings<FilterView>();
  next.invert = !next.invert;
  model_.edit(next);
}

}  // namespace sscope

#include "moc_compare_link.cpp"
