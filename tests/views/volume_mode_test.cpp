// Projections, isosurfaces, colors of the slices and cuts in the 3D view, by their pixels.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <vtkCell.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStringOutputWindow.h>
#include <vtkTriangle.h>

#include "tests/support/catch.h"
#include "tests/views/views_support.h"
#include "ui/views/bricks.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_renderer.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr std::int64_t kModeEdge = 32;
constexpr double kMiddle = (kModeEdge - 1) / 2.0;
constexpr int kPixels = 160;

// Of the distance from the middle in voxels.
std::shared_ptr<const Volume> ballOf(const std::function<double(double)>& value, Geometry geometry = {}) {
  Volume volume({kModeEdge, kModeEdge, kModeEdge, 1}, ElementType::f32, std::move(geometry));
  float* out = volume.elements<float>().data();
  for (std::int64_t z = 0; z < kModeEdge; ++z)
    for (std::int64_t y = 0; y < kModeEdge; ++y)
      for (std::int64_t x = 0; x < kModeEdge; ++x)
        *out++ = static_cast<float>(value(std::hypot(static_cast<double>(x) - kMiddle, static_cast<double>(y) - kMiddle,
                                                     static_cast<double>(z) - kMiddle)));
  return std::make_shared<const Volume>(std::move(volume));
}

// Negative on one side and positive on the other; zero around it.
std::shared_ptr<const Volume> signedBall() {
  Volume volume({kModeEdge, kModeEdge, kModeEdge, 1}, ElementType::f32);
  float* out = volume.elements<float>().data();
  for (std::int64_t z = 0; z < kModeEdge; ++z)
    for (std::int64_t y = 0; y < kModeEdge; ++y)
      for (std::int64_t x = 0; x < kModeEdge; ++x) {
        const double dx = static_cast<double>(x) - kMiddle;
        const double r = std::hypot(dx, static_cast<double>(y) - kMiddle, static_cast<double>(z) - kMiddle);
        *out++ = r < 9 ? static_cast<float>(50 * dx / 9) : 0;
      }
  return std::make_shared<const Volume>(std::move(volume));
}

VolumeRenderer::Request requestOf(std::shared_ptr<const Volume> volume, VolumeMode mode, const Vector3& back,
                                  const Vector3& up) {
  VolumeRenderer::Request request;
  const Vector3 middle = volume->geometry().toPhysical({kMiddle, kMiddle, kMiddle});
  request.volumes = {std::move(volume), nullptr};
  request.shown = {true, false};
  request.pixels = {kPixels, kPixels};
  request.look.mode = mode;
  request.camera = {.focus = middle, .back = back, .up = up, .distance = 3.6 * kModeEdge};
  return request;
}

VolumeRenderer::Request fromTheFront(std::shared_ptr<const Volume> volume, VolumeMode mode) {
  return requestOf(std::move(volume), mode, {0, -1, 0}, {0, 0, 1});
}

QImage draw(const VolumeRenderer::Request& request) {
  VolumeRenderer renderer;
  const VolumePicture picture = renderer.drawNow(request);
  INFO(picture.note.toStdString());
  REQUIRE(picture.complete);
  REQUIRE(picture.image.size() == request.pixels);
  return picture.image;
}

// What VTK would write to the terminal meanwhile.
class VtkWords {
 public:
  VtkWords() { vtkOutputWindow::SetInstance(window_); }
  ~VtkWords() { vtkOutputWindow::SetInstance(before_); }
  VtkWords(const VtkWords&) = delete;
  VtkWords& operator=(const VtkWords&) = delete;
  [[nodiscard]] std::string told() const { return window_->GetOutput(); }

 private:
  vtkSmartPointer<vtkOutputWindow> before_ = vtkOutputWindow::GetInstance();
  vtkNew<vtkStringOutputWindow> window_;
};

// Pixels that are not the view's background, nor an edge of the box.
int covered(const QImage& image, const QRect& part) {
  int count = 0;
  for (int y = part.top(); y <= part.bottom(); ++y)
    for (int x = part.left(); x <= part.right(); ++x) count += closeTo(image.pixel(x, y), viewBackground(), 12) ? 0 : 1;
  return count;
}

double areaOf(vtkPolyData& mesh) {
  double area = 0;
  for (vtkIdType i = 0; i < mesh.GetNumberOfCells(); ++i)
    if (auto* triangle = vtkTriangle::SafeDownCast(mesh.GetCell(i))) area += triangle->ComputeArea();
  return area;
}

VolumeBrick brickFrom(const Volume& volume, std::vector<float>& means) {
  const BrickBlocks blocks = brickBlocks(volume.spec(), 0, kBrickEdge);
  means = blockMeans(volume, blocks, {});
  return brickOf(blocks, means, volume.geometry(), {});
}

}  // namespace

TEST_CASE("the maximum shows one bright voxel from every direction, and nothing else") {
  const std::array<std::int64_t, 3> mark{9, 22, 14};
  const auto volume = markedVolume({kModeEdge, kModeEdge, kModeEdge, 1}, mark, 0, 900);
  const auto [back, up] =
      GENERATE(std::pair<Vector3, Vector3>{{0, -1, 0}, {0, 0, 1}}, std::pair<Vector3, Vector3>{{0, 1, 0}, {0, 0, 1}},
               std::pair<Vector3, Vector3>{{1, 0, 0}, {0, 0, 1}}, std::pair<Vector3, Vector3>{{-1, 0, 0}, {0, 0, 1}},
               std::pair<Vector3, Vector3>{{0, 0, 1}, {0, 1, 0}}, std::pair<Vector3, Vector3>{{0, 0, -1}, {0, 1, 0}});
  const auto request = requestOf(volume, VolumeMode::Maximum, back, up);
  const QImage image = draw(request);
  const auto [x, y] = request.camera.project(volume->geometry().toPhysical(
      {static_cast<double>(mark[0]), static_cast<double>(mark[1]), static_cast<double>(mark[2])}));
  const QPoint told(static_cast<int>(kPixels / 2 * (1 + x)), static_cast<int>(kPixels / 2 * (1 - y)));
  QPoint brightest;
  int most = 0, bright = 0;
  for (int j = 0; j < kPixels; ++j)
    for (int i = 0; i < kPixels; ++i) {
      const int gray = qGray(image.pixel(i, j));
      bright += gray > 100 ? 1 : 0;
      if (gray <= most) continue;
      most = gray;
      brightest = {i, j};
    }
  CAPTURE(back[0], back[1], back[2], most, bright, told.x(), told.y(), brightest.x(), brightest.y());
  CHECK(most > 120);
  CHECK((brightest - told).manhattanLength() <= 5);
  CHECK(bright < 60);  // a voxel is about 4 pixels wide
}

TEST_CASE("the isosurface of a ball has the ball's area") {
  const double radius = GENERATE(4.0, 8.5, 13.0);
  Geometry geometry;
  geometry.spacing = {0.5, 0.5, 0.5};
  std::vector<float> means;
  const VolumeBrick brick = brickFrom(*ballOf([](double r) { return 20 - r; }, geometry), means);
  const IsoSurface surface = isoSurface(brick, means, partOf(brick, {0, 1, 0, 1, 0, 1}), {20 - radius});
  const double physical = 0.5 * radius;
  CHECK(areaOf(*surface.mesh) == Approx(4 * std::numbers::pi * physical * physical).epsilon(0.02));
  CHECK(surface.triangles == surface.mesh->GetNumberOfPolys());
  CHECK(surface.triangles > 100);
  // Cut half a voxel before the middle: a cap.
  const IsoSurface half = isoSurface(brick, means, partOf(brick, {0, 0.5, 0, 1, 0, 1}), {20 - radius});
  CHECK(areaOf(*half.mesh) == Approx(2 * std::numbers::pi * physical * (physical - 0.25)).epsilon(0.03));
  // Nothing has a value beyond the largest one.
  CHECK(isoSurface(brick, means, partOf(brick, {0, 1, 0, 1, 0, 1}), {1000}).triangles == 0);
}

TEST_CASE("the isosurface is drawn where the ball is, as large as the level says, also in a mirrored volume") {
  Geometry geometry;
  if (GENERATE(false, true)) geometry.direction = {1, 0, 0, 0, -1, 0, 0, 0, 1};
  auto request = fromTheFront(ballOf([](double r) { return 20 - r; }, geometry), VolumeMode::Surface);
  std::array<int, 2> size{};
  for (std::size_t i = 0; i < 2; ++i) {
    request.look.level[0] = i == 0 ? 14 : 8;  // radius 6 and 12
    const QImage image = draw(request);
    keepPicture(image, "surface-%1"_q.arg(i));
    CHECK(lightnessAround(image, {kPixels / 2, kPixels / 2}, 4) > 110);
    size[i] = covered(image, {0, kPixels / 2, kPixels, 1});
  }
  CHECK(size[1] == Approx(2 * size[0]).epsilon(0.2));
}

TEST_CASE("the picture tells the level and the triangles of an isosurface") {
  VolumeRenderer renderer;
  auto request = fromTheFront(ballOf([](double r) { return 20 - r; }), VolumeMode::Surface);
  request.look.level[0] = 10;
  const VolumePicture picture = renderer.drawNow(request);
  CHECK(picture.note.contains("level 10, "_q));
  CHECK(picture.note.contains("triangles"_q));
}

TEST_CASE("where a result of both signs is zero, the 3D view is its background") {
  const auto mode = GENERATE(VolumeMode::Composite, VolumeMode::Maximum, VolumeMode::Average, VolumeMode::Minimum,
                             VolumeMode::Surface);
  CAPTURE(static_cast<int>(mode));
  const QImage image = draw(fromTheFront(signedBall(), mode));
  keepPicture(image, "signed-%1"_q.arg(static_cast<int>(mode)));
  const int middle = kPixels / 2;
  const int negative = covered(image, {middle - 19, middle - 4, 9, 9}),
            positive = covered(image, {middle + 11, middle - 4, 9, 9});
  if (mode != VolumeMode::Minimum) CHECK(positive > 60);
  if (mode == VolumeMode::Composite || mode == VolumeMode::Minimum || mode == VolumeMode::Surface) CHECK(negative > 60);
  // Inside the box, beyond the ball: zero all along the rays.
  for (const int x : {50, 110})
    for (const int y : {50, 110}) CHECK(covered(image, {x - 3, y - 3, 7, 7}) == 0);
}

TEST_CASE("the isosurface of both signs has a color for each, or one of them is left out") {
  auto request = fromTheFront(signedBall(), VolumeMode::Surface);
  request.look.level[0] = 20;
  VolumeRenderer renderer;
  const VolumePicture both = renderer.drawNow(request);
  keepPicture(both.image, "signed-surfaces"_q);
  CHECK(both.note.contains("level ±20, "_q));
  const auto colorAt = [](const QImage& image, int x) { return QColor(image.pixel(kPixels / 2 + x, kPixels / 2)); };
  const QColor negative = colorAt(both.image, -14), positive = colorAt(both.image, 14);
  CHECK(negative.blue() > negative.red() + 30);
  CHECK(positive.red() > positive.blue() + 30);
  // Other colors of the same surface.
  request.slices[0].colors.map = ColorMap::CoolWarm;
  request.slices[0].window = {-50, 50};
  {
    const VtkWords words;
    const QImage mapped = renderer.drawNow(request).image;
    CHECK(words.told() == std::string());
    CHECK(colorAt(mapped, -14).blue() > colorAt(mapped, -14).red() + 30);
    CHECK(colorAt(mapped, 14).red() > colorAt(mapped, 14).blue() + 30);
    CHECK(colorAt(mapped, 14) != positive);
  }
  request.slices[0] = {};
  request.look.bothSigns = false;
  const VolumePicture one = renderer.drawNow(request);
  CHECK(one.note.contains("level 20, "_q));
  CHECK(closeTo(one.image.pixel(kPixels / 2 - 14, kPixels / 2), viewBackground(), 12));
  CHECK(colorAt(one.image, 14) == positive);
  request.look.level[0] = -20;
  const QColor alone = colorAt(renderer.drawNow(request).image, -14);
  CHECK(alone.blue() > alone.red() + 30);
}

TEST_CASE("a volume of one voxel along an axis says why it has no isosurface") {
  const auto [shape, axis] = GENERATE(std::pair<VolumeShape, const char*>{{16, 16, 1, 1}, "z"},
                                      std::pair<VolumeShape, const char*>{{1, 16, 16, 1}, "x"},
                                      std::pair<VolumeShape, const char*>{{16, 1, 16, 1}, "y"});
  auto request = fromTheFront(markedVolume(shape, {0, 0, 0}, 0, 900), VolumeMode::Surface);
  const VtkWords words;
  const VolumePicture picture = VolumeRenderer().drawNow(request);
  CHECK(words.told() == std::string());
  CHECK(picture.note.toStdString() == std::string("no isosurface: ") + axis + " has a single voxel");
}

TEST_CASE("two slices have an isosurface, and VTK complains of nothing") {
  auto request = fromTheFront(markedVolume({16, 16, 2, 1}, {8, 8, 0}, 0, 900), VolumeMode::Surface);
  const VtkWords words;
  const VolumePicture picture = VolumeRenderer().drawNow(request);
  CHECK(words.told() == std::string());
  CHECK(picture.note.contains("triangles"_q));
  CHECK_FALSE(picture.note.contains(", 0 triangles"_q));
}

TEST_CASE("projections have the colors and the window of the slices, or their own") {
  auto request = fromTheFront(ballOf([](double r) { return r < 9 ? 1 : 0.001 * r; }), VolumeMode::Maximum);
  request.slices[0] = {{ColorMap::Inferno}, {0, 2}, true};
  const QPoint middle(kPixels / 2, kPixels / 2);
  const auto expect = [&](const QColor& color) {
    const QImage image = draw(request);
    const QColor drawn(image.pixel(middle));
    CAPTURE(drawn.name().toStdString(), color.name().toStdString());
    CHECK(closeTo(image.pixel(middle), color, 10));
  };
  expect(mapColor(ColorMap::Inferno, 0.5));
  request.slices[0].window = {0, 1};
  expect(mapColor(ColorMap::Inferno, 1));
  request.slices[0].colors.invert = true;
  request.slices[0].window = {-3, 1};
  expect(mapColor(ColorMap::Inferno, 0));
  request.slices[0].colors = {ColorMap::Gray, false, 2};
  request.slices[0].window = {0, 4};
  expect(usedColor({ColorMap::Gray, false, 2}, 0.25));
  request.look.linked = false;
  const QImage unlinked = draw(request);
  CHECK_FALSE(closeTo(unlinked.pixel(middle), usedColor({ColorMap::Gray, false, 2}, 0.25), 10));
  CHECK(qGray(unlinked.pixel(middle)) > 150);  // the preset's color of the largest value
}

TEST_CASE("the average is as bright as the object along the ray is thick, and clear beside it") {
  // Two blocks side by side, one three times as thick as the other.
  Volume volume({kModeEdge, kModeEdge, kModeEdge, 1}, ElementType::f32);
  float* out = volume.elements<float>().data();
  for (std::int64_t z = 0; z < kModeEdge; ++z)
    for (std::int64_t y = 0; y < kModeEdge; ++y)
      for (std::int64_t x = 0; x < kModeEdge; ++x) {
        const bool high = z >= 6 && z < 26, thick = x >= 4 && x < 15 && y >= 4 && y < 28;
        const bool thin = x >= 17 && x < 28 && y >= 12 && y < 20;
        *out++ = high && (thick || thin) ? 100.0F : 0.0F;
      }
  const auto data = std::make_shared<const Volume>(std::move(volume));
  auto request = fromTheFront(data, VolumeMode::Average);
  const QImage image = draw(request);
  keepPicture(image, "average"_q);
  const QPoint left(kPixels / 2 - 15, kPixels / 2), right(kPixels / 2 + 15, kPixels / 2);
  const double thick = lightnessAround(image, left, 3), thin = lightnessAround(image, right, 3);
  CHECK(thick > 190);
  CHECK(thick < 250);
  CHECK(thin == Approx(thick / 3).margin(12));
  CHECK(covered(image, {kPixels / 2 - 38, kPixels / 2 - 38, 5, 5}) == 0);
  // In the colors of the slices.
  request.slices[0].colors.map = ColorMap::Inferno;
  CHECK(closeTo(draw(request).pixel(left), mapColor(ColorMap::Inferno, thick / 255), 14));
  // A cut takes its part away; then the longest way through the rest, which is along z, is white.
  request.slices[0] = {};
  request.look.crop = {0.5, 1, 0, 1, 0, 1};
  const QImage cut = draw(request);
  CHECK(covered(cut, {left.x() - 5, left.y() - 5, 11, 11}) == 0);
  CHECK(lightnessAround(cut, right, 3) == Approx(thick * 8 / 20).margin(8));
}

TEST_CASE("the minimum shows the darkest of the object, not what surrounds it") {
  // A dark core off the middle.
  const auto volume = [] {
    Volume made({kModeEdge, kModeEdge, kModeEdge, 1}, ElementType::f32);
    float* out = made.elements<float>().data();
    for (std::int64_t z = 0; z < kModeEdge; ++z)
      for (std::int64_t y = 0; y < kModeEdge; ++y)
        for (std::int64_t x = 0; x < kModeEdge; ++x) {
          const double dx = static_cast<double>(x) - kMiddle, dy = static_cast<double>(y) - kMiddle,
                       dz = static_cast<double>(z) - kMiddle;
          const float inside = std::hypot(dx - 4, dy, dz) < 3 ? 20.0F : 100.0F;
          *out++ = std::hypot(dx, dy, dz) < 12 ? inside : 1.0F;
        }
    return std::make_shared<const Volume>(std::move(made));
  }();
  auto request = fromTheFront(volume, VolumeMode::Minimum);
  const QImage image = draw(request);
  keepPicture(image, "minimum"_q);
  const int middle = kPixels / 2;
  const double core = lightnessAround(image, {middle + 9, middle}, 2),
               rest = lightnessAround(image, {middle - 9, middle}, 2);
  CAPTURE(core, rest);
  CHECK(rest > 200);
  CHECK(core < 90);
  CHECK(core > 25);  // drawn, not left out
  CHECK(covered(image, {middle - 38, middle - 38, 5, 5}) == 0);
  // Half of it, open to the side of the cut.
  request.look.crop = {0.5, 1, 0, 1, 0, 1};
  const QImage cut = draw(request);
  CHECK(covered(cut, {middle - 14, middle - 5, 10, 10}) == 0);
  CHECK(lightnessAround(cut, {middle + 9, middle}, 2) == Approx(core).margin(8));
}

TEST_CASE("background is what hangs together with the border, with the blocks next to it") {
  VolumeBrick brick;
  brick.size = {7, 7, 7};
  brick.values.assign(343, 0);
  const auto at = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>((z * 7 + y) * 7 + x);
  };
  for (std::int64_t z = 1; z < 6; ++z)
    for (std::int64_t y = 1; y < 6; ++y)
      for (std::int64_t x = 1; x < 6; ++x) brick.values[at(x, y, z)] = 200;
  brick.values[at(3, 3, 3)] = 0;  // a cavity
  const auto mask = objectMask(brick, 100);
  CHECK(std::ranges::count(mask, 255) == 27);
  CHECK(mask[at(3, 3, 3)] == 255);
  CHECK(mask[at(2, 2, 2)] == 255);
  CHECK(mask[at(1, 3, 3)] == 0);
  const auto levels = levelsInside(brick, mask, {{0, 0, 0}, {7, 7, 7}});
  CHECK(levels[at(3, 3, 3)] == 0);
  CHECK(levels[at(2, 2, 2)] == 200);
  CHECK(levels[at(1, 3, 3)] == 200);  // continued
  CHECK(levels[at(0, 0, 0)] == 255);
  // Where nothing surrounds it, or nothing would be left.
  CHECK(std::ranges::count(objectMask(brick, -1), 255) == 343);
  CHECK(std::ranges::count(objectMask(brick, 255), 255) == 343);
  // Of the cube: 5 blocks along every axis.
  brick.spacing = {0.5, 0.5, 2};
  CHECK(longestBrightPath(brick, {{0, 0, 0}, {7, 7, 7}}, 145) == Approx(5 * 0.5 * 2).epsilon(1e-12));
}

TEST_CASE("volume rendering takes colors of the slices, but not over points of one's own") {
  auto request = fromTheFront(ballOf([](double r) { return r < 9 ? 1 : 0; }), VolumeMode::Composite);
  const QPoint middle(kPixels / 2, kPixels / 2);
  const QColor plain(draw(request).pixel(middle));
  CHECK(plain.red() > plain.blue());  // the preset's
  request.slices[0] = {{ColorMap::CoolWarm, true}, {0, 1}, false};
  const QColor linked(draw(request).pixel(middle));
  CHECK(linked.blue() > linked.red() + 40);
  request.look.preset[0] = kOwnLook;
  request.look.own[0] = {{0, 0, {0, 1, 0}}, {0.5, 0.8, {0, 1, 0}}, {1, 1, {0, 1, 0}}};
  const QColor own(draw(request).pixel(middle));
  CHECK(own.green() > own.red() + 60);
  CHECK(own.green() > own.blue() + 60);
  for (TransferPoint& point : request.look.own[0]) point.opacity = 0;
  CHECK(covered(draw(request), {50, 50, 61, 61}) == 0);
}

TEST_CASE("a cut removes its part of the volume in every mode") {
  const auto mode = GENERATE(VolumeMode::Composite, VolumeMode::Maximum, VolumeMode::Surface);
  CAPTURE(static_cast<int>(mode));
  auto request = fromTheFront(ballOf([](double r) { return r < 10 ? 100 - r : 0; }), mode);
  const QRect left(kPixels / 2 - 30, kPixels / 2 - 5, 24, 11), right(kPixels / 2 + 8, kPixels / 2 - 5, 24, 11);
  const QImage whole = draw(request);
  CHECK(covered(whole, left) > 200);
  CHECK(covered(whole, right) > 200);
  request.look.crop = {0, 0.5, 0, 1, 0, 1};
  const QImage cut = draw(request);
  keepPicture(cut, "cut-%1"_q.arg(static_cast<int>(mode)));
  CHECK(covered(cut, left) > 200);
  CHECK(covered(cut, right) == 0);
}

TEST_CASE("parts of bricks keep two blocks along each axis") {
  VolumeBrick brick;
  brick.size = {32, 5, 1};
  CHECK(partOf(brick, {0, 1, 0, 1, 0, 1}) == BrickPart{{0, 0, 0}, {32, 5, 1}});
  CHECK(partOf(brick, {0.5, 1, 0, 0.4, 0, 1}) == BrickPart{{16, 0, 0}, {32, 2, 1}});
  CHECK(partOf(brick, {0.9, 0.1, 1, 1, 1, 0}) == BrickPart{{29, 3, 0}, {31, 5, 1}});
}
