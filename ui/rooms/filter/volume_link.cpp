#include "ui/rooms/filter/volume_link.h"

#include <array>

namespace sscope {

namespace {

VolumeMode volumeModeOf(const std::string& name) {
  if (name == "maximum") return VolumeMode::Maximum;
  if (name == "average") return VolumeMode::Average;
  if (name == "minimum") return VolumeMode::Minimum;
  return name == "surface" ? VolumeMode::Surface : VolumeMode::Composite;
}

}  // namespace

VolumeLook lookOf(const VolumeSettings& settings) {
  VolumeLook look;
  look.mode = volumeModeOf(settings.mode);
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
  chosenFor_ = dataNow();
  model_.edit(settings, gesture);
}

// The same for all points in time.
std::uint64_t VolumeLink::dataNow() const {
  const OpenData& data = model_.data();
  return data.series != 0 ? data.series : data.identity;
}

// Values and a part that were chosen for other data say nothing about these.
void VolumeLink::followData() {
  if (chosenFor_ == 0 || !model_.hasData() || dataNow() == chosenFor_) return;
  chosenFor_ = 0;
  const auto& now = model_.settings<VolumeSettings>();
  VolumeSettings next;
  next.panel = now.panel;
  next.mode = now.mode;
  next.linked = now.linked;
  model_.setSettings(next);
}

}  // namespace sscope

#include "moc_volume_link.cpp"
