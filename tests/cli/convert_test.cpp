// sscope convert, several inputs, and choices behind a name.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>

#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

Volume ramp() {
  Volume volume({6, 5, 4, 1}, ElementType::f32, {{0.5, 1, 2}, {10, 20, 30}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "mm"});
  for (std::size_t i = 0; i < volume.elements<float>().size(); ++i)
    volume.elements<float>()[i] = static_cast<float>(i) + 0.25F;
  return volume;
}

// A line of these numbers.
template <class T>
Volume lineOf(ElementType type, std::initializer_list<T> values) {
  Volume line({static_cast<std::int64_t>(values.size()), 1, 1, 1}, type);
  std::ranges::copy(values, line.elements<T>().begin());
  return line;
}

std::vector<double> numbersOf(const Volume& line) {
  std::vector<double> numbers;
  for (std::int64_t x = 0; x < line.shape().nx; ++x) numbers.push_back(line.value(x, 0, 0));
  return numbers;
}

}  // namespace

TEST_CASE("convert keeps every voxel and place, or crops them") {
  const Scene scene(ramp());
  scene.ok("convert in.nrrd -o out.nrrd");
  CHECK(scene.volume().type() == ElementType::f32);
  CHECK(scene.volume().geometry().spacing == ramp().geometry().spacing);
  CHECK(largestDifference(scene.volume(), ramp()) == 0);
  scene.ok("convert in.nrrd -o out.nrrd --crop 2:5,:3,1:");
  CHECK(scene.volume().shape() == VolumeShape{3, 3, 3, 1});
  CHECK(scene.volume().value(0, 0, 0) == ramp().value(2, 0, 1));
  CHECK(scene.volume().geometry().origin == std::array<double, 3>{11, 20, 32});
  for (const std::string wrong : {"2:9", "3:3", "a:b", "1", "1:2,1:2,1:2,1:2"})
    scene.refuse("convert in.nrrd -o out.nrrd --crop " + wrong, 2, "crop");
}

TEST_CASE("convert rounds as filters do, halves upward, saturates, and counts both") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double most = std::numeric_limits<float>::max();
  const struct {
    Volume in;
    std::string type;
    std::vector<double> out;
    std::vector<std::string> notes;
  } rows[] = {
      {lineOf<float>(ElementType::f32, {-3, 1.5F, 1000}),
       "u8",
       {0, 2, 255},
       {"1 value was rounded to whole numbers", "2 values left the range of u8"}},
      {lineOf<float>(ElementType::f32, {-1.5F, -0.5F, 0.5F, 1.5F, 2.5F, std::numeric_limits<float>::quiet_NaN()}),
       "i16",
       {-1, 0, 1, 2, 3, 0},
       {"note: 5 values were rounded", "note: 1 value is NaN and became 0"}},
      {lineOf<std::int32_t>(ElementType::i32, {16777217, 16777219, 33554433, 1}),
       "f32",
       {16777216, 16777220, 33554432, 1},
       {"note: 3 values were rounded to what f32 holds"}},
      {lineOf<double>(ElementType::f64, {1e300, -1e300, 0x1.fffffefp127, 0.1, 1e-60, 2}),
       "f32",
       {kInfinity, -kInfinity, most, 0.1F, 0, 2},
       {"note: 2 values were rounded to what f32 holds", "note: 2 values left the range of f32 and became infinite",
        "note: 1 of 6 nonzero values are too small for f32 and became 0"}}};
  for (const auto& row : rows) {
    CAPTURE(row.type, row.out);
    const Scene scene(row.in);
    const std::string err = scene.ok("convert in.nrrd -o out.nrrd --type " + row.type).err;
    for (const std::string& note : row.notes) CHECK(contains(err, note));
    CHECK(contains(err, "left the range") == (row.type != "i16" && row.notes.size() > 1));
    CHECK(numbersOf(scene.volume()) == row.out);
    if (row.type == "f32") continue;
    scene.write("one.json", R"({"size": [1], "taps": [1]})");
    scene.ok("filter in.nrrd -o out.nrrd --filter custom:file=one.json --output-type " + row.type);
    CHECK(numbersOf(scene.volume()) == row.out);
  }
  const Scene labels(rows[2].in);
  CHECK(contains(labels.ok("filter in.nrrd -o out.nrrd --filter box --output-type f32").err,
                 "note: 3 input values have more digits than f32"));
}

TEST_CASE("a choice behind the name takes one frame or channel") {
  const Scene scene;
  Volume both({4, 3, 2, 2}, ElementType::f32);
  for (std::size_t i = 0; i < both.elements<float>().size(); ++i) both.elements<float>()[i] = static_cast<float>(i);
  makeVolumeIo()->write(scene.path("two.nrrd"), both, {});
  for (const auto& [choice, first] : {std::pair{"two.nrrd@c=1", 1.0}, {"two.nrrd --channel 0", 0.0}}) {
    scene.ok(std::string("convert ") + choice + " -o out.nrrd");
    CHECK(scene.volume().shape().components == 1);
    CHECK(scene.volume().value(0, 0, 0) == first);
  }
  CHECK(contains(scene.ok("info two.nrrd@c=1").out, "components  1"));
  scene.refuse(2, {{"convert two.nrrd@c=2 -o out.nrrd", "has no channel 2"},
                   {"convert two.nrrd@t=1 -o out.nrrd", "has no frame 1"},
                   {"convert two.nrrd@q=1 -o out.nrrd", "cannot understand the choice q=1"},
                   {"convert two.nrrd@series=1 -o out.nrrd", "no series"}});
  fs::copy_file(scene.path("two.nrrd"), scene.path("odd@c=1"));
  scene.ok("info odd@c=1");
}

TEST_CASE("compressed files read back") {
  const Scene scene(Volume(Volume({32, 32, 32, 1}, ElementType::u8).clone()));
  for (const std::string name : {"a.nrrd", "a.mha", "a.tif", "a.h5"}) {
    if (scene.run("convert in.nrrd -o " + name).status != 0) continue;  // a build without ITK
    scene.ok("convert in.nrrd --compress -o z" + name);
    scene.ok("info z" + name);
  }
  scene.refuse("convert in.nrrd -o a.nhdr --compress", 1, "not compressed here");
}

TEST_CASE("several inputs become several outputs, and one that fails does not stop the rest") {
  const Scene scene(ramp());
  scene.write("second.nrrd", ramp());
  fs::create_directory(scene.path("out"));
  const Outcome outcome = scene.run("convert in.nrrd missing.nrrd second.nrrd -o out/{stem}.nrrd");
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.err, "2 of 3 inputs done; failed: missing.nrrd"));
  CHECK(contains(outcome.err, "error: cannot read missing.nrrd"));
  CHECK(filesIn(scene.path("out")) == std::vector<std::string>{"in.nrrd", "second.nrrd"});
  scene.ok("filter in.nrrd second.nrrd -o out/{stem}-{}.nrrd --filter box");
  CHECK(scene.has("out/second-box.nrrd"));
  scene.refuse(2, {{"convert in.nrrd second.nrrd -o out.nrrd", "{stem}"},
                   {"convert in.nrrd in.nrrd -o out/{stem}.nrrd", "would both become"},
                   {"convert in.nrrd - -o out/{stem}.nrrd", "standard input"},
                   {"convert in.nrrd -o out.nrrd --format nrrd", "--format"}});
}

TEST_CASE("geometry that a format cannot store is noted once, where there is any") {
  if (!hasItk()) SSCOPE_SKIP("this build writes no PNG");
  const Scene scene;
  Volume picture({6, 5, 1, 1}, ElementType::u8);
  picture.setGeometry({{0.5, 0.25, 1}, {0, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 1}, "mm"});
  makeVolumeIo()->write(scene.path("in.nrrd"), picture, {});
  const std::string note = "note: PNG files store no geometry: the spacing and direction of the data are dropped\n";
  CHECK(scene.ok("convert in.nrrd -o a.png").err == note);
  CHECK(scene.ok("convert a.png -o b.png").err.empty());
  CHECK(scene.ok("convert in.nrrd -o c.tif").err.empty());
  const std::string err = scene.ok("filter in.nrrd -o {}.png --output-type u8 --filter box --filter median").err;
  CHECK(contains(err, note));
  CHECK(err.find(note) == err.rfind(note));
  CHECK_FALSE(contains(scene.ok("filter b.png -o {}.png --filter box --filter median").err, "geometry"));
}

TEST_CASE("data larger than memory are converted by planes, to the bytes of the whole") {
  for (const VolumeShape& shape : {VolumeShape{40, 30, 50, 2}, VolumeShape{300, 400, 1, 1}}) {
    const Scene scene(randomVolume(shape, ElementType::f32, 1));
    for (const std::string more : {"", " --type u8", " --crop 3:30,5:9,:", " --crop 3:30,5:25,0:1 --type i16"}) {
      CAPTURE(shape.text(), more);
      const std::string alone = scene.ok("convert in.nrrd -o whole.nrrd" + more).err;
      CHECK(scene.ok("convert in.nrrd -o planes.nrrd --memory 300K" + more).err == alone);
      CHECK(scene.text("planes.nrrd") == scene.text("whole.nrrd"));
    }
    CHECK(contains(scene.run("convert in.nrrd -o planes.nrrd --memory 300K --crop 0:900,:,:").err,
                   "does not fit the data"));
    scene.refuse("convert in.nrrd -o c.nrrd --memory 300K --compress", 1, "by planes");
  }
}

TEST_CASE("what a file does not describe is given by options or behind its name, and convert writes it") {
  const Scene scene;
  // Two bytes of something else, then 3 x 2 x 12 big-endian numbers: times of slices.
  std::string bytes = "??";
  for (int i = 0; i < 72; ++i) bytes += {static_cast<char>(i >> 8), static_cast<char>(i)};
  std::ofstream(scene.path("x.dat"), std::ios::binary) << bytes;
  const std::string options = " --raw 3x2x12,u16,be,offset=2 --axes t3zyx --spacing 0.1,0.1,0.5um";
  scene.ok("convert x.dat -o out.nrrd" + options);
  scene.ok("convert x.dat@raw=3x2x12:u16:be:offset=2,axes=t3zyx,spacing=0.1x0.1x0.5um -o n.nrrd");
  CHECK(scene.text("n.nrrd") == scene.text("out.nrrd"));
  const auto info = scene.report("info out.nrrd");
  CHECK(info.at("dimensions") == nlohmann::json{3, 2, 4});
  CHECK(info.at("frames") == 3);
  CHECK(info.at("unit") == "um");
  CHECK(info.at("spacing").at(2) == 0.5);
  CHECK(scene.volume().value(1, 1, 2, 2) == 2 * 24 + 2 * 6 + 4);  // the time last
  // By planes, too.
  scene.ok("convert x.dat@raw=3x2x12:u16:be:offset=2 -o p.nrrd --memory 200");
  CHECK(scene.volume("p.nrrd").value(2, 1, 11) == 71);
  scene.refuse("info x.dat --raw 3x2x13,u16", 1, "takes 156");
  scene.refuse(2, {{"info x.dat --raw 3x2", "512x512x300,u16"},
                   {"info x.dat --unit parsec" + options, "unit"},
                   {"info x.dat@unit=um --unit mm", "twice"},
                   {"info out.nrrd --axes t3zyx", "names its axes itself"}});
}

TEST_CASE("info lists what a container holds with the names that choose, or that it holds nothing") {
  const Scene scene;
  fs::create_directories(scene.path("none.ome.zarr"));
  scene.write("none.ome.zarr/.zgroup", R"({"zarr_format":2})");
  scene.write("none.ome.zarr/.zattrs", R"({"multiscales":[]})");
  CHECK(contains(scene.ok("info none.ome.zarr").out, "holds no image"));
  const nlohmann::json empty = scene.report("info none.ome.zarr");
  CHECK(empty.at("parts").empty());
  CHECK(contains(empty.at("notices").at(0).get<std::string>(), "holds no image"));
  scene.refuse("convert none.ome.zarr -o o.nrrd", 1, "holds no image");
  const auto io = makeVolumeIo();
  if (std::ranges::none_of(io->formats(), [](const FileFormat& f) { return f.name.starts_with("HDF5"); })) return;
  const std::string file = foreignHdf5(scene.folder(), *io), voxels = ":/ITKImags/0/VoxelData (7 x 5 x 4 u16)";
  CHECK(contains(scene.ok("info " + file).out, voxels));
  const nlohmann::json report = scene.report("info " + file);
  REQUIRE(report.at("parts").size() == 2);
  CHECK(report.at("parts").at(1).at("extents") == nlohmann::json{7, 5, 4});
  const std::string selector = report.at("parts").at(1).at("selector");
  CHECK_FALSE(scene.report("info " + file + selector).contains("parts"));
  scene.refuse("convert " + file + " -o o.nrrd", 2, voxels);
}

TEST_CASE("a length along an axis whose step is unknown is refused, until it is given") {
  const Scene scene;
  scene.write("x.json", R"({"schema": "stencilscope.volume/1", "size": [8, 8, 8], "type": "u8",
    "spacing": [0.1, 0.1, 1], "unit": "um", "assumed": "z"})");
  scene.write("x.raw", std::string(512, 'a'));
  const std::string smooth = "filter x.json -o o.nrrd --filter gaussian:sigma=0.2um";
  for (const char* part : {"sigma=0.2um cannot be used", "along z; give it with --spacing"})
    scene.refuse(smooth, 2, part);
  CHECK(contains(scene.ok("info x.json").out, "z assumed"));
  scene.ok(smooth + " --spacing 0.1,0.1,0.3um");
  // Raw + JSON keeps what it does not know.
  scene.ok("convert x.json -o y.json");
  CHECK(scene.report("info y.json").at("steps").at(2) == "assumed");
}

TEST_CASE("labels keep their type, and new filters take their range from the data") {
  Volume labels({6, 6, 1, 1}, ElementType::u32);
  for (std::size_t i = 0; i < 36; ++i) labels.elements<std::uint32_t>()[i] = 614454277U - static_cast<std::uint32_t>(i);
  const Scene scene(labels);
  scene.ok("filter in.nrrd -o out.nrrd --filter median:size=3");
  CHECK(scene.volume().type() == ElementType::u32);
  scene.ok("filter in.nrrd -o out.nrrd --filter gaussian:sigma=1");
  CHECK(scene.volume().type() == ElementType::f64);
  CHECK(contains(scene.run("filter in.nrrd --labels -o out.nrrd --filter gaussian:sigma=1").err,
                 "name regions, and gaussian computes"));
  CHECK(contains(scene.run("filter in.nrrd -o out.nrrd --filter bilateral").err,
                 "note: range=2.75 of bilateral follows the data"));
}
