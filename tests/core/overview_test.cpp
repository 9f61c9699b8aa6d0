// The overview of a volume larger than memory, and its planes.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "core/filter/job/filter_job.h"
#include "core/parts/large_volume.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"
#include "tests/support/volume_planes.h"

using namespace sscope;

namespace {

using Block = std::array<std::int64_t, 3>;

reach::Overview overviewOf(const Volume& volume, const Block& block) {
  test::VolumePlanes source(volume);
  reach::SparseVolume sparse(outlineOf(volume));
  reach::Overview overview = reach::overviewOf(source, sparse, block, {});
  CHECK(source.planes == sparse.planes());  // each once
  return overview;
}

double meanOfBlock(const Volume& volume, const Block& block, const Block& at, int component) {
  const VolumeShape& shape = volume.shape();
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t z = at[2] * block[2]; z < std::min(shape.nz, (at[2] + 1) * block[2]); ++z)
    for (std::int64_t y = at[1] * block[1]; y < std::min(shape.ny, (at[1] + 1) * block[1]); ++y)
      for (std::int64_t x = at[0] * block[0]; x < std::min(shape.nx, (at[0] + 1) * block[0]); ++x) {
        const double value = volume.value(x, y, z, component);
        if (!std::isfinite(value)) continue;
        sum += value;
        ++count;
      }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

void requireMeans(const Volume& volume, const Block& block) {
  CAPTURE(volume.shape().text(), block);
  const reach::Overview overview = overviewOf(volume, block);
  const Volume& means = *overview.means;
  const VolumeShape& shape = volume.shape();
  REQUIRE(means.shape() == VolumeShape{(shape.nx + block[0] - 1) / block[0], (shape.ny + block[1] - 1) / block[1],
                                       (shape.nz + block[2] - 1) / block[2], shape.components});
  double worst = 0;
  for (std::int64_t z = 0; z < means.shape().nz; ++z)
    for (std::int64_t y = 0; y < means.shape().ny; ++y)
      for (std::int64_t x = 0; x < means.shape().nx; ++x)
        for (int c = 0; c < shape.components; ++c)
          worst = std::max(worst, std::abs(means.value(x, y, z, c) - meanOfBlock(volume, block, {x, y, z}, c)));
  CHECK(worst < (means.type() == ElementType::f32 ? 1e-4 : 0.5001));
  const VolumeStatistics all = statistics(volume);
  CHECK(overview.statistics.minimum == all.minimum);
  CHECK(overview.statistics.maximum == all.maximum);
  CHECK(overview.statistics.mean == Approx(all.mean));
  CHECK(overview.statistics.nonFinite == all.nonFinite);
}

}  // namespace

TEST_CASE("an overview holds the means of blocks, also of those cut off at the ends") {
  requireMeans(test::randomVolume({13, 9, 11, 1}, ElementType::f32, 1), {4, 2, 3});
  requireMeans(test::randomVolume({8, 8, 8, 1}, ElementType::i16, 2), {8, 8, 8});
  requireMeans(test::randomVolume({7, 5, 6, 2}, ElementType::f64, 3), {2, 2, 2});
  requireMeans(test::randomVolume({9, 7, 1, 1}, ElementType::u8, 4), {4, 4, 1});
}

TEST_CASE("of colors an overview has their type, and what is not finite is left out") {
  const Volume color = test::randomVolume({9, 8, 5, 3}, ElementType::u8, 5);
  CHECK(overviewOf(color, {2, 2, 2}).means->type() == ElementType::u8);
  requireMeans(color, {2, 2, 2});
  Volume holes = test::randomVolume({6, 6, 6, 1}, ElementType::f32, 6);
  holes.elements<float>()[3] = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < 216; ++i)
    if (i % 6 >= 3 && i / 6 % 6 >= 3 && i / 36 >= 3)
      holes.elements<float>()[i] = std::numeric_limits<float>::infinity();
  requireMeans(holes, {3, 3, 3});
}

TEST_CASE("an overview lies where its volume lies") {
  Volume volume = test::randomVolume({8, 6, 4, 1}, ElementType::f32, 7);
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {10, 20, 30};
  geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  volume.setGeometry(geometry);
  const Geometry found = overviewOf(volume, {4, 3, 2}).means->geometry();
  CHECK(found.spacing == std::array<double, 3>{2, 3, 4});
  CHECK(found.origin == geometry.toPhysical({1.5, 1, 0.5}));
  CHECK(found.direction == geometry.direction);
}

TEST_CASE("blocks are as small as the room allows") {
  const VolumeOutline outline{{100, 80, 60, 1}, ElementType::u8, {}};
  CHECK(reach::overviewBlock(outline, 4 * 100 * 80 * 60, 2, 60) == Block{1, 1, 1});
  CHECK(reach::overviewBlock(outline, 4 * 100 * 80 * 60 - 1, 2, 60) == Block{2, 2, 2});
  CHECK(reach::overviewBlock(outline, 4 * 50 * 40 * 30 - 1, 2, 60) == Block{3, 3, 3});
  CHECK(reach::overviewBlock(outline, 1, 2, 60) == Block{100, 80, 60});
  CHECK(reach::overviewBlock(outline, 4 * 25 * 20 * 60, 2, 1) == Block{4, 4, 1});
  CHECK(reach::overviewBlock({{100, 80, 1, 1}, ElementType::u8, {}}, 4 * 50 * 40, 1, 80) == Block{2, 2, 1});
}

TEST_CASE("an overview that is canceled or cannot be read says so") {
  const Volume volume = test::randomVolume({8, 8, 20, 1}, ElementType::f32, 9);
  test::VolumePlanes source(volume);
  reach::SparseVolume sparse(outlineOf(volume));
  std::stop_source stop;
  const Control control{stop.get_token(), [&](double fraction, std::string_view) {
                          if (fraction > 0.3) stop.request_stop();
                        }};
  CHECK_THROWS_AS(reach::overviewOf(source, sparse, {2, 2, 2}, control), Canceled);
  source.failsAt = 13;
  CHECK_THROWS_WITH(reach::overviewOf(source, sparse, {2, 2, 2}, {}), ContainsSubstring("became shorter"));
}

namespace {

// With room for eight planes, which share no page of memory with others.
struct Large {
  Volume volume = test::randomVolume({32, 32, 40, 1}, ElementType::f32, 10);
  test::VolumePlanes* source = new test::VolumePlanes(volume);
  reach::LargeVolume large{std::unique_ptr<VolumeSource>(source), 4 * 8 * 32 * 32 * 4, {}};

  Large() { source->planes = 0; }
  // Whether a plane that is held has its voxels.
  bool there(std::int64_t plane) const {
    const std::int64_t bytes = 32 * 32 * 4;
    return std::memcmp(large.volume().data() + plane * bytes, volume.data() + plane * bytes, bytes) == 0;
  }
};

}  // namespace

TEST_CASE("planes are read once while there is room for them") {
  Large test;
  REQUIRE(test.large.mostPlanes() == 8);
  CHECK(test.large.overview().block != Block{1, 1, 1});
  CHECK_FALSE(test.there(10));
  {
    const auto held = test.large.hold({{10, 13}, {20, 21}}, {});
    for (const std::int64_t plane : {10, 11, 12, 20}) CHECK(test.there(plane));
    CHECK(test.source->planes == 4);
  }
  const auto again = test.large.hold({{11, 14}}, {});
  CHECK(test.source->planes == 5);
  // Those that were used longest ago go first.
  const auto more = test.large.hold({{30, 35}}, {});
  CHECK(test.source->planes == 10);
  for (const std::int64_t plane : {11, 12, 13, 30, 34}) CHECK(test.there(plane));
  const auto first = test.large.hold({{10, 11}}, {});
  CHECK(test.source->planes == 11);
}

TEST_CASE("a plane by itself is that of the file, and what cannot be held says why") {
  Large test;
  const Volume plane = test.large.plane(17, {});
  CHECK(plane.shape() == VolumeShape{32, 32, 1, 1});
  CHECK(std::memcmp(plane.data(), test.volume.data() + 17 * 32 * 32 * 4, 32 * 32 * 4) == 0);
  CHECK_THROWS_WITH(test.large.hold({{0, 9}}, {}),
                    ContainsSubstring("reads 9 of 40 planes") && ContainsSubstring("room for 8"));
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(test.large.hold({{0, 2}}, {stop.get_token(), {}}), Canceled);
  test.source->failsAt = 5;
  CHECK_THROWS_WITH(test.large.hold({{4, 7}}, {}), ContainsSubstring("became shorter"));
  test.source->failsAt = -1;
  const auto held = test.large.hold({{4, 7}}, {});
  for (const std::int64_t at : {4, 5, 6}) CHECK(test.there(at));
}

TEST_CASE("planes of a compressed file can be had but not cheaply, and those that are too large cannot") {
  Volume volume = test::randomVolume({8, 8, 8, 1}, ElementType::u8, 11);
  auto source = std::make_unique<test::VolumePlanes>(volume);
  source->any = false;
  reach::LargeVolume large(std::move(source), 1 << 20, {});
  CHECK_FALSE(large.readsPlanes());
  CHECK(large.holdsPlanes());
  CHECK(std::memcmp(large.plane(2, {}).data(), volume.data() + 2 * 64, 64) == 0);
  reach::LargeVolume little(std::make_unique<test::VolumePlanes>(volume), 4 * 8 * 8 - 4, {});
  CHECK_FALSE(little.holdsPlanes());
  CHECK_THROWS_WITH(little.plane(2, {}), ContainsSubstring("a single plane"));
}

namespace {

// A file with a pyramid in memory: the levels by the names that choose them.
class Pyramid final : public VolumeIo {
 public:
  std::map<std::string, std::shared_ptr<const Volume>> there;
  bool damaged = false, canceled = false;

  LoadedVolume read(const std::string& path, const Control& control) override {
    if (damaged) throw Error(ErrorKind::BadData, "cannot read it");
    if (canceled) throw Canceled();
    return {sharedVolume(there.at(path), there.at(path)->geometry()), probe(path, control)};
  }
  VolumeInfo probe(const std::string& path, const Control& /*control*/) override {
    const Volume& volume = *there.at(path);
    VolumeInfo info;
    info.shape = volume.shape();
    info.type = volume.type();
    info.geometry = volume.geometry();
    info.levels = static_cast<int>(there.size());
    return info;
  }
  void write(const std::filesystem::path&, const Volume&, const WriteOptions&, const Control&) override {}
  [[nodiscard]] std::vector<FileFormat> formats() const override { return {}; }
  void checkWritable(const std::filesystem::path&, const VolumeShape&, ElementType) const override {}
};

// Along x; each voxel has its index as value.
std::shared_ptr<const Volume> line(std::int64_t voxels, double spacing, double origin) {
  Volume volume({voxels, 1, 1, 1}, ElementType::u8);
  for (std::int64_t x = 0; x < voxels; ++x)
    volume.elements<std::uint8_t>()[static_cast<std::size_t>(x)] = static_cast<std::uint8_t>(x);
  Geometry geometry;
  geometry.spacing[0] = spacing;
  geometry.origin[0] = origin;
  volume.setGeometry(geometry);
  return std::make_shared<const Volume>(std::move(volume));
}

std::vector<double> valuesOf(const reach::Overview& overview) {
  std::vector<double> values;
  for (std::int64_t x = 0; x < overview.means->shape().nx; ++x) values.push_back(overview.means->value(x, 0, 0));
  return values;
}

}  // namespace

TEST_CASE("a pyramid's level that has room is an overview at once, of the values where the file has them") {
  Pyramid io;
  io.there = {
      {"x.zarr", line(32, 0.5, 10)}, {"x.zarr@level=1", line(16, 1, 10.25)}, {"x.zarr@level=2", line(8, 2, 10.75)}};
  const VolumeInfo info = io.probe("x.zarr", {});
  const auto of = [&](std::int64_t bytes) { return reach::levelOverview(io, "x.zarr", info, bytes, {}); };
  CHECK_FALSE(of(31));
  const auto found = of(63);
  REQUIRE(found);
  CHECK(found->level == 2);
  CHECK(found->block == Block{4, 1, 1});
  CHECK(found->means->type() == ElementType::f32);
  CHECK(found->means->geometry().spacing[0] == 2);
  CHECK(found->means->geometry().origin[0] == 10.75);
  CHECK(valuesOf(*found) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(of(64)->level == 1);
  // Its voxels lie further on: those before have no other value.
  io.there["x.zarr@level=2"] = line(8, 2, 12);
  CHECK(valuesOf(*of(63)) == std::vector<double>{0, 0, 1, 2, 3, 4, 5, 6});
  // One that lies elsewhere, as without its scale, is spread over the volume.
  io.there["x.zarr@level=2"] = line(7, 0.5, 10);
  CHECK(valuesOf(*of(63)).back() == 6);
  // Corrected steps are those of the volume.
  io.there["x.zarr@level=2"] = line(8, 2, 10.75);
  const std::string name = "x.zarr@spacing=3x1x1";
  VolumeInfo other = info;
  other.geometry.spacing[0] = 3;
  const auto corrected = reach::levelOverview(io, name, other, 63, {});
  REQUIRE(corrected);
  CHECK(corrected->means->geometry().spacing[0] == 12);
  CHECK(valuesOf(*corrected) == std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7});
  io.damaged = true;
  CHECK_FALSE(of(63));
  io.damaged = false;
  io.canceled = true;
  CHECK_THROWS_AS(of(63), Canceled);
}
