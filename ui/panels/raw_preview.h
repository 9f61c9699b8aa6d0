#pragma once
// The middle slice of raw voxels, as a layout has them, while one types it.

#include <QLabel>
#include <string>

#include "core/volume/volume_io.h"
#include "ui/base/background_task.h"

namespace sscope {

class RawPreview : public QLabel {
  Q_OBJECT
 public:
  explicit RawPreview(VolumeIo& io, QWidget* parent = nullptr);

  // Of the file and layout of this name; only the newest one counts. Empty: no picture.
  void showSlice(const std::string& name);

 private:
  VolumeIo& io_;
  std::string name_;
  BackgroundTask reading_;
};

}  // namespace sscope
