#pragma once

#include <QLabel>

#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

// "value 812 → 640.2 at (12.0, -4.0, 33.0) mm · voxel (96, 110, 83)", counted from 0; positions have enough digits to
// distinguish neighboring voxels.
[[nodiscard]] QString hoverText(const HoverInfo& info, const Geometry& geometry, int dimensions);

class HoverReadout : public QLabel {
  Q_OBJECT
 public:
  HoverReadout(SessionModel& model, VolumeViews& views, QWidget* parent = nullptr);
};

}  // namespace sscope
