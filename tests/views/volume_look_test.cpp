// What the 3D view makes of data that nobody has adjusted: air is clear, the box is in view.

#include <algorithm>
#include <cmath>

#include "app/setup/setup.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "core/volume/transfer_curve.h"
#include "core/volume/volume_brick.h"
#include "datasets/samples.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/views/views_support.h"
#include "ui/views/camera_pose.h"
#include "ui/views/view_style.h"
#include "ui/views/volume_pane.h"
#include "ui/views/volume_views.h"

using namespace sscope;
using namespace sscope::test;

namespace {

struct Look {
  double opaque = 0;  // share of the pane that the volume covers
  double cold = 0;    // share that is blue: the negative values of data of both signs
  DataKind kind = DataKind::Generic;
};

// The pane without its labels' corners.
Look lookAt(std::shared_ptr<const Volume> volume, const std::string& name, VolumeMode mode = VolumeMode::Composite) {
  VolumeViews views;
  VolumeLook wanted;
  wanted.mode = mode;
  views.setVolumeLook(wanted);
  views.setShow(VolumeViews::Show::Source);
  views.setSource(std::move(volume));
  views.setViewLayout(VolumeViews::Layout::Volume);
  showAt(views, {360, 360});
  const QImage image = views.renderToImage();
  keepPicture(image, QString::fromStdString(name));
  const QRect middle(image.width() / 12, image.height() / 8, image.width() * 5 / 6, image.height() * 3 / 4);
  Look look;
  int all = 0;
  for (int y = middle.top(); y < middle.bottom(); ++y)
    for (int x = middle.left(); x < middle.right(); ++x) {
      const QRgb p = image.pixel(x, y);
      look.opaque += qGray(p) > qGray(viewBackground().rgb()) + 40 ? 1 : 0;
      look.cold += qBlue(p) > qRed(p) + 30 ? 1 : 0;
      ++all;
    }
  look.kind = views.volumeInsight(0)->found.kind;
  look.opaque /= all;
  look.cold /= all;
  return look;
}

std::shared_ptr<const Volume> openShared(const char* path) {
  const auto folder = sharedData();
  if (!folder) return nullptr;
  Workshop workshop = makeWorkshop();
  return std::make_shared<const Volume>(workshop.io->read((*folder / path).string(), {}).volume);
}

// A ball of soft tissue with a core of bone in air, as a scanner measures it.
Volume phantom(bool padded) {
  constexpr std::int64_t n = 48;
  Volume volume({n, n, n, 1}, ElementType::i16);
  auto* out = volume.elements<std::int16_t>().data();
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) {
        const double c = (n - 1) / 2.0, dx = static_cast<double>(x) - c, dy = static_cast<double>(y) - c;
        const double r = std::hypot(dx, dy, static_cast<double>(z) - c), flat = std::hypot(dx, dy);
        const int noise = static_cast<int>((x * 7 + y * 13 + z * 29) % 21) - 10;
        int value = -1000 + noise;
        if (r < 15) value = 40 + noise;
        if (r < 6) value = 1100 + noise;
        if (padded && flat > n / 2.0) value = -3024;  // outside what the scanner sees
        *out++ = static_cast<std::int16_t>(value);
      }
  return volume;
}

}  // namespace

TEST_CASE("air around scanned tissue is clear, tissue and bone are not") {
  const bool padded = GENERATE(false, true);
  CAPTURE(padded);
  const Volume volume = phantom(padded);
  const VolumeBrick brick = makeBrick(volume, 0, kBrickEdge, {});
  CHECK_FALSE(brick.isSigned);
  const TransferCurve curve = placeCurve(defaultPreset(DataKind::Tomography), countLevels(brick));
  const auto at = [&](double value) { return pointAt(curve, value).opacity; };
  CHECK(at(-3024) == 0);
  CHECK(at(-1000) == 0);
  CHECK(at(-980) == 0);
  CHECK(at(40) > 0.05);
  CHECK(at(1100) > at(40));
}

TEST_CASE("derivatives and differences keep both signs apart") {
  const Volume volume = phantom(true);
  FilterBank bank;
  for (const char* spec : {"gaussian:sigma=1,order_x=1", "log:sigma=1.5", "dog", "sobel"}) {
    FilterRecipe recipe = parseFilterSpec(spec);
    recipe.name = uniqueName(bank, recipe.name);
    bank.filters.push_back(recipe);
  }
  Workshop workshop = makeWorkshop();
  FilterJob job;
  job.bank = bank;
  const FilterResult result = runFilter(workshop.engines, workshop.variants, job, volume, {});
  for (const Volume& output : result.outputs) CHECK(makeBrick(output, 0, kBrickEdge, {}).isSigned);
  // Smoothing leaves the kind of the data as it is.
  job.bank.filters = {parseFilterSpec("gaussian:sigma=1")};
  const FilterResult smooth = runFilter(workshop.engines, workshop.variants, job, volume, {});
  CHECK_FALSE(makeBrick(smooth.outputs.front(), 0, kBrickEdge, {}).isSigned);
}

struct Scan {
  const char* path;
  DataKind kind;
  double least, most;  // of the pane covered
};
constexpr Scan kScans[] = {
    {"volumes/good/dicom/ct_head_slicer", DataKind::Magnetic, 0.1, 0.6},  // no Hounsfield units: air is 0
    {"volumes/good/dicom/ct_GE_tilt_uneven", DataKind::Tomography, 0.1, 0.6},
    {"volumes/good/nifti/MNI152_2009_template.nii.gz", DataKind::Magnetic, 0.1, 0.6},
    {"volumes/good/nifti/strokez.nii.gz", DataKind::Magnetic, 0.1, 0.6},
    {"volumes/good/nrrd/avf_float_32.nrrd", DataKind::Magnetic, 0.02, 0.6},
    {"volumes/good/tiff/xyz_calibrated_16bit__golgi_bfa.tif", DataKind::Fluorescence, 0.01, 0.6},
    {"volumes/good/tiff/xyz_nuclear_envelope_drosophila.tif", DataKind::Fluorescence, 0.1, 0.6},
    {"volumes/good/volvis/hydrogen.vti", DataKind::Mask, 0.02, 0.6},
};

TEST_CASE("real scans look right at once") {
  const Scan scan = GENERATE(from_range(std::begin(kScans), std::end(kScans)));
  if (!sharedData()) SSCOPE_SKIP("there is no folder of real files beside the checkout");
  const Look look = lookAt(openShared(scan.path), std::filesystem::path(scan.path).stem());
  CAPTURE(scan.path, toString(look.kind), look.opaque, look.cold);
  CHECK(look.kind == scan.kind);
  CHECK(look.opaque > scan.least);
  CHECK(look.opaque < scan.most);
  CHECK(look.cold < 0.02);
}

TEST_CASE("real scans are seen in projections and as isosurfaces, without the box around them") {
  const Scan scan = GENERATE(from_range(std::begin(kScans), std::end(kScans)));
  const VolumeMode mode = GENERATE(VolumeMode::Maximum, VolumeMode::Average, VolumeMode::Surface);
  if (!sharedData()) SSCOPE_SKIP("there is no folder of real files beside the checkout");
  const std::string name =
      std::filesystem::path(scan.path).stem().string() + "-" + std::to_string(static_cast<int>(mode));
  const Look look = lookAt(openShared(scan.path), name, mode);
  CAPTURE(scan.path, static_cast<int>(mode), look.opaque);
  CHECK(look.opaque > 0.005);
  CHECK(look.opaque < 0.65);
}

TEST_CASE("the whole box is in view, and fills it") {
  const double aspect = GENERATE(0.5, 1.0, 1.7);
  const Vector3 extent = GENERATE(Vector3{1, 1, 1}, Vector3{4, 1, 1}, Vector3{1, 3, 1}, Vector3{1, 1, 5});
  std::array<Vector3, 8> corners{};
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t a = 0; a < 3; ++a) corners[i][a] = 10 + ((i >> a & 1U) != 0 ? 0.5 : -0.5) * extent[a];
  CameraPose pose = startPose({10, 10, 10}, 1, aspect);
  pose.fit(corners, aspect);
  double widest = 0, highest = 0;
  for (const Vector3& corner : corners) {
    const auto [x, y] = pose.project(corner);
    widest = std::max(widest, std::abs(x) / aspect);
    highest = std::max(highest, std::abs(y));
  }
  CAPTURE(aspect, extent[0], extent[1], extent[2]);
  CHECK(widest < 0.97);
  CHECK(highest < 0.97);
  CHECK(std::max(widest, highest) > 0.9);
}
