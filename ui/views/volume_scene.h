#pragma once
// The VTK side of the 3D view. Needs a current OpenGL context; lives in the thread that has it.

#include <array>
#include <memory>
#include <optional>

#include "core/volume/geometry.h"
#include "ui/views/camera_pose.h"
#include "ui/views/volume_brick.h"

class vtkRenderWindow;

namespace sscope {

// Rays and steps: the larger, the faster and the coarser.
struct RayQuality {
  double pixelsPerRay = 1;   // along each edge of the picture, 1..10
  double voxelsPerStep = 1;  // of the brick
  bool shaded = true;
  bool operator==(const RayQuality&) const = default;
};

class VolumeScene {
 public:
  explicit VolumeScene(vtkRenderWindow* window);
  ~VolumeScene();

  // An empty brick removes the side's volume. The geometry is the volume's the brick was made of.
  void setBrick(std::size_t side, const VolumeBrick& brick, const Geometry& geometry);
  void setShown(const std::array<bool, 2>& shown);
  void setCamera(const CameraPose& pose);
  void setQuality(const RayQuality& quality);

 private:
  struct Side;
  std::array<std::unique_ptr<Side>, 2> sides_;
};

}  // namespace sscope
