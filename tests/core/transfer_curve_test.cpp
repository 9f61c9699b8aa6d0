// Transfer functions, and the presets that come with the program.

#include "core/volume/transfer_curve.h"

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace sscope;

namespace {

// Level 20 is background, levels 100 to 199 are the object.
LevelCounts objectLevels() {
  LevelCounts levels;
  levels.low = -10;
  levels.high = 245;  // a value is its level less ten
  levels.counts[20] = 1000;
  for (std::size_t i = 100; i < 200; ++i) levels.counts[i] = 10;
  return levels;
}

// Nearly everything is zero.
LevelCounts sparseLevels() {
  LevelCounts levels;
  levels.low = -255;
  levels.high = 255;
  levels.counts[127] = 50000;
  levels.counts[128] = 50000;
  levels.counts[10] = 300;
  levels.counts[245] = 300;
  return levels;
}

}  // namespace

TEST_CASE("a curve is linear between its points and constant beyond") {
  const TransferCurve curve{{{10, 0.2, {0, 0, 1}}, {20, 0.6, {1, 0, 0}}}};
  CHECK(pointAt(curve, 5).opacity == 0.2);
  CHECK(pointAt(curve, 15).opacity == Approx(0.4));
  CHECK(pointAt(curve, 15).color[0] == Approx(0.5));
  CHECK(pointAt(curve, 20).opacity == 0.6);
  CHECK(pointAt(curve, 1e9).color[0] == 1);
  CHECK(pointAt(curve, 1e9).value == 1e9);
}

TEST_CASE("Otsu's threshold lies between background and object, and separates them") {
  const LevelSplit split = otsuSplit(objectLevels());
  CHECK(split.level > 20);
  CHECK(split.level < 100);
  CHECK(split.separation > 0.8);
  LevelCounts flat;
  flat.counts.fill(1);
  CHECK(otsuSplit(flat).level == Approx(127.5).margin(1));
  CHECK(otsuSplit(flat).separation == Approx(0.75).margin(0.01));  // of a uniform distribution
}

TEST_CASE("every kind of data has presets, each of them usable") {
  std::set<std::string> names;
  for (const TransferPreset& preset : transferPresets()) {
    CAPTURE(preset.name);
    CHECK(names.insert(preset.name).second);
    CHECK_FALSE(preset.title.empty());
    CHECK_FALSE(preset.tip.empty());
    CHECK(findPreset(preset.name) == &preset);
    for (const LevelCounts& levels : {objectLevels(), sparseLevels(), LevelCounts{}}) {
      const TransferCurve curve = placeCurve(preset, levels);
      REQUIRE(curve.points.size() >= 2);
      for (std::size_t i = 1; i < curve.points.size(); ++i) CHECK(curve.points[i].value > curve.points[i - 1].value);
    }
  }
  for (const DataKind kind : {DataKind::Tomography, DataKind::Magnetic, DataKind::Signed, DataKind::Fluorescence,
                              DataKind::Mask, DataKind::Labels, DataKind::Generic})
    CHECK(defaultPreset(kind).kind == kind);
  CHECK(findPreset("auto") == nullptr);
  CHECK(findPreset("own") == nullptr);
}

TEST_CASE("presets of tomographies are in Hounsfield units, whatever the range of the data") {
  for (const TransferPreset& preset : transferPresets()) {
    if (preset.kind != DataKind::Tomography) continue;
    CAPTURE(preset.name);
    CHECK(placeCurve(preset, objectLevels()) == preset.curve);
    CHECK(pointAt(preset.curve, -1000).opacity == 0);  // air
  }
  const auto opacity = [](const char* name, double value) { return pointAt(findPreset(name)->curve, value).opacity; };
  CHECK(opacity("ct-bone", 60) == 0);
  CHECK(opacity("ct-bone", 700) > 0.4);
  CHECK(opacity("ct-lung", -800) > opacity("ct-lung", -200));
  CHECK(opacity("ct-soft", 50) > opacity("ct-soft", 800));
  CHECK(opacity("ct-skin", -300) > 0.3);
  CHECK(opacity("ct-vessels", 300) > 0.3);
  CHECK(opacity("ct-vessels", 50) == 0);
}

TEST_CASE("elsewhere presets follow the percentiles of the data") {
  const LevelCounts levels = objectLevels();
  for (const DataKind kind : {DataKind::Magnetic, DataKind::Generic, DataKind::Fluorescence}) {
    const TransferCurve curve = placeCurve(defaultPreset(kind), levels);
    CHECK(pointAt(curve, 10).opacity == 0);  // the background, level 20
    CHECK(pointAt(curve, 189).opacity > pointAt(curve, 120).opacity);
    CHECK(pointAt(curve, 120).opacity > 0);
  }
  // Twice the values: twice the curve.
  LevelCounts twice = levels;
  twice.low *= 2;
  twice.high *= 2;
  const TransferCurve once = placeCurve(defaultPreset(DataKind::Magnetic), levels),
                      scaled = placeCurve(defaultPreset(DataKind::Magnetic), twice);
  for (std::size_t i = 0; i < once.points.size(); ++i)
    CHECK(scaled.points[i].value == Approx(2 * once.points[i].value));
}

TEST_CASE("zero of results of both signs is clear, however many zeros there are") {
  for (const char* name : {"signed-both", "signed-strong"}) {
    CAPTURE(name);
    const TransferCurve curve = placeCurve(*findPreset(name), sparseLevels());
    for (const double value : {0.0, 1.0, -1.0, 5.0, -5.0}) CHECK(pointAt(curve, value).opacity == 0);
    CHECK(pointAt(curve, 235).opacity > 0.05);
    CHECK(pointAt(curve, -235).opacity > 0.05);
    CHECK(pointAt(curve, 235).color[0] > pointAt(curve, 235).color[2]);    // warm
    CHECK(pointAt(curve, -235).color[2] > pointAt(curve, -235).color[0]);  // cold
  }
}

TEST_CASE("labels have colors in turn, and the background none") {
  LevelCounts levels;
  levels.low = 0;
  levels.high = 20;
  const TransferCurve curve = placeCurve(defaultPreset(DataKind::Labels), levels);
  CHECK(curve.nearest);
  CHECK(pointAt(curve, 0).opacity == 0);
  CHECK(pointAt(curve, 20).opacity > 0);
  CHECK(pointAt(curve, 1).color == pointAt(curve, 9).color);
  CHECK(pointAt(curve, 1).color == pointAt(curve, 17).color);
  CHECK(pointAt(curve, 1).color != pointAt(curve, 2).color);
}

TEST_CASE("an isosurface begins where the background ends, or at bone") {
  LevelCounts scan;
  scan.low = -1000;
  scan.high = 1550;
  scan.counts[2] = 800;
  scan.counts[104] = 150;
  CHECK(startLevel(DataKind::Tomography, scan) == -300);
  scan.counts[200] = 50;
  CHECK(startLevel(DataKind::Tomography, scan) == 250);
  const double level = startLevel(DataKind::Magnetic, objectLevels());
  CHECK(level > 10);
  CHECK(level < 90);
  CHECK(startLevel(DataKind::Signed, sparseLevels()) > 0);
}

TEST_CASE("points are read as they are written, and nothing else is") {
  const std::vector<TransferPoint> points{{-1024, 0, {0, 0, 0}}, {0.5, 0.25, {1, 0.2, 0}}, {3000, 1, {1, 1, 1}}};
  CHECK(pointsFromJson(toJson(points)) == points);
  CHECK(pointsFromJson(nlohmann::json::array()).empty());
  for (const char* bad :
       {R"({})", R"([1])", R"([[1, 2, "#000000"]])", R"([[1, 0.5, "red"]])", R"([[1, 0.5, "#00000g"]])",
        R"([["1", 0.5, "#000000"]])", R"([[2, 0.5, "#000000"], [1, 0.5, "#000000"]])", R"([[1, -0.5, "#000000"]])",
        R"([[1, 0.5]])"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(pointsFromJson(nlohmann::json::parse(bad)), Error);
  }
  nlohmann::json many = nlohmann::json::array();
  for (int i = 0; i < 65; ++i) many.push_back({i, 0.5, "#000000"});
  CHECK_THROWS_AS(pointsFromJson(many), Error);
}

TEST_CASE("presets that cannot be read say so") {
  const nlohmann::json good = {{"name", "x"},
                               {"title", "X"},
                               {"kind", "mr"},
                               {"scale", "object"},
                               {"points", {{0, 0, "#000000"}, {100, 1, "#ffffff"}}}};
  CHECK(presetsFromJson(nlohmann::json::array({good})).size() == 1);
  for (const auto& [member, value] : std::initializer_list<std::pair<const char*, nlohmann::json>>{
           {"kind", "pet"}, {"scale", "deciles"}, {"points", nlohmann::json::array()}, {"name", 3}}) {
    nlohmann::json wrong = good;
    wrong[member] = value;
    CAPTURE(member);
    CHECK_THROWS_AS(presetsFromJson(nlohmann::json::array({wrong})), Error);
  }
}
