// sscope convert, several inputs, pipes, and choices behind a name.

#include <filesystem>
#include <fstream>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;

namespace {

Volume ramp() {
  Volume volume({6, 5, 4, 1}, ElementType::f32);
  for (std::size_t i = 0; i < volume.elements<float>().size(); ++i)
    volume.elements<float>()[i] = static_cast<float>(i) + 0.25F;
  Geometry geometry;
  geometry.spacing = {0.5, 1, 2};
  geometry.origin = {10, 20, 30};
  volume.setGeometry(geometry);
  return volume;
}

struct ConvertScene {
  ConvertScene() { writeNrrd(in, ramp()); }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
};

void requireUsage(const Arguments& arguments, const std::string& named) {
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  CHECK(outcome.status == 2);
  CHECK(contains(outcome.err, named));
}

}  // namespace

TEST_CASE("convert keeps every voxel and place unless told otherwise") {
  const ConvertScene scene;
  REQUIRE(run({"convert", scene.in, "-o", scene.out}).status == 0);
  const Volume before = ramp(), after = readVolume(scene.out);
  CHECK(after.type() == ElementType::f32);
  CHECK(after.geometry().spacing == before.geometry().spacing);
  for (std::int64_t z = 0; z < 4; ++z) CHECK(after.value(5, 4, z) == before.value(5, 4, z));
}

TEST_CASE("convert rounds, saturates and says so") {
  const ConvertScene scene;
  Volume wide({3, 1, 1, 1}, ElementType::f32);
  const float values[] = {-3, 1.5F, 1000};
  std::copy_n(values, 3, wide.elements<float>().begin());
  writeNrrd(scene.in, wide);
  const Outcome outcome = run({"convert", scene.in, "-o", scene.out, "--type", "u8"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.err, "1 value was rounded to whole numbers"));
  CHECK(contains(outcome.err, "2 values left the range of u8"));
  const Volume after = readVolume(scene.out);
  REQUIRE(after.type() == ElementType::u8);
  CHECK(after.value(0, 0, 0) == 0);
  CHECK(after.value(1, 0, 0) == 2);
  CHECK(after.value(2, 0, 0) == 255);
}

TEST_CASE("numbers of more digits, or beyond the range of f32, are counted") {
  const ConvertScene scene;
  Volume labels({4, 1, 1, 1}, ElementType::i32);
  const std::int32_t numbers[] = {16777217, 16777219, 33554433, 1};
  std::copy_n(numbers, 4, labels.elements<std::int32_t>().begin());
  writeNrrd(scene.in, labels);
  const Outcome whole = run({"convert", scene.in, "-o", scene.out, "--type", "f32"});
  CHECK(whole.status == 0);
  CHECK(contains(whole.err, "note: 3 values were rounded to what f32 holds"));
  const Outcome filtered = run({"filter", scene.in, "-o", scene.out, "--filter", "box", "--output-type", "f32"});
  CHECK(contains(filtered.err, "note: 3 input values have more digits than f32"));

  Volume wide({6, 1, 1, 1}, ElementType::f64);
  const double values[] = {1e300, -1e300, 0x1.fffffefp127, 0.1, 1e-60, 2};
  std::copy_n(values, 6, wide.elements<double>().begin());
  writeNrrd(scene.in, wide);
  const Outcome outcome = run({"convert", scene.in, "-o", scene.out, "--type", "f32"});
  CHECK(contains(outcome.err, "note: 2 values were rounded to what f32 holds"));
  CHECK(contains(outcome.err, "note: 2 values left the range of f32 and became infinite"));
  CHECK(contains(outcome.err, "note: 1 of 6 nonzero values are too small for f32 and became 0"));
  const Volume after = readVolume(scene.out);
  CHECK(after.value(0, 0, 0) == std::numeric_limits<double>::infinity());
  CHECK(after.value(1, 0, 0) == -std::numeric_limits<double>::infinity());
  CHECK(after.value(2, 0, 0) == static_cast<double>(std::numeric_limits<float>::max()));
}

TEST_CASE("convert rounds as filters do: halves upward") {
  const ConvertScene scene;
  Volume halves({6, 1, 1, 1}, ElementType::f32);
  const float values[] = {-1.5F, -0.5F, 0.5F, 1.5F, 2.5F, std::numeric_limits<float>::quiet_NaN()};
  std::copy_n(values, 6, halves.elements<float>().begin());
  writeNrrd(scene.in, halves);
  const Outcome outcome = run({"convert", scene.in, "-o", scene.out, "--type", "i16"});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.err, "note: 5 values were rounded"));
  CHECK(contains(outcome.err, "note: 1 value is NaN and became 0"));
  CHECK(!contains(outcome.err, "left the range"));
  const Volume after = readVolume(scene.out);
  const double wanted[] = {-1, 0, 1, 2, 3, 0};
  for (int i = 0; i < 6; ++i) CHECK(after.value(i, 0, 0) == wanted[i]);
  const TemporaryFolder folder;
  writeTextFile(folder / "one.json", R"({"size": [1], "taps": [1]})");
  const std::string same = "custom:file=" + (folder / "one.json").string();
  REQUIRE(run({"filter", scene.in, "-o", scene.out, "--filter", same, "--output-type", "i16"}).status == 0);
  const Volume filtered = readVolume(scene.out);
  for (int i = 0; i < 6; ++i) CHECK(filtered.value(i, 0, 0) == wanted[i]);
}

TEST_CASE("convert crops, and what is left stays where it was") {
  const ConvertScene scene;
  REQUIRE(run({"convert", scene.in, "-o", scene.out, "--crop", "2:5,:3,1:"}).status == 0);
  const Volume after = readVolume(scene.out);
  CHECK(after.shape() == VolumeShape{3, 3, 3, 1});
  CHECK(after.value(0, 0, 0) == ramp().value(2, 0, 1));
  CHECK(after.geometry().origin == std::array<double, 3>{11, 20, 32});
  for (const char* wrong : {"2:9", "3:3", "a:b", "1", "1:2,1:2,1:2,1:2"})
    requireUsage({"convert", scene.in, "-o", scene.out, "--crop", wrong}, "crop");
}

TEST_CASE("a choice behind the name takes one frame or channel") {
  const ConvertScene scene;
  Volume both({4, 3, 2, 2}, ElementType::f32);
  for (std::size_t i = 0; i < both.elements<float>().size(); ++i) both.elements<float>()[i] = static_cast<float>(i);
  const std::string file = scene.folder / "two.nrrd";
  makeVolumeIo()->write(file, both, {});
  REQUIRE(run({"convert", file + "@c=1", "-o", scene.out}).status == 0);
  CHECK(readVolume(scene.out).shape().components == 1);
  CHECK(readVolume(scene.out).value(0, 0, 0) == 1);
  REQUIRE(run({"convert", file, "--channel", "0", "-o", scene.out}).status == 0);
  CHECK(readVolume(scene.out).value(0, 0, 0) == 0);
  CHECK(contains(run({"info", file + "@c=1"}).out, "components  1"));
  requireUsage({"convert", file + "@c=2", "-o", scene.out}, "has no channel 2");
  requireUsage({"convert", file + "@t=1", "-o", scene.out}, "has no frame 1");
  requireUsage({"convert", file + "@q=1", "-o", scene.out}, "cannot understand the choice q=1");
  requireUsage({"convert", file + "@series=1", "-o", scene.out}, "no series");
  std::filesystem::copy_file(file, scene.folder / "odd@c=1");
  CHECK(run({"info", scene.folder / "odd@c=1"}).status == 0);
}

TEST_CASE("compressed files are smaller and read back") {
  const ConvertScene scene;
  writeNrrd(scene.in, Volume(Volume({32, 32, 32, 1}, ElementType::u8).clone()));
  for (const char* name : {"a.nrrd", "a.mha", "a.tif", "a.h5"}) {
    const std::string plain = scene.folder / name, packed = scene.folder / (std::string("z") + name);
    if (run({"convert", scene.in, "-o", plain}).status != 0) continue;  // a build without ITK
    CAPTURE(name);
    REQUIRE(run({"convert", scene.in, "-o", packed, "--compress"}).status == 0);
    CHECK(run({"info", packed}).status == 0);
  }
  const Outcome refused = run({"convert", scene.in, "-o", scene.folder / "a.nhdr", "--compress"});
  CHECK(refused.status == 1);
  CHECK(contains(refused.err, "not compressed here"));
}

TEST_CASE("several inputs become several outputs, and one that fails does not stop the rest") {
  const ConvertScene scene;
  const std::string second = scene.folder / "second.nrrd", missing = scene.folder / "missing.nrrd";
  writeNrrd(second, ramp());
  std::filesystem::create_directory(scene.folder / "out");
  const std::string pattern = scene.folder / "out/{stem}.nrrd";
  const Outcome outcome = run({"convert", scene.in, missing, second, "-o", pattern});
  INFO(outcome.err);
  CHECK(outcome.status == 1);
  CHECK(contains(outcome.err, "2 of 3 inputs done; failed: " + missing));
  CHECK(contains(outcome.err, "error: cannot read " + missing));
  CHECK(filesIn(scene.folder / "out") == std::vector<std::string>{"in.nrrd", "second.nrrd"});
  CHECK(run({"filter", scene.in, second, "-o", scene.folder / "out/{stem}-{}.nrrd", "--filter", "box"}).status == 0);
  CHECK(std::filesystem::exists(scene.folder / "out/second-box.nrrd"));
  requireUsage({"convert", scene.in, second, "-o", scene.out}, "{stem}");
  requireUsage({"convert", scene.in, scene.in, "-o", pattern}, "would both become");
  requireUsage({"convert", scene.in, "-", "-o", pattern}, "standard input");
  requireUsage({"convert", scene.in, "-o", scene.out, "--format", "nrrd"}, "--format");
}

TEST_CASE("volumes go through pipes") {
  const ConvertScene scene;
  const std::string folder = scene.folder.path().string();
  REQUIRE(shell("cat " + scene.in + " | sscope convert - -o - | sscope filter - -o " + scene.out +
                " --filter box:size=1") == 0);
  CHECK(readVolume(scene.out).value(3, 2, 1) == ramp().value(3, 2, 1));
  CHECK(shell("sscope convert - -o " + folder + "/x.nrrd < /dev/null 2> " + folder + "/err") == 1);
  CHECK(contains(readTextFile(scene.folder / "err"), "the standard input is empty"));
  CHECK(shell("echo nonsense | sscope convert - -o " + folder + "/x.nrrd 2> " + folder + "/err") == 1);
  CHECK(contains(readTextFile(scene.folder / "err"), "cannot read the standard input"));
  CHECK(shell("sscope convert " + scene.in + " -o - --format json 2> " + folder + "/err | cat > /dev/null; exit 0") ==
        0);
  CHECK(contains(readTextFile(scene.folder / "err"), "needs two files"));
}

TEST_CASE("geometry that a format cannot store is told once, where there is any") {
  if (!hasItk()) SSCOPE_SKIP("this build writes no PNG");
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", first = folder / "a.png", plain = folder / "b.png";
  Volume picture({6, 5, 1, 1}, ElementType::u8);
  Geometry geometry;
  geometry.spacing = {0.5, 0.25, 1};
  geometry.direction = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  picture.setGeometry(geometry);
  makeVolumeIo()->write(in, picture, {});
  const std::string told = "note: PNG files store no geometry: the spacing and direction of the data are dropped\n";
  CHECK(run({"convert", in, "-o", first}).err == told);
  CHECK(run({"convert", first, "-o", plain}).err.empty());
  CHECK(run({"convert", in, "-o", folder / "c.tif"}).err.empty());
  const Arguments two{"--filter", "box", "--filter", "median"};
  const std::string filtered = run(joined({"filter", in, "-o", folder / "{}.png", "--output-type", "u8"}, two)).err;
  CHECK(contains(filtered, told));
  CHECK(filtered.find(told) == filtered.rfind(told));
  CHECK_FALSE(contains(run(joined({"filter", plain, "-o", folder / "{}.png"}, two)).err, "geometry"));
}

TEST_CASE("data larger than memory are converted by planes, to the bytes of the whole") {
  const TemporaryFolder folder;
  for (const VolumeShape& shape : {VolumeShape{40, 30, 50, 2}, VolumeShape{300, 400, 1, 1}}) {
    const std::string in = folder / "in.nrrd", whole = folder / "whole.nrrd", planes = folder / "planes.nrrd";
    writeNrrd(in, randomVolume(shape, ElementType::f32, 1));
    for (const Arguments& more : {Arguments{}, Arguments{"--type", "u8"}, Arguments{"--crop", "3:30,5:9,:"},
                                  Arguments{"--crop", "3:30,5:25,0:1", "--type", "i16"}}) {
      CAPTURE(shape.text(), more);
      const Outcome alone = run(joined({"convert", in, "-o", whole}, more));
      const Outcome parts = run(joined({"convert", in, "-o", planes, "--memory", "300K"}, more));
      INFO(parts.err);
      REQUIRE(alone.status == 0);
      REQUIRE(parts.status == 0);
      CHECK(parts.err == alone.err);
      CHECK(readTextFile(planes) == readTextFile(whole));
    }
    CHECK(contains(run({"convert", in, "-o", planes, "--memory", "300K", "--crop", "0:900,:,:"}).err,
                   "does not fit the data"));
    CHECK(contains(run({"convert", in, "-o", folder / "c.nrrd", "--memory", "300K", "--compress"}).err, "by planes"));
    CHECK_FALSE(std::filesystem::exists(folder / "c.nrrd"));
  }
}

TEST_CASE("what a file does not say is given by options or behind its name, and convert writes it") {
  const TemporaryFolder folder;
  // Two bytes of something else, then 3 x 2 x 12 big-endian numbers: times of slices.
  std::string bytes = "??";
  for (int i = 0; i < 72; ++i) bytes += {static_cast<char>(i >> 8), static_cast<char>(i)};
  std::ofstream(folder / "x.dat", std::ios::binary) << bytes;
  const std::string in = folder / "x.dat", out = folder / "o.nrrd";
  const Arguments options{"--raw", "3x2x12,u16,be,offset=2", "--axes", "t3zyx", "--spacing", "0.1,0.1,0.5um"};
  const Outcome converted = run(joined({"convert", in, "-o", out}, options));
  INFO(converted.err);
  REQUIRE(converted.status == 0);
  const std::string named = in + "@raw=3x2x12:u16:be:offset=2,axes=t3zyx,spacing=0.1x0.1x0.5um";
  REQUIRE(run({"convert", named, "-o", folder / "n.nrrd"}).status == 0);
  CHECK(contentOf(folder / "n.nrrd") == contentOf(out));
  const auto info = reportOf({"info", out});
  CHECK(info.at("dimensions") == nlohmann::json{3, 2, 4});
  CHECK(info.at("frames") == 3);
  CHECK(info.at("unit") == "um");
  CHECK(info.at("spacing").at(2) == 0.5);
  CHECK(readVolume(out).value(1, 1, 2, 2) == 2 * 24 + 2 * 6 + 4);  // the time last
  // By planes, too.
  REQUIRE(run({"convert", in + "@raw=3x2x12:u16:be:offset=2", "-o", folder / "p.nrrd", "--memory", "200"}).status == 0);
  CHECK(readVolume(folder / "p.nrrd").value(2, 1, 11) == 71);
  expectRefusal({"info", in, "--raw", "3x2x13,u16"}, 1, "takes 156");
  expectRefusal({"info", in, "--raw", "3x2"}, 2, "512x512x300,u16");
  expectRefusal(joined({"info", in, "--unit", "parsec"}, options), 2, "unit");
  expectRefusal({"info", in + "@unit=um", "--unit", "mm"}, 2, "twice");
  expectRefusal({"info", out, "--axes", "t3zyx"}, 2, "names its axes itself");
}

TEST_CASE("of what holds several things, info lists them with the names that choose") {
  const TemporaryFolder folder;
  const auto io = makeVolumeIo();
  if (std::ranges::none_of(io->formats(), [](const FileFormat& f) { return f.name.starts_with("HDF5"); }))
    SSCOPE_SKIP("this build has no HDF5");
  const std::string file = foreignHdf5(folder.path(), *io), voxels = ":/ITKImags/0/VoxelData";
  const Outcome listed = run({"info", file});
  INFO(listed.err);
  CHECK(listed.status == 0);
  CHECK(contains(listed.out, voxels + " (7 x 5 x 4 u16)"));
  const nlohmann::json report = reportOf({"info", file});
  REQUIRE(report.at("parts").size() == 2);
  CHECK(report.at("parts").at(1).at("extents") == nlohmann::json{7, 5, 4});
  CHECK_FALSE(reportOf({"info", file + report.at("parts").at(1).at("selector").get<std::string>()}).contains("parts"));
  expectRefusal({"convert", file, "-o", folder / "o.nrrd"}, 2, voxels + " (7 x 5 x 4 u16)");
}

TEST_CASE("info says of a container that holds nothing that it does, and other commands refuse it") {
  const TemporaryFolder folder;
  const std::string store = folder / "none.ome.zarr";
  std::filesystem::create_directories(store);
  writeTextFile(store + "/.zgroup", R"({"zarr_format":2})");
  writeTextFile(store + "/.zattrs", R"({"multiscales":[]})");
  const nlohmann::json report = reportOf({"info", store});
  CHECK(report.at("parts").empty());
  CHECK(contains(report.at("notices").at(0).get<std::string>(), "holds no image"));
  const Outcome said = run({"info", store});
  CHECK(said.status == 0);
  CHECK(contains(said.out, "holds no image"));
  expectRefusal({"convert", store, "-o", folder / "o.nrrd"}, 1, "holds no image");
}

TEST_CASE("a length along an axis whose step nobody gave is refused, until it is given") {
  const TemporaryFolder folder;
  std::ofstream(folder / "x.json") << R"({"schema": "stencilscope.volume/1", "size": [8, 8, 8], "type": "u8",
    "spacing": [0.1, 0.1, 1], "unit": "um", "assumed": "z"})";
  std::ofstream(folder / "x.raw") << std::string(512, 'a');
  const Arguments smooth{"filter", folder / "x.json", "-o", folder / "o.nrrd", "--filter", "gaussian:sigma=0.2um"};
  expectRefusal(smooth, 2, "sigma=0.2um cannot be used");  // as it was typed
  expectRefusal(smooth, 2, "along z; give it with --spacing");
  CHECK(contains(run({"info", folder / "x.json"}).out, "z assumed"));
  CHECK(run(joined(smooth, {"--spacing", "0.1,0.1,0.3um"})).status == 0);
  // Raw + JSON keeps what it does not know.
  REQUIRE(run({"convert", folder / "x.json", "-o", folder / "y.json"}).status == 0);
  CHECK(reportOf({"info", folder / "y.json"}).at("steps").at(2) == "assumed");
}

TEST_CASE("labels keep their type, and new filters take their range from the data") {
  const ConvertScene scene;
  Volume labels({6, 6, 1, 1}, ElementType::u32);
  for (std::size_t i = 0; i < 36; ++i) labels.elements<std::uint32_t>()[i] = 614454277U - static_cast<std::uint32_t>(i);
  writeNrrd(scene.in, labels);
  REQUIRE(run({"filter", scene.in, "-o", scene.out, "--filter", "median:size=3"}).status == 0);
  CHECK(readVolume(scene.out).type() == ElementType::u32);
  REQUIRE(run({"filter", scene.in, "-o", scene.out, "--filter", "gaussian:sigma=1"}).status == 0);
  CHECK(readVolume(scene.out).type() == ElementType::f64);
  CHECK(contains(run({"filter", scene.in, "--labels", "-o", scene.out, "--filter", "gaussian:sigma=1"}).err,
                 "name regions, and gaussian computes"));
  const Outcome even = run({"filter", scene.in, "-o", scene.out, "--filter", "bilateral"});
  CHECK(contains(even.err, "note: range=2.75 of bilateral follows the data"));
}
