#include "ui/views/volume_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkColorTransferFunction.h>
#include <vtkDataArray.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkReverseSense.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include "ui/views/view_style.h"

namespace sscope {

namespace {

constexpr const char* kLevelsOfPoints = "levels";

void makeBox(vtkPolyData* box, const double* bounds) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> edges;
  for (vtkIdType corner = 0; corner < 8; ++corner) {
    points->InsertNextPoint(bounds[corner & 1], bounds[2 + (corner >> 1 & 1)], bounds[4 + (corner >> 2 & 1)]);
    for (const vtkIdType bit : {1, 2, 4})
      if ((corner & bit) == 0) {
        const vtkIdType ends[] = {corner, corner | bit};
        edges->InsertNextCell(2, ends);
      }
  }
  box->SetPoints(points);
  box->SetLines(edges);
}

// Each point gets the color of the level nearest to its scalar.
void colorByLevel(vtkPolyData& mesh, const std::vector<LevelColor>& colors) {
  vtkSmartPointer<vtkDataArray> levels = mesh.GetPointData()->GetArray(kLevelsOfPoints);
  if (levels == nullptr) levels = mesh.GetPointData()->GetScalars();
  if (levels == nullptr || colors.empty()) return;  // there is no point
  levels->SetName(kLevelsOfPoints);
  vtkNew<vtkUnsignedCharArray> bytes;
  bytes->SetName("colors");
  bytes->SetNumberOfComponents(3);
  bytes->SetNumberOfTuples(levels->GetNumberOfTuples());
  for (vtkIdType i = 0; i < levels->GetNumberOfTuples(); ++i) {
    const double level = levels->GetTuple1(i);
    const LevelColor& nearest =
        *std::ranges::min_element(colors, {}, [level](const LevelColor& each) { return std::abs(each.level - level); });
    for (int c = 0; c < 3; ++c)
      bytes->SetTypedComponent(
          i, c, static_cast<unsigned char>(std::lround(255 * nearest.color[static_cast<std::size_t>(c)])));
  }
  mesh.GetPointData()->SetScalars(bytes);  // removes the ones before
  mesh.GetPointData()->AddArray(levels);
}

}  // namespace

struct VolumeScene::Side {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkGPUVolumeRayCastMapper> mapper;
  vtkNew<vtkVolume> volume;
  vtkNew<vtkColorTransferFunction> colors;
  vtkNew<vtkPiecewiseFunction> opacities;
  vtkNew<vtkPolyDataMapper> surfaceMapper;
  vtkNew<vtkActor> surface;
  vtkNew<vtkPolyData> outline;  // the twelve edges of the brick
  vtkNew<vtkPolyDataMapper> outlineMapper;
  vtkNew<vtkActor> outlineActor;
  double voxel = 1;  // the smallest edge of the brick's voxels
  double unit = 1;   // the length unit of the opacities
  bool filled = false;
  bool shown = false;
  bool asSurface = false;
  bool summed = false;  // a picture of sums is opaque and hides the box

  Side();
  void show() {
    renderer->SetDraw(shown ? 1 : 0);
    volume->SetVisibility(filled && !asSurface ? 1 : 0);
    surface->SetVisibility(filled && asSurface ? 1 : 0);
    renderer->SetUseFXAA(asSurface);  // rays smooth edges, surfaces do not
    outlineActor->SetVisibility(filled && !(summed && !asSurface) ? 1 : 0);
  }
};

VolumeScene::Side::Side() {
  const QColor background = viewBackground();
  renderer->SetBackground(background.redF(), background.greenF(), background.blueF());
  mapper->SetAutoAdjustSampleDistances(0);
  mapper->SetLockSampleDistanceToInputSpacing(0);
  mapper->SetImageSampleDistance(1);  // the renderer scales the picture instead
  mapper->UseJitteringOn();           // grain instead of rings
  mapper->SetBlendModeToComposite();
  vtkVolumeProperty* property = volume->GetProperty();
  property->SetColor(colors);
  property->SetScalarOpacity(opacities);
  property->SetInterpolationTypeToLinear();
  property->ShadeOn();
  property->SetAmbient(0.28);
  property->SetDiffuse(0.80);
  property->SetSpecular(0.20);
  property->SetSpecularPower(16);
  volume->SetMapper(mapper);
  volume->VisibilityOff();
  surface->SetMapper(surfaceMapper);
  surface->VisibilityOff();
  vtkProperty* skin = surface->GetProperty();
  skin->SetInterpolationToPhong();
  skin->SetAmbient(0.18);
  skin->SetDiffuse(0.80);
  skin->SetSpecular(0.18);
  skin->SetSpecularPower(20);
  outlineMapper->SetInputData(outline);
  outlineActor->SetMapper(outlineMapper);
  outlineActor->GetProperty()->SetColor(0.30, 0.33, 0.37);
  outlineActor->GetProperty()->LightingOff();
  outlineActor->VisibilityOff();
  renderer->AddViewProp(volume);
  renderer->AddViewProp(surface);
  renderer->AddViewProp(outlineActor);
}

VolumeScene::VolumeScene(vtkRenderWindow* window) {
  vtkNew<vtkCamera> camera;
  for (auto& side : sides_) {
    side = std::make_unique<Side>();
    side->renderer->SetActiveCamera(camera);
    side->renderer->SetDraw(0);
    window->AddRenderer(side->renderer);
  }
}

VolumeScene::~VolumeScene() = default;

void VolumeScene::setBrick(std::size_t index, const VolumeBrick& brick, const BrickPart& part,
                           const Geometry& geometry) {
  Side& side = *sides_[index];
  side.filled = !brick.empty();
  if (side.filled) {
    const auto image = imageOfBytes(brick, brick.values, part);
    vtkNew<vtkMatrix4x4> placement;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column)
        placement->SetElement(row, column, geometry.direction[static_cast<std::size_t>(3 * row + column)]);
      placement->SetElement(row, 3, geometry.origin[static_cast<std::size_t>(row)]);
    }
    side.volume->SetUserMatrix(placement);
    side.surface->SetUserMatrix(placement);
    side.outlineActor->SetUserMatrix(placement);
    makeBox(side.outline, image->GetBounds());
    side.mapper->SetInputData(image);
    side.mapper->SetMaskInput(nullptr);
    double diagonal = 0;
    for (std::size_t a = 0; a < 3; ++a) diagonal += std::pow(static_cast<double>(brick.size[a]) * brick.spacing[a], 2);
    side.unit = std::sqrt(diagonal) / 100;
    side.voxel = std::ranges::min(brick.spacing);
  }
  side.show();
}

void VolumeScene::setLevels(std::size_t index, const VolumeBrick& brick, const BrickPart& part,
                            const std::vector<std::uint8_t>& levels, const std::vector<std::uint8_t>& mask) {
  Side& side = *sides_[index];
  side.mapper->SetInputData(imageOfBytes(brick, levels, part));
  side.mapper->SetMaskTypeToBinary();
  side.mapper->SetMaskInput(mask.empty() ? nullptr : imageOfBytes(brick, mask, part).Get());
}

void VolumeScene::setTransfer(std::size_t index, const TransferFunction& transfer, VolumeMode mode, double path) {
  Side& side = *sides_[index];
  side.asSurface = false;
  side.summed = mode == VolumeMode::Average;
  side.colors->RemoveAllPoints();
  for (const auto& [level, rgb] : transfer.colors) side.colors->AddRGBPoint(level, rgb[0], rgb[1], rgb[2]);
  side.opacities->RemoveAllPoints();
  for (const auto& [level, opacity] : transfer.opacities) side.opacities->AddPoint(level, opacity);
  const bool composite = mode == VolumeMode::Composite;
  vtkVolumeProperty* property = side.volume->GetProperty();
  // The step from the last level of angles to the first one is not a surface.
  property->SetInterpolationType(transfer.nearest ? VTK_NEAREST_INTERPOLATION : VTK_LINEAR_INTERPOLATION);
  property->SetShade(composite && transfer.shaded ? 1 : 0);
  property->SetScalarOpacityUnitDistance(mode == VolumeMode::Average ? path : side.unit);
  switch (mode) {
    case VolumeMode::Maximum: side.mapper->SetBlendModeToMaximumIntensity(); break;
    case VolumeMode::Minimum: side.mapper->SetBlendModeToMinimumIntensity(); break;
    case VolumeMode::Average: side.mapper->SetBlendModeToAdditive(); break;
    default: side.mapper->SetBlendModeToComposite();
  }
  side.show();
}

void VolumeScene::setSurface(std::size_t index, const IsoSurface& surface, const std::vector<LevelColor>& colors) {
  Side& side = *sides_[index];
  side.asSurface = true;
  vtkPolyData* mesh = surface.mesh;
  vtkNew<vtkReverseSense> reverse;
  if (side.volume->GetUserMatrix()->Determinant() < 0) {  // mirrored: the front of a triangle is its back
    reverse->SetInputData(mesh);
    reverse->ReverseCellsOn();
    reverse->ReverseNormalsOff();
    reverse->Update();
    mesh = reverse->GetOutput();
  }
  side.surfaceMapper->SetInputData(mesh);
  colorByLevel(*mesh, colors);
  side.surfaceMapper->ScalarVisibilityOn();
  side.surfaceMapper->SetColorModeToDirectScalars();
  side.show();
}

void VolumeScene::setShown(const std::array<bool, 2>& shown) {
  const bool both = shown[0] && shown[1];
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    sides_[i]->shown = shown[i];
    sides_[i]->show();
    const double left = both ? 0.5 * static_cast<double>(i) : 0;
    sides_[i]->renderer->SetViewport(left, 0, both ? left + 0.5 : 1, 1);
  }
}

void VolumeScene::setCamera(const CameraPose& pose, const PictureTile& tile) {
  vtkCamera* camera = sides_[0]->renderer->GetActiveCamera();
  const Vector3 eye = pose.eye();
  camera->SetFocalPoint(pose.focus.data());
  camera->SetPosition(eye.data());
  camera->SetViewUp(pose.up.data());
  const double halfAngle = std::atan(pose.halfHeight() / pose.distance * tile.share);
  camera->SetViewAngle(2 * halfAngle * 180 / std::numbers::pi);
  camera->SetWindowCenter(2 * tile.column + 1 - tile.count, 2 * tile.row + 1 - tile.count);
  for (auto& side : sides_)
    if (side->shown && side->filled) side->renderer->ResetCameraClippingRange();
}

void VolumeScene::setStep(double voxels) {
  for (auto& side : sides_) side->mapper->SetSampleDistance(static_cast<float>(voxels * side->voxel));
}

}  // namespace sscope
