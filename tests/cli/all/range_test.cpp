// Numbers at the ends of what types hold: results that leave them are told, and nothing is made of what is no number.

#include <limits>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

Volume filledWith(float value) {
  Volume volume({8, 8, 8, 1}, ElementType::f32);
  for (float& one : volume.elements<float>()) one = value;
  return volume;
}

// 3e38 becomes 1.5e308.
std::string gain(const TemporaryFolder& folder) {
  writeTextFile(folder / "gain.json", R"({"size": [1], "taps": [5e269]})");
  return folder / "gain.json";
}

std::string doubled(const TemporaryFolder& folder) {
  writeTextFile(folder / "doubled.json", "[2, 2]");
  return folder / "doubled.json";
}

struct RangeScene {
  explicit RangeScene(float value) { writeNrrd(in, filledWith(value)); }
  TemporaryFolder folder;
  std::string in = folder / "in.nrrd", wide = folder / "wide.nrrd", out = folder / "out.nrrd";
};

}  // namespace

TEST_CASE("results that leave the range of their type are told") {
  const RangeScene scene(3e38F);
  const std::string told = "values of the result are infinite or NaN, though all that was read are finite";
  const Arguments sum{"filter", scene.in, "-o", scene.out, "--filter", "sharpen:amount=20", "--boundary", "constant"};
  const Outcome filtered = run(sum);
  CHECK(filtered.status == 0);
  CHECK(contains(filtered.err, told + ": they left the range of f32"));
  CHECK(run(joined(sum, {"--output-type", "f64"})).err.empty());
  CHECK(contains(run({"dwt", "forward", scene.in, "-o", scene.out}).err, told));
  const RangeScene wide(3e38F);
  REQUIRE(
      run({"filter", wide.in, "-o", wide.wide, "--filter", "custom:file=" + gain(wide.folder), "--output-type", "f64"})
          .status == 0);
  CHECK(contains(run({"magic", "forward", wide.wide, "-o", wide.out, "--taps", doubled(wide.folder)}).err, told));
  // What is not finite from the start is told where it is read.
  const RangeScene nothing(std::numeric_limits<float>::quiet_NaN());
  CHECK_FALSE(contains(run({"filter", nothing.in, "-o", nothing.out, "--filter", "box"}).err, "of the result"));
}

TEST_CASE("results that an integer type clamps are told") {
  const RangeScene scene(300);
  const Outcome clamped =
      run({"filter", scene.in, "-o", scene.out, "--filter", "box", "--filter", "box:size=5", "--output-type", "u8"});
  CHECK(clamped.status == 0);
  CHECK(clamped.err == "note: 1024 values of the result left the range of u8 and became its nearest end\n");
  CHECK(run({"filter", scene.in, "-o", scene.out, "--filter", "box", "--output-type", "u16"}).err.empty());
  const RangeScene nothing(std::numeric_limits<float>::quiet_NaN());
  const Outcome zeros = run({"filter", nothing.in, "-o", nothing.out, "--filter", "box", "--output-type", "u8"});
  CHECK(contains(zeros.err,
                 "note: 512 values of the result left the range of u8 and became its nearest end, or were NaN "
                 "and became 0\n"));
}

TEST_CASE("results that a formula leaves without a value are not laid on the range of a type alone") {
  const RangeScene scene(-1);
  const Arguments root{"filter", scene.in, "-o", scene.out, "--filter", "formula:e=sqrt(source)"};
  CHECK(contains(run(root).err,
                 "512 values of the result are infinite or NaN, though all that was read are finite: "
                 "they left the range of f32, or a formula made them, as sqrt(-1) or 1/0 would"));
  CHECK(contains(run(joined(root, {"--output-type", "u8"})).err, ", or were NaN and became 0"));
  Arguments single{"filter", scene.in, "-o", scene.out, "--filter", "formula:e=if(x + y + z == 0, 1/0, 1)"};
  CHECK(contains(run(single).err, "note: 1 value of the result is infinite or NaN"));
}

TEST_CASE("conversions to a type that is too small are told") {
  const RangeScene scene(3e38F);
  // 9e38, in f64.
  REQUIRE(run({"filter", scene.in, "-o", scene.wide, "--filter", "sharpen:amount=20", "--boundary", "constant",
               "--output-type", "f64"})
              .status == 0);
  CHECK(contains(run({"convert", scene.wide, "-o", scene.out, "--type", "f32"}).err,
                 "values left the range of f32 and became infinite"));
  CHECK(contains(run({"convert", scene.wide, "-o", scene.out, "--type", "i32"}).err, "became its nearest end"));
}

TEST_CASE("of values none of which is finite there is no least, largest or mean") {
  const RangeScene scene(std::numeric_limits<float>::infinity());
  const nlohmann::json info = nlohmann::json::parse(run({"info", "--json", scene.in}).out);
  CHECK(info.at("min").is_null());
  CHECK(info.at("max").is_null());
  CHECK(info.at("mean").is_null());
  CHECK(contains(run({"info", scene.in}).out, "minimum     none"));
}

TEST_CASE("values that are too small for f32 are told where they are many") {
  const RangeScene scene(1);
  const auto told = [&](std::size_t small) {
    Volume volume({8, 8, 8, 1}, ElementType::f64);
    const auto all = volume.elements<double>();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i < small ? 1e-310 : i < 412 ? 1e-30 : 0;
    makeVolumeIo()->write(scene.wide, volume, {});
    const Arguments filter{"filter", scene.wide, "-o", scene.out, "--filter", "box:size=1", "--verify"};
    const Outcome kept = run(filter);  // results of f64 are f64
    CHECK(kept.status == 0);
    CHECK_FALSE(contains(kept.err, "too small"));
    const Outcome filtered = run(joined(filter, {"--output-type", "f32"})), changed = run({"convert", scene.wide, "-o", scene.out, "--type", "f32"});
    CHECK(filtered.status == 0);
    CHECK(changed.status == 0);
    return filtered.err + changed.err;
  };
  const std::string many = told(12);
  CHECK(contains(many, "12 of 412 nonzero input values are too small for f32, the type of the results"));
  CHECK(contains(many, "12 of 412 nonzero values are too small for f32 and became 0"));
  CHECK_FALSE(contains(told(4), "too small"));
}
