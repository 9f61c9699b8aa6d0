#include "ui/views/slice_scene.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <vtkCamera.h>
#include <vtkImageData.h>
#include <vtkImageProperty.h>
#include <vtkImageSlice.h>
#include <vtkImageSliceMapper.h>
#include <vtkNew.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include "ui/views/slice_image.h"
#include "ui/views/view_style.h"

namespace sscope {

namespace {

// Slices up to this many voxels along an edge are taken out whole, so that panning and zooming in costs nothing.
constexpr std::int64_t kWhole = 1024;
// Larger ones are cut at multiples of this, so that small pans find the cut still good.
constexpr std::int64_t kGrid = 256;

// The voxels along one axis (from the left or bottom) that are on the screen.
std::pair<std::int64_t, std::int64_t> visibleRange(double center, double halfLength, double spacing,
                                                   std::int64_t extent) {
  if (extent <= kWhole) return {0, extent};
  const auto first = static_cast<std::int64_t>(std::floor((center - halfLength) / spacing)) - 1;
  const auto last = static_cast<std::int64_t>(std::ceil((center + halfLength) / spacing)) + 2;
  const std::int64_t begin = std::clamp<std::int64_t>(first / kGrid * kGrid, 0, extent - 1);
  const std::int64_t end = std::clamp<std::int64_t>((last + kGrid - 1) / kGrid * kGrid, begin + 1, extent);
  return {begin, end};
}

SliceRegion visibleRegion(const SlicePlane& plane, const SliceCamera& camera, double width, double height) {
  const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
  const auto [left, right] =
      visibleRange(camera.across, width / 2 * camera.unitsPerPixel, su, plane.extent[plane.across]);
  const auto [bottom, top] = visibleRange(camera.up, height / 2 * camera.unitsPerPixel, sv, plane.extent[plane.up]);
  SliceRegion region{left, bottom, right - left, top - bottom, 1};
  // As many voxels a pixel as fit into one pixel of the screen along the finer axis.
  const double voxelsPerPixel = camera.unitsPerPixel / std::max(su, sv);
  region.reduction = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(voxelsPerPixel + 0.25)));
  return region;
}

}  // namespace

struct SliceScene::Side {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkImageSlice> actor;
  vtkNew<vtkImageSliceMapper> mapper;
  vtkNew<vtkImageData> pixels;
  SliceImage values;
  // What `values` and `pixels` were made of.
  ViewModel::Slice slice;
  SliceRegion region;
  int component = -2;
  std::array<double, 2> window{0, 0};
  bool linear = false;

  bool bringUpToDate(const ViewModel& model, const SlicePlane& plane, std::size_t side, const SliceRegion& wanted);
  void allocate(const SlicePlane& plane);
};

void SliceScene::Side::allocate(const SlicePlane& plane) {
  const int w = static_cast<int>(values.width), h = static_cast<int>(values.height);
  const int* dims = pixels->GetDimensions();
  if (dims[0] != w || dims[1] != h || pixels->GetScalarPointer() == nullptr) {
    pixels->SetDimensions(w, h, 1);
    pixels->AllocateScalars(VTK_UNSIGNED_CHAR, 4);
  }
  const auto reduction = static_cast<double>(region.reduction);
  const double su = plane.spacing[plane.across], sv = plane.spacing[plane.up];
  pixels->SetSpacing(reduction * su, reduction * sv, 1);
  pixels->SetOrigin((static_cast<double>(region.left) + (reduction - 1) / 2) * su,
                    (static_cast<double>(region.bottom) + (reduction - 1) / 2) * sv, 0);
}

bool SliceScene::Side::bringUpToDate(const ViewModel& model, const SlicePlane& plane, std::size_t side,
                                     const SliceRegion& wanted) {
  const ViewModel::Slice now = model.shown[side] ? model.slice(side, plane.normal) : ViewModel::Slice{};
  bool changed = false;
  if (!now.volume) {
    if (actor->GetVisibility() != 0) {
      actor->VisibilityOff();
      changed = true;
    }
    slice = {};
    return changed;
  }
  bool remap = window != model.window[side];
  if (now != slice || wanted != region || component != model.component) {
    slice = now;
    region = wanted;
    component = model.component;
    values = extractSlice(*now.volume, plane, now.at, component, region);
    allocate(plane);
    remap = true;
  }
  if (linear != model.linear) {
    linear = model.linear;
    linear ? actor->GetProperty()->SetInterpolationTypeToLinear()
           : actor->GetProperty()->SetInterpolationTypeToNearest();
    changed = true;
  }
  if (remap) {
    window = model.window[side];
    mapToRgba(values, window, static_cast<std::uint8_t*>(pixels->GetScalarPointer()));
    pixels->Modified();
    changed = true;
  }
  if (actor->GetVisibility() == 0) {
    actor->VisibilityOn();
    changed = true;
  }
  return changed;
}

SliceScene::SliceScene(vtkRenderWindow* window) {
  const QColor background = viewBackground();
  vtkNew<vtkCamera> camera;
  camera->ParallelProjectionOn();
  for (auto& side : sides_) {
    side = std::make_unique<Side>();
    side->renderer->SetBackground(background.redF(), background.greenF(), background.blueF());
    side->renderer->SetActiveCamera(camera);
    side->mapper->SetInputData(side->pixels);
    side->mapper->BorderOn();  // the outermost voxels are drawn whole
    side->actor->SetMapper(side->mapper);
    side->actor->GetProperty()->SetColorWindow(255);
    side->actor->GetProperty()->SetColorLevel(127.5);
    side->actor->GetProperty()->SetInterpolationTypeToNearest();
    side->actor->VisibilityOff();
    side->renderer->AddViewProp(side->actor);
    window->AddRenderer(side->renderer);
  }
}

SliceScene::~SliceScene() = default;

void SliceScene::setPlane(const SlicePlane& plane) {
  plane_ = plane;
  for (auto& side : sides_) side->slice = {};
}

bool SliceScene::update(const ViewModel& model, const SliceCamera& camera, double width, double height) {
  const bool both = model.shown[0] && model.shown[1];
  bool changed = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    vtkRenderer* renderer = sides_[i]->renderer;
    const bool drawn = model.shown[i];
    const double left = both ? 0.5 * static_cast<double>(i) : 0, right = both ? left + 0.5 : 1;
    renderer->SetViewport(left, 0, right, 1);
    if ((renderer->GetDraw() != 0) != drawn) {
      renderer->SetDraw(drawn ? 1 : 0);
      changed = true;
    }
  }
  const double sideWidth = both ? width / 2 : width;
  const SliceRegion region = visibleRegion(plane_, camera, sideWidth, height);
  for (std::size_t i = 0; i < sides_.size(); ++i) changed |= sides_[i]->bringUpToDate(model, plane_, i, region);

  vtkCamera* vtk = sides_[0]->renderer->GetActiveCamera();
  const auto before = vtk->GetMTime();
  const double depth = 1e3 * std::max(camera.unitsPerPixel, 1e-12);
  vtk->SetFocalPoint(camera.across, camera.up, 0);
  vtk->SetPosition(camera.across, camera.up, depth);
  vtk->SetViewUp(0, 1, 0);
  vtk->SetParallelScale(camera.unitsPerPixel * height / 2);
  vtk->SetClippingRange(0.5 * depth, 1.5 * depth);
  return changed || vtk->GetMTime() != before;
}

}  // namespace sscope
