// Numbers at the ends of what types hold: results that leave them are counted, and nothing is made of NaN.

#include <limits>

#include "core/io/volume_io.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();
// 3e38 becomes 9e38 at the ends.
constexpr const char* kSharpened = "filter in.nrrd -o wide.nrrd --filter sharpen:amount=20 --boundary constant";

Volume filledWith(float value) {
  Volume volume({8, 8, 8, 1}, ElementType::f32);
  for (float& one : volume.elements<float>()) one = value;
  return volume;
}

}  // namespace

TEST_CASE("results that leave the range of their type are counted in a note") {
  const std::string lost = "values of the result are infinite or NaN, though all that was read are finite",
                    clamped = "note: 512 values of the result left the range of u8 and became its nearest end";
  const struct {
    float value;
    std::string command, note;  // part of the note; empty: nothing is printed
  } rows[] = {
      {3e38F, kSharpened, lost + ": they left the range of f32"},
      {3e38F, std::string(kSharpened) + " --output-type f64", ""},
      {3e38F, "dwt forward in.nrrd -o out.nrrd", lost},
      {300, "filter in.nrrd -o out.nrrd --filter box --output-type u8", clamped + "\n"},
      {300, "filter in.nrrd -o out.nrrd --filter box --filter box:size=5 --output-type u8",
       "note: 1024 values of the result left the range of u8 and became its nearest end\n"},
      {300, "filter in.nrrd -o out.nrrd --filter box --output-type u16", ""},
      {kNaN, "filter in.nrrd -o out.nrrd --filter box --output-type u8", clamped + ", or were NaN and became 0\n"},
      {-1, "filter in.nrrd -o out.nrrd --filter formula:e=sqrt(source)",
       "512 " + lost + ": they left the range of f32, or a formula made them, as sqrt(-1) or 1/0 would"},
      {-1, "filter in.nrrd -o out.nrrd --filter formula:e=sqrt(source) --output-type u8", ", or were NaN and became 0"},
      {-1, "filter in.nrrd -o out.nrrd --filter 'formula:e=if(x + y + z == 0, 1/0, 1)'",
       "note: 1 value of the result is infinite or NaN"}};
  for (const auto& row : rows) {
    CAPTURE(row.value, row.command);
    const Scene scene(filledWith(row.value));
    const std::string err = scene.ok(row.command).err;
    CHECK(err.empty() == row.note.empty());
    CHECK(contains(err, row.note));
  }
  // Values that are not finite from the start are counted where they are read.
  const Scene nan(filledWith(kNaN));
  CHECK_FALSE(contains(nan.ok("filter in.nrrd -o out.nrrd --filter box").err, "of the result"));
  const Scene scene(filledWith(3e38F));
  scene.write("gain.json", R"({"size": [1], "taps": [5e269]})");
  scene.write("doubled.json", "[2, 2]");
  scene.ok("filter in.nrrd -o wide.nrrd --filter custom:file=gain.json --output-type f64");
  CHECK(contains(scene.ok("magic forward wide.nrrd -o out.nrrd --taps doubled.json").err, lost));
}

TEST_CASE("conversions to a type that is too small are counted in a note") {
  const Scene scene(filledWith(3e38F));
  scene.ok(std::string(kSharpened) + " --output-type f64");
  CHECK(contains(scene.ok("convert wide.nrrd -o out.nrrd --type f32").err,
                 "values left the range of f32 and became infinite"));
  CHECK(contains(scene.ok("convert wide.nrrd -o out.nrrd --type i32").err, "became its nearest end"));
}

TEST_CASE("where no value is finite there is no least, largest or mean") {
  const Scene scene(filledWith(kInfinity));
  const nlohmann::json info = scene.report("info in.nrrd");
  for (const char* key : {"min", "max", "mean"}) CHECK(info.at(key).is_null());
  CHECK(contains(scene.ok("info in.nrrd").out, "minimum     none"));
}

TEST_CASE("values that are too small for f32 are counted in a note where they are many") {
  const Scene scene;
  const auto notes = [&](std::size_t small) {
    Volume volume({8, 8, 8, 1}, ElementType::f64);
    const auto all = volume.elements<double>();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i < small ? 1e-310 : i < 412 ? 1e-30 : 0;
    makeVolumeIo()->write(scene.path("wide.nrrd"), volume, {});
    const std::string filter = "filter wide.nrrd -o out.nrrd --filter box:size=1 --verify";
    CHECK_FALSE(contains(scene.ok(filter).err, "too small"));  // results of f64 are f64
    return scene.ok(filter + " --output-type f32").err + scene.ok("convert wide.nrrd -o out.nrrd --type f32").err;
  };
  const std::string many = notes(12);
  CHECK(contains(many, "12 of 412 nonzero input values are too small for f32, the type of the results"));
  CHECK(contains(many, "12 of 412 nonzero values are too small for f32 and became 0"));
  CHECK_FALSE(contains(notes(4), "too small"));
}
