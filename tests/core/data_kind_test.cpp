// Kinds of data are found from values that were made to be of them.

#include "core/volume/data_kind.h"

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tests/support/catch.h"

using namespace sscope;

namespace {

constexpr std::int64_t kEdge = 40;

struct Made {
  std::vector<double> samples;
  KindFacts facts;
};

// What is found about a cube of values, of (radius from the middle / half the edge, noise in -1..1).
FoundKind foundIn(ElementType type, const std::string& unit, double spacing,
                  const std::function<double(double, double)>& value, std::optional<DataKind> source = {},
                  const std::string& modality = {}) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> noise(-1, 1);
  std::vector<double> samples;
  std::vector<float> means;
  for (std::int64_t z = 0; z < kEdge; ++z)
    for (std::int64_t y = 0; y < kEdge; ++y)
      for (std::int64_t x = 0; x < kEdge; ++x) {
        const double c = (kEdge - 1) / 2.0;
        const double r =
            std::hypot(static_cast<double>(x) - c, static_cast<double>(y) - c, static_cast<double>(z) - c) / c;
        samples.push_back(value(r, noise(random)));
        means.push_back(static_cast<float>(samples.back()));
      }
  BrickBlocks blocks;
  blocks.count = {kEdge, kEdge, kEdge};
  Geometry geometry;
  geometry.unit = unit;
  geometry.spacing = {spacing, spacing, spacing};
  const VolumeBrick brick = brickOf(blocks, means, geometry, {});
  return findKind({.type = type,
                   .geometry = geometry,
                   .extent = {kEdge, kEdge, kEdge},
                   .samples = samples,
                   .levels = countLevels(brick),
                   .isSigned = brick.isSigned,
                   .modality = modality,
                   .source = source});
}

double tomography(double r, double noise) {
  return r < 0.3 ? 1100 + 10 * noise : r < 0.7 ? 40 + 10 * noise : -1000 + 10 * noise;
}
double head(double r, double noise) { return r < 0.8 ? 400 + 300 * (1 - r) + 30 * noise : 8 * std::abs(noise); }
double derivative(double r, double noise) { return r < 0.8 ? 50 * std::sin(20 * r) + noise : 0.01 * noise; }
// The fewer the brighter, as of photons.
double decay(double, double noise) { return std::round(-100 * std::log(1 - 0.999 * std::abs(noise))); }
double cells(double r, double noise) { return std::round(r < 0.25 ? 3000 * (1 - 3 * r) : 60 * std::abs(noise)); }

}  // namespace

TEST_CASE("kinds of data are found from their values") {
  using enum DataKind;
  CHECK(foundIn(ElementType::i16, "mm", 4, tomography).kind == Tomography);
  CHECK(foundIn(ElementType::f32, "mm", 4, tomography).kind == Tomography);
  CHECK(foundIn(ElementType::i16, "mm", 4, [](double r, double n) {
          return r > 0.9 ? -3024 : tomography(r, n);
        }).kind == Tomography);
  CHECK(foundIn(ElementType::i16, "mm", 4, head).kind == Magnetic);
  CHECK(foundIn(ElementType::f32, "mm", 4, derivative).kind == Signed);
  CHECK(foundIn(ElementType::u16, "um", 0.3, cells).kind == Fluorescence);
  CHECK(foundIn(ElementType::u16, "", 1, decay).kind == Fluorescence);
  CHECK(foundIn(ElementType::u8, "mm", 1, [](double r, double) { return r < 0.5 ? 255.0 : 0.0; }).kind == Mask);
  CHECK(foundIn(ElementType::f32, "mm", 1, [](double r, double) {
          return r < 0.5 ? 1.0 : r < 0.52 ? 0.5 : 0.0;
        }).kind == Mask);
  CHECK(foundIn(ElementType::u8, "mm", 1, [](double r, double) { return r < 0.9 ? std::floor(9 * r) : 0; }).kind ==
        Labels);
  // An object in a matrix, without a unit: two materials, none of them dark.
  CHECK(foundIn(ElementType::u8, "", 1, [](double r, double n) { return r < 0.6 ? 200 + 5 * n : 90 + 5 * n; }).kind ==
        Generic);
  CHECK(foundIn(ElementType::f32, "mm", 1, [](double, double) { return 3.0; }).kind == Generic);
}

TEST_CASE("derivatives of a tomography are no tomography, and smooth results are what their source is") {
  using enum DataKind;
  const auto edges = [](double r, double n) { return std::abs(r - 0.7) < 0.2 ? 1100 * n : 10 * n; };
  CHECK(foundIn(ElementType::f32, "mm", 4, edges, Tomography).kind == Signed);
  CHECK(foundIn(ElementType::f32, "mm", 4, tomography, Tomography).kind == Tomography);
  CHECK(foundIn(ElementType::f32, "mm", 4, head, Magnetic).kind == Magnetic);
  CHECK(foundIn(ElementType::f32, "um", 0.3, cells).kind != Fluorescence);  // floats alone say nothing
  CHECK(foundIn(ElementType::f32, "um", 0.3, cells, Fluorescence).kind == Fluorescence);
  const auto smooth = [](double r, double) { return 1 / (1 + std::exp(8 * (r - 0.5))); };
  CHECK(foundIn(ElementType::f32, "mm", 1, smooth, Mask).kind == Mask);
}

TEST_CASE("what the file says of its modality is not guessed") {
  using enum DataKind;
  const FoundKind shifted = foundIn(ElementType::i16, "mm", 4, head, {}, "CT");
  CHECK(shifted.kind == Generic);
  CHECK(shifted.why.find("not in Hounsfield units") != std::string::npos);
  CHECK(foundIn(ElementType::f32, "mm", 4, head, Generic, "CT").kind == Generic);  // a result of it
  CHECK(foundIn(ElementType::i16, "mm", 4, tomography, {}, "CT").kind == Tomography);
  CHECK(foundIn(ElementType::i16, "mm", 4, tomography, {}, "MR").kind != Tomography);
  CHECK(foundIn(ElementType::i16, "", 1, head, {}, "MR").kind == Magnetic);
  CHECK(foundIn(ElementType::i16, "mm", 4, head, {}, "PT").kind == Generic);
  CHECK(foundIn(ElementType::i16, "mm", 4, head, {}, "OT").kind == Magnetic);
  CHECK(foundIn(ElementType::f32, "mm", 4, derivative, Generic, "CT").kind == Signed);
}

TEST_CASE("every kind says why, and its name can be read back") {
  const FoundKind found = foundIn(ElementType::i16, "mm", 4, tomography);
  CHECK(found.why.find("-1000") != std::string::npos);
  for (const DataKind kind : {DataKind::Tomography, DataKind::Magnetic, DataKind::Signed, DataKind::Fluorescence,
                              DataKind::Mask, DataKind::Labels, DataKind::Generic})
    CHECK(parseDataKind(toString(kind)) == kind);
  CHECK_FALSE(parseDataKind("x-ray"));
}
