#pragma once
// The VTK side of the 3D view. Needs a current OpenGL context and is used in its thread only.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/volume/geometry.h"
#include "core/volume/volume_brick.h"
#include "ui/views/bricks.h"
#include "ui/views/camera_pose.h"
#include "ui/views/view_look.h"

class vtkRenderWindow;

namespace sscope {

// The part of each side's picture to draw: one of count x count, counted from the lower left.
struct PictureTile {
  int column = 0, row = 0, count = 1;
  double share = 1;  // the tile's height by the picture's
};

struct LevelColor {
  double level = 0;
  Rgb color{};
  bool operator==(const LevelColor&) const = default;
};

class VolumeScene {
 public:
  explicit VolumeScene(vtkRenderWindow* window);
  ~VolumeScene();

  // The part of a brick; an empty brick removes the side's volume. The geometry is the volume's the brick was made of.
  void setBrick(std::size_t side, const VolumeBrick& brick, const BrickPart& part, const Geometry& geometry);
  // After setBrick(): rays pass through these levels of the brick; with a mask only through its nonzero blocks.
  void setLevels(std::size_t side, const VolumeBrick& brick, const BrickPart& part,
                 const std::vector<std::uint8_t>& levels, const std::vector<std::uint8_t>& mask);
  // Colors and opacities of the levels, for all modes but Surface. `path`: the length over which an Average adds up to
  // white.
  void setTransfer(std::size_t side, const TransferFunction& transfer, VolumeMode mode, double path = 1);
  // Shows this surface instead of the ray-cast volume, with a color for each of its levels.
  void setSurface(std::size_t side, const IsoSurface& surface, const std::vector<LevelColor>& colors);
  void setShown(const std::array<bool, 2>& shown);
  void setCamera(const CameraPose& pose, const PictureTile& tile);
  // Length of a step along the rays in voxels of the brick: the larger, the faster and the coarser.
  void setStep(double voxels);

 private:
  struct Side;
  std::array<std::unique_ptr<Side>, 2> sides_;
};

}  // namespace sscope
