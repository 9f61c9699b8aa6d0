// Slices of block means, placed where their voxels are.

#include "core/parts/overview.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "ui/views/slice_image.h"
#include "ui/views/volume_views.h"

using namespace sscope;

namespace {

QRectF extentOf(bool flipped) {
  const auto means = std::make_shared<const Volume>(test::randomVolume({3, 2, 1, 1}, ElementType::f32, 1));
  SlicePlane plane;
  plane.extent = {10, 7, 1};
  plane.spacing = {0.5, 2, 1};
  plane.acrossFlipped = plane.upFlipped = flipped;
  SliceLayer layer;
  layer.update({means, 0, 0, {0, 1}, {}, {4, 4, 1}}, plane, {2, 6, 0.1}, 100, 100);
  CHECK(layer.image().size() == QSize(3, 2));
  return layer.extent();
}

}  // namespace

TEST_CASE("a slice of means lies where its voxels lie, from either end of an axis") {
  // Three blocks of four voxels of 0.5, from half a voxel before the first one; two of four voxels of 2.
  const QRectF forward = extentOf(false);
  CHECK(forward.left() == Approx(-0.25));
  CHECK(forward.width() == Approx(6));
  CHECK(forward.top() == Approx(-1));
  CHECK(forward.height() == Approx(16));
  // From the other end the last blocks come first, of which two of four and one of four voxels are missing.
  const QRectF backward = extentOf(true);
  CHECK(backward.left() == Approx(-0.25 - 2 * 0.5));
  CHECK(backward.width() == Approx(6));
  CHECK(backward.top() == Approx(-1 - 1 * 2));
  CHECK(backward.height() == Approx(16));
}

TEST_CASE("views of data larger than memory show means until a slice has its voxels") {
  const auto whole = std::make_shared<const Volume>(test::randomVolume({16, 12, 8, 1}, ElementType::f32, 2));
  reach::Overview overview;
  overview.block = {4, 4, 4};
  overview.means = std::make_shared<const Volume>(test::randomVolume({4, 3, 2, 1}, ElementType::f32, 3));
  VolumeViews views;
  views.resize(400, 300);
  views.setLargeSource(whole, overview);
  CHECK_FALSE(views.sourceIsExact(2));
  CHECK(views.sourceSlice(2).volume == overview.means);
  CHECK(views.sourceSlice(2).at == 1);  // of blocks
  const auto slice = std::make_shared<const Volume>(test::randomVolume({16, 12, 1, 1}, ElementType::f32, 4));
  views.setSourceSlice(2, 4, slice);
  CHECK(views.sourceIsExact(2));
  CHECK(views.sourceSlice(2).volume == slice);
  CHECK_FALSE(views.sourceIsExact(0));
  views.setCrosshair({1, 2, 5});
  CHECK_FALSE(views.sourceIsExact(2));
  CHECK(views.sourceSlice(2).volume == overview.means);
  // A slice of other extents is of other data.
  views.setSourceSlice(2, 5, std::make_shared<const Volume>(test::randomVolume({9, 9, 1, 1}, ElementType::f32, 5)));
  CHECK_FALSE(views.sourceIsExact(2));
  views.setSource(whole);
  CHECK(views.sourceIsExact(0));
  CHECK(views.sourceSlice(2).volume == whole);
}
