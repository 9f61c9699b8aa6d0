#pragma once
// The VTK side of a slice view: one image per side, both seen by one parallel camera.

#include <array>
#include <memory>

#include "ui/views/slice_plane.h"
#include "ui/views/view_model.h"

class vtkRenderWindow;

namespace sscope {

// Position and scale of a slice view; positions as in SlicePlane.
struct SliceCamera {
  double across = 0, up = 0;  // the point in the middle of each side
  double unitsPerPixel = 1;   // physical units per physical pixel
};

class SliceScene {
 public:
  explicit SliceScene(vtkRenderWindow* window);
  ~SliceScene();

  void setPlane(const SlicePlane& plane);
  // Brings images, windows and camera up to date for a picture of `width` x `height` physical pixels; true when
  // something visible changed. Takes out of the volumes only what is on the screen and changed.
  bool update(const ViewModel& model, const SliceCamera& camera, double width, double height);

 private:
  struct Side;
  SlicePlane plane_;
  std::array<std::unique_ptr<Side>, 2> sides_;
};

}  // namespace sscope
