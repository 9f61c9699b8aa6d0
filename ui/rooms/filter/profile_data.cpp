#include "ui/rooms/filter/profile_data.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "ui/base/text.h"

namespace sscope {

ProfileData::ProfileData(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent)
    : QObject(parent), model_(model), live_(live), views_(views) {
  const auto drop = [this] {
    latest_.reset();
    read_.clear();
    Q_EMIT changed();
  };
  const auto take = [this] {
    latest_ = live_.result();
    Q_EMIT changed();
  };
  connect(&views_, &VolumeViews::sourceSliceShown, this, &ProfileData::changed);
  connect(&live_, &LiveController::wholeReady, this, take);
  connect(&live_, &LiveController::renamed, this, take);
  connect(&live_, &LiveController::nothingToRun, this, drop);
  connect(&live_, &LiveController::started, this, &ProfileData::changed);
  connect(&live_, &LiveController::previewReady, this, &ProfileData::changed);
  connect(&model_, &SessionModel::dataChanged, this, drop);
  connect(&model_, &SessionModel::shownFilterChanged, this, &ProfileData::changed);
  connect(&reading_, &BackgroundTask::finished, this, &ProfileData::changed);
}

std::vector<ProfileSlice> ProfileData::slices(std::size_t axis) {
  std::vector<ProfileSlice> slices;
  if (!model_.hasData()) return slices;
  const VoxelIndex at = model_.crosshair();
  if (model_.data().large) {
    if (auto seen = views_.sourceSlice(axis); views_.sourceIsExact(axis))
      slices.push_back({tr("source"), std::move(seen.volume), seen.at, false});
  } else {
    slices.push_back({tr("source"), model_.data().volume, at[axis], false});
  }
  std::vector<Wish> wishes;
  const auto enabled = model_.bank().enabled();
  const std::size_t shown = model_.shownFilterIndex();
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    const std::string& name = enabled[i]->name;
    // The views show the result of one filter, once they have it.
    if (auto seen = views_.resultSlice(axis); i == shown && seen.volume) {
      slices.push_back({toQt(name), std::move(seen.volume), seen.at, false});
    } else {
      add(slices, name, axis, wishes);
    }
  }
  if (!wishes.empty()) read(std::move(wishes));
  return slices;
}

void ProfileData::add(std::vector<ProfileSlice>& slices, const std::string& name, std::size_t axis,
                      std::vector<Wish>& wishes) {
  if (!latest_) return;
  const auto place = std::ranges::find(latest_->names, name);
  if (place == latest_->names.end()) return;
  const auto& array = latest_->outputs[static_cast<std::size_t>(place - latest_->names.begin())];
  const std::int64_t at = model_.crosshair()[axis];
  const bool stale = live_.result() == nullptr;
  try {
    if (array->deviceBytes() == 0) {  // nothing is copied
      slices.push_back({toQt(name), array->host({}), at, stale});
    } else if (auto slice = kept(array.get(), axis, at)) {
      slices.push_back({toQt(name), std::move(slice), 0, stale});
    } else {
      wishes.push_back({array, axis, at});
    }
  } catch (const Error&) {  // it is lost; the views say so
  }
}

std::shared_ptr<const Volume> ProfileData::kept(const ResidentArray* array, std::size_t axis, std::int64_t at) const {
  const auto found = read_.find(array);
  if (found == read_.end() || found->second.axis != axis || found->second.at != at) return nullptr;
  return found->second.array.lock().get() == array ? found->second.slice : nullptr;
}

void ProfileData::read(std::vector<Wish> wishes) {
  std::erase_if(read_, [](const auto& each) { return each.second.array.expired(); });
  reading_.start([this, wishes = std::move(wishes)](const Control& control) -> BackgroundTask::Finish {
    std::vector<Read> found;
    for (const Wish& wish : wishes) {
      const ArraySpec& spec = wish.array->spec();
      const Box box = sliceBox(spec, wish.axis, wish.at);
      Volume slice({box.size(0), box.size(1), box.size(2), static_cast<int>(spec.extent[3])}, spec.type);
      const BoxCopy copy{box, slice.view()};
      wish.array->read({&copy, 1}, control);
      found.push_back({wish.array, wish.axis, wish.at, std::make_shared<const Volume>(std::move(slice))});
    }
    return [this, found = std::move(found)] {
      for (const Read& each : found)
        if (const auto array = each.array.lock()) read_[array.get()] = each;
    };
  });
}

}  // namespace sscope

#include "moc_profile_data.cpp"
