#pragma once
// Keeps the 3D view in step with the Filter room's settings of it.

#include <QObject>
#include <cstdint>

#include "core/filter/job/volume_settings.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

[[nodiscard]] VolumeLook lookOf(const VolumeSettings& settings);

class VolumeLink : public QObject {
  Q_OBJECT
 public:
  VolumeLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

  // A step of undo. What it says about values holds for the data of now: it goes with them.
  void edit(const VolumeSettings& settings, const QString& gesture = {});

 private:
  void apply();
  void followData();
  [[nodiscard]] std::uint64_t dataNow() const;

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t chosenFor_ = 0;  // the data that looks were chosen for by hand; 0: of a session
};

}  // namespace sscope
