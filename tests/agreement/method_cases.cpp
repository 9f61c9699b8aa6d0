#include "tests/agreement/method_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "tests/support/support.h"
#include "tests/support/taps.h"

namespace sscope::test {

namespace {

using Types = std::vector<ElementType>;
using enum ElementType;

const Types kAll(std::begin(kElementTypes), std::end(kElementTypes));
constexpr auto kProcessor = Place::Processors, kDevice = Place::Devices, kCard = Place::Cards;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// A table that grows; what follows add() is of the case that it added.
class Cases {
 public:
  Cases& add(Place place, const char* what, const std::string& row, const VolumeShape& shape,
             std::vector<Operator> bank, Types inputs, ResultTypes outputs = f32Result) {
    all_.push_back({what, place, row, shape, std::move(bank), std::move(inputs), outputs});
    return *this;
  }
  Cases& data(decltype(MethodCase::data) make) { return all_.back().data = make, *this; }
  Cases& outside(std::vector<double> values) { return all_.back().outside = std::move(values), *this; }
  Cases& anySaturation() { return all_.back().anySaturation = true, *this; }
  Cases& precision(Precision wanted) { return all_.back().precision = wanted, *this; }
  Cases& alone() { return all_.back().alone = true, *this; }
  Cases& sameAs(const char* row) { return all_.back().sameAs = row, *this; }
  Cases& parts(std::vector<Box> regions, std::int64_t memory = 0) {
    all_.back().regions = std::move(regions);
    all_.back().memory = memory;
    return *this;
  }
  [[nodiscard]] std::vector<MethodCase> all() const { return all_; }

 private:
  std::vector<MethodCase> all_;
};

// A shape with one size of taps.
struct Sized {
  VolumeShape shape;
  Extent size, anchor;
};

Operator named(Stencil stencil) { return {"taps", std::move(stencil)}; }

// Extents of one voxel, taps wider than the data, along one axis, of even size, with an anchor outside; components that
// lie side by side, and too many for that.
void addOddShapes(Cases& cases) {
  const Sized all[] = {{{1, 1, 1, 1}, {3, 3, 3}, {1, 1, 1}},    {{2, 3, 1, 1}, {7, 5, 9}, {3, 2, 4}},
                       {{37, 23, 11, 1}, {7, 7, 7}, {3, 3, 3}}, {{70, 19, 6, 1}, {4, 2, 6}, {2, 1, 3}},
                       {{133, 5, 3, 1}, {1, 9, 1}, {0, 0, 0}},  {{3, 90, 41, 1}, {5, 3, 1}, {4, 2, 0}},
                       {{21, 18, 9, 3}, {3, 4, 5}, {0, 3, 2}},  {{129, 67, 1, 1}, {15, 15, 1}, {7, 7, 0}},
                       {{17, 9, 33, 1}, {1, 1, 17}, {0, 0, 8}}, {{40, 12, 8, 2}, {2, 3, 2}, {5, -2, 0}},
                       {{129, 67, 1, 3}, {9, 7, 1}, {4, 3, 0}}, {{43, 40, 2, 4}, {4, 6, 1}, {1, 7, 0}},
                       {{50, 8, 3, 16}, {3, 1, 3}, {-1, 0, 1}}, {{34, 33, 2, 17}, {5, 3, 1}, {2, 1, 0}}};
  for (const auto& [shape, size, anchor] : all) {
    const Operator dense = named(denseFilter(size, anchor)), lines = named(separableFilter(size, anchor));
    cases.add(kProcessor, "odd shapes", "auto", shape, {dense, lines}, {f32}, floatResults);
    cases.add(kProcessor, "odd shapes", "dense", shape, {dense, lines}, {f32}, floatResults);
    cases.add(kProcessor, "odd shapes", "separable", shape, {lines}, {f32}, floatResults);
  }
  // Voxels along z and y that lie far from each other.
  const Sized onDevices[] = {{{13, 11, 9, 1}, {3, 3, 3}, {1, 1, 1}}, {{37, 5, 3, 1}, {5, 3, 2}, {4, 0, 1}},
                             {{9, 7, 5, 3}, {3, 3, 3}, {1, 1, 1}},   {{1, 1, 1, 1}, {5, 3, 2}, {4, 0, 1}},
                             {{2, 1, 3, 1}, {3, 3, 3}, {0, 2, 1}},   {{19, 17, 1, 1}, {4, 4, 1}, {1, 3, 0}}};
  for (const Sized& one : onDevices)
    cases.add(kDevice, "odd shapes", "dense", one.shape, {named(faintFilter(one.size, one.anchor))}, kAll);
  const std::pair<VolumeShape, std::vector<Extent>> lines[] = {
      {{13, 11, 9, 1}, {{3, 5, 7}}},   {{21, 3, 2, 1}, {{9, 4, 17}}}, {{9, 7, 5, 3}, {{3, 0, 5}, {0, 4, 0}, {2, 2, 2}}},
      {{33, 17, 1, 1}, {{17, 17, 0}}}, {{1, 1, 1, 1}, {{5, 3, 4}}},   {{6, 5, 4, 3}, {{0, 0, 0}}}};
  for (const auto& [shape, sizes] : lines)
    cases.add(kDevice, "odd shapes", "separable", shape, {named(separableFilter(sizes))}, kAll);
}

// Taps that are all equal, in fewer sums: of every length, in every place, beside each other.
void addEqualTaps(Cases& cases) {
  const std::vector<Operator> boxes{boxOf({31, 31, 31}), boxOf({9, 6, 7}),  boxOf({10, 1, 1}), boxOf({1, 15, 1}),
                                    boxOf({1, 1, 12}),   boxOf({1, 8, 64}), twoBoxes()};
  for (const VolumeShape& shape :
       {VolumeShape{1, 1, 1, 1}, {40, 5, 3, 1}, {37, 45, 39, 1}, {70, 67, 1, 3}, {5, 40, 33, 2}, {33, 1, 50, 1}})
    cases.add(kProcessor, "equal taps", "separable", shape, boxes, kAll, realOrSame);
  // Regions that are walked along z as the whole is.
  cases
      .add(kProcessor, "parts of equal taps", "separable", {150, 90, 100, 1},
           {boxOf({31, 31, 31}), boxOf({9, 7, 15}), boxOf({1, 1, 64}), twoBoxes()}, {f32})
      .parts({{{0, 0, 41}, {150, 90, 80}}, {{17, 0, 3}, {100, 40, 60}}, {{64, 33, 0}, {128, 90, 100}}});
  cases.add(kProcessor, "holes", "separable", {70, 61, 64, 1}, {boxOf({31, 15, 9})}, {f32}).data(noiseWithHoles);
}

// Dense taps that are mirror-symmetric, which are folded.
void addFoldedTaps(Cases& cases) {
  const Operator odd = mirroredTaps({9, 8, 5}, {true, false, true}, {0, 3, 7});
  const std::vector<Operator> filters{radialTaps(7, 3), odd, mirroredTaps({4, 9, 6}, {false, true, true}, {-2, 4, 3}),
                                      mirroredTaps({8, 15, 3}, {true, true, false}, {4, 7, 0}),
                                      mirroredTaps({5, 3, 40}, {true, true, true}, {1, 1, 20})};
  for (const VolumeShape& shape :
       {VolumeShape{1, 1, 1, 1}, {37, 23, 11, 1}, {70, 20, 5, 3}, {3, 50, 6, 2}, {131, 9, 4, 1}})
    cases.add(kProcessor, "folded taps", "dense", shape, filters, kAll, realOrSame);
  for (const std::int64_t edge : {11, 13, 15, 16, 19, 21, 27, 28})
    cases.add(kProcessor, "folded taps", "dense", {140, 75, 1, 1}, {radialTaps(edge, 2)}, {f32});
  cases.add(kProcessor, "parts of folded taps", "dense", {150, 90, 40, 1}, {radialTaps(7, 3), odd}, {f32})
      .parts({{{0, 0, 17}, {150, 90, 26}}, {{17, 0, 3}, {100, 41, 40}}, {{64, 33, 0}, {128, 90, 20}}});
  // Zero taps and pairs of opposite signs meet Inf.
  cases.add(kProcessor, "holes", "dense", {70, 31, 34, 1}, {radialTaps(7, 3)}, {f32}).data(noiseWithHoles);
}

// Several tiles along each axis, an odd number of them, edges that no tile divides; lengths of each stage; taps wider
// than the data, along one axis only, with an anchor outside; components.
void addTransforms(Cases& cases) {
  const Sized onProcessors[] = {
      {{421, 143, 1, 1}, {9, 9, 1}, {4, 4, 0}},    {{150, 290, 1, 1}, {27, 27, 1}, {13, 13, 0}},
      {{260, 130, 1, 3}, {31, 12, 1}, {0, 11, 0}}, {{75, 71, 69, 1}, {5, 6, 7}, {2, 0, 6}},
      {{41, 40, 70, 1}, {15, 15, 15}, {7, 7, 7}},  {{20, 140, 33, 2}, {1, 21, 1}, {0, 9, 0}},
      {{30, 25, 140, 1}, {3, 1, 19}, {1, 0, 9}},   {{5, 3, 2, 1}, {40, 33, 9}, {-2, 50, 4}},
      {{140, 1, 1, 1}, {65, 1, 1}, {32, 0, 0}},    {{64, 64, 3, 1}, {64, 63, 2}, {31, 31, 0}}};
  for (const Sized& one : onProcessors)
    cases.add(kProcessor, "transforms", "fft", one.shape, {named(denseFilter(one.size, one.anchor))}, {f32, u16, f64},
              realResult);
  const Sized onCards[] = {{{150, 140, 1, 1}, {27, 27, 1}, {13, 13, 0}}, {{90, 75, 2, 3}, {31, 12, 1}, {0, 11, 0}},
                           {{75, 31, 19, 1}, {5, 6, 7}, {2, 0, 6}},      {{41, 40, 30, 1}, {15, 15, 15}, {7, 7, 7}},
                           {{20, 90, 33, 2}, {1, 21, 1}, {0, 9, 0}},     {{30, 25, 70, 1}, {3, 1, 19}, {1, 0, 9}},
                           {{5, 3, 2, 1}, {40, 33, 9}, {-2, 50, 4}},     {{140, 1, 1, 1}, {64, 1, 1}, {32, 0, 0}},
                           {{64, 64, 3, 1}, {64, 63, 2}, {31, 31, 0}},   {{17, 18, 1, 1}, {3, 3, 1}, {1, 1, 0}}};
  for (const Sized& one : onCards)
    cases.add(kCard, "transforms", "fft", one.shape, {named(faintFilter(one.size, one.anchor))}, {f32, u16, f64},
              realResult);
  const std::pair<VolumeShape, Extent> images[] = {
      {{150, 290, 1, 1}, {19, 17, 1}}, {{260, 130, 1, 3}, {15, 12, 1}}, {{75, 71, 69, 1}, {7, 9, 8}}};
  for (const auto& [shape, size] : images)
    cases
        .add(kProcessor, "filters that share transforms", "fft", shape, directedWaves(size), {f32, u16, f64},
             realResult)
        .alone();
  // Taps that nearly cancel, differ much or are mostly zero.
  const auto with = [](auto&& tap) {
    Stencil taps = denseFilter({27, 27, 1}, {13, 13, 0});
    for (std::size_t i = 0; i < taps.dense.weights.size(); ++i) taps.dense.weights[i] = tap(i, taps.dense.weights[i]);
    return named(std::move(taps));
  };
  double sum = 0;
  for (const double weight : denseFilter({27, 27, 1}, {13, 13, 0}).dense.weights) sum += weight;
  for (const Operator& taps :
       {with([](std::size_t i, double) {
          const double x = static_cast<double>(i % 27) - 13, y = static_cast<double>(i / 27) - 13;
          return std::exp(-(x * x + y * y) / 8);
        }),
        with([](std::size_t i, double) { return i == 300 ? 1.0 : 0.0; }),
        with([](std::size_t i, double tap) { return tap * (i % 5 == 0 ? 1e20 : 1e-20); }),
        with([&](std::size_t, double tap) { return tap - sum / 729; }), with([](std::size_t, double) { return 0.0; })})
    cases.add(kProcessor, "strange taps", "fft", {120, 110, 1, 1}, {taps}, {f32}).anySaturation();
}

// Images, volumes, colors, slices across x, taps wider than the data, along two axes only, with an anchor outside; more
// taps than are fused.
void addLowRank(Cases& cases) {
  const auto both = [&](const Sized& one, Place place, const Types& inputs) {
    for (const Stencil& taps : {twoBumps(one.size, one.anchor), obliqueWave(one.size, one.anchor)})
      cases.add(place, "sums of few terms", "low-rank", one.shape, {named(taps)}, inputs, realResult);
  };
  const Sized onProcessors[] = {{{140, 50, 1, 1}, {15, 14, 1}, {7, 0, 0}}, {{61, 33, 1, 3}, {9, 11, 1}, {8, 5, 0}},
                                {{70, 20, 17, 1}, {9, 8, 7}, {4, 4, 3}},   {{1, 40, 60, 1}, {1, 12, 13}, {0, 6, 2}},
                                {{40, 9, 30, 2}, {10, 1, 12}, {5, 0, 11}}, {{5, 3, 2, 1}, {14, 13, 6}, {-2, 20, 3}},
                                {{33, 1, 1, 20}, {11, 10, 1}, {5, 5, 0}}};
  for (const Sized& one : onProcessors) both(one, Place::Processors, {f32, u8, i32, f64});
  const Sized onCards[] = {{{72, 37, 9, 1}, {9, 8, 7}, {4, 0, 6}},   {{70, 33, 1, 1}, {13, 14, 1}, {6, 7, 0}},
                           {{33, 9, 4, 3}, {9, 11, 1}, {0, 5, 0}},   {{20, 30, 12, 1}, {1, 12, 9}, {0, 6, 4}},
                           {{5, 4, 3, 1}, {14, 13, 6}, {7, -2, 10}}, {{80, 40, 1, 1}, {31, 9, 1}, {15, 4, 0}}};
  for (const Sized& one : onCards) both(one, Place::Cards, {f32, u8, f64});
  const auto holes = [&](Place place, const VolumeShape& shape, const Extent& size, const Types& inputs) {
    for (const Stencil& taps : {twoBumps(size, {5, 2, 0}), obliqueWave(size, {5, 2, 0})})
      cases.add(place, "holes", "low-rank", shape, {named(taps)}, inputs, realResult)
          .data(noiseWithHoles)
          .outside({kInfinity})
          .anySaturation();
  };
  holes(Place::Processors, {50, 41, 1, 3}, {11, 12, 1}, {f32, f64});
  holes(Place::Processors, {41, 20, 24, 1}, {8, 7, 9}, {f32, f64});
  holes(Place::Cards, {40, 31, 1, 2}, {11, 12, 1}, {f32});
  holes(Place::Cards, {30, 20, 14, 1}, {9, 8, 7}, {f32});
}

// Order statistics in every way to find them: odd extents, windows wider than the data, slices across x, colors side by
// side and too many of them for that; values outside whether or not the elements have them.
void addOrderStatistics(Cases& cases) {
  for (const MethodKind kind :
       {MethodKind::Merging, MethodKind::Selection, MethodKind::Bisection, MethodKind::Histogram, MethodKind::Lines}) {
    const std::string row(toString(kind));
    for (const VolumeShape& shape : {VolumeShape{67, 9, 6, 1},
                                     {1, 40, 7, 1},
                                     {2, 3, 2, 1},
                                     {21, 7, 1, 3},
                                     {130, 5, 1, 1},
                                     {5, 4, 3, 17},
                                     {1, 1, 1, 1}})
      cases
          .add(kProcessor, "order statistics", row, shape, windowsFor(kind, shape.dimensions()), kAll,
               [](ElementType input) {
                 return Types{f32, input, i16};
               })
          .data(noiseWithEnds)
          .outside({7})
          .anySaturation();
    cases
        .add(kProcessor, "values outside", row, {9, 8, 5, 1}, {windowsFor(kind, 3).back()}, {u8, i16, u32, f32},
             [](ElementType input) {
               return Types{input, f64};
             })
        .data(noiseWithEnds)
        .outside({0, -1, 0.5, 300, 1e300, kNaN, -kInfinity})
        .anySaturation();
    cases.add(kProcessor, "parts of order statistics", row, {40, 21, 12, 1}, windowsFor(kind, 3), {u8}, sameResult)
        .parts({{{3, 0, 5}, {4, 21, 12}}, {{0, 7, 0}, {40, 8, 12}}, {{1, 2, 3}, {39, 5, 4}}});
    if (kind == MethodKind::Histogram) continue;  // counts bytes
    for (const std::int64_t depth : {1, 7})
      cases
          .add(kProcessor, "numbers with an order of their own", row, {70, 12, depth, 1},
               windowsFor(kind, depth == 1 ? 2 : 3), {f32, f64}, sameResult)
          .data(noiseWithSpecials)
          .anySaturation();
  }
}

std::vector<Operator> operatorsOf(const std::vector<const char*>& specs) {
  std::vector<Operator> operators;
  for (const char* spec : specs) operators.push_back(makeOperator(parseFilterSpec(spec), {3, {1, 1, 1}}));
  return operators;
}

// Means weighted by likeness: integers near ties from sums in single precision, wide types in double precision.
void addWeightedMeans(Cases& cases) {
  cases
      .add(
          kProcessor, "means near ties", "weighted", {45, 21, 9, 1},
          operatorsOf({"bilateral:sigma=1.5,range=1e6,radius=1", "bilateral:sigma=64,range=1e9,radius=2",
                       "bilateral:sigma=1.2,range=3", "nlmeans:sigma=1,search=2", "nlmeans:sigma=30,search=1,patch=2"}),
          {u8, i16}, sameResult)
      .data(nearTies)
      .precision(Precision::f32);
  const std::vector<Operator> wide = operatorsOf({"bilateral:sigma=1,range=9000", "nlmeans:sigma=900,search=2"});
  cases.add(kProcessor, "f64 of bytes", "auto", {20, 9, 7, 1}, wide, {u8}, [](ElementType) { return Types{f64}; });
  cases.add(kProcessor, "32 bits", "auto", {20, 9, 7, 1}, wide, {i32}, sameResult);
}

// Passes that filters of a bank share.
void addSharedPasses(Cases& cases) {
  for (const VolumeShape& shape :
       {VolumeShape{70, 41, 39, 1}, {150, 67, 1, 1}, {65, 40, 3, 3}, {3, 50, 37, 2}, {1, 1, 40, 1}})
    for (const auto& bank : {gaussianGradient(0.8), gaussianHessian(1.2), mixedBank()})
      cases.add(kProcessor, "filters that share passes", "separable", shape, bank, kAll, realOrSame).alone();
  cases.add(kProcessor, "holes", "separable", {66, 40, 38, 1}, mixedBank(), {f32}).data(noiseWithHoles);
}

// Integers from sums in single precision: the integers of double precision, saturation included.
void addExactIntegers(Cases& cases) {
  const std::vector<Operator> ties = filtersNearTies();
  for (const VolumeShape& shape :
       {VolumeShape{1, 1, 1, 1}, {61, 9, 5, 1}, {700, 33, 1, 1}, {45, 21, 3, 3}, {7, 30, 11, 2}, {47, 38, 1, 3}}) {
    cases.add(kProcessor, "integers near ties", "separable", shape, {ties.begin(), ties.begin() + 5}, {u8, i8},
              narrowResults);
    cases.add(kProcessor, "integers near ties", "dense", shape, ties, {u8, i8}, narrowResults);
  }
  for (const VolumeShape& shape : {VolumeShape{64, 50, 40, 1}, {50, 40, 20, 3}, {300, 200, 1, 1}})
    for (const Operator& taps :
         {wideTaps({17, 17, 17}, true), wideTaps({25, 21, 23}, true), wideTaps({15, 9, 13}, false, 1.3)})
      cases
          .add(kProcessor, "integers of wide taps", "separable", shape, {taps}, {u8, i8},
               [](ElementType) { return Types{i16}; })
          .data(randomBytes)
          .outside({0.3});
  // Images in bands, whole and in strips.
  for (const VolumeShape& shape : {VolumeShape{301, 47, 1, 1}, {2100, 39, 1, 1}, {97, 41, 2, 3}})
    cases
        .add(kProcessor, "integers in bands", "dense", shape, {named(denseFilter({7, 5, 1}, {3, 1, 0}))},
             {u8, u16, i16, f32},
             [](ElementType) {
               return Types{u8, u16, i16, i32};
             })
        .outside({2});
  for (const VolumeShape& shape : {VolumeShape{72, 37, 12, 1}, {41, 20, 5, 3}, {5, 4, 3, 1}, {1, 1, 1, 1}})
    for (const char* row : {"separable", "fused", "dense"}) {
      std::vector<Operator> bank{evenBox(), brightBox(), binomial()};
      if (std::string(row) == "dense") bank = {{"noise", faintFilter({5, 6, 4}, {2, 5, 0})}, brightBox()};
      cases.add(kCard, "integers of bytes", row, shape, bank, {u8, i8}, narrowResults).precision(Precision::f32);
    }
}

constexpr Box kSlices[] = {{{0, 0, 8}, {72, 40, 9}}, {{0, 18, 0}, {72, 19, 36}}, {{3, 0, 0}, {4, 40, 36}}};

// Kernels of graphics processors for filters that are products of lines: fused, in passes of long lines and rows, and
// several in one kernel.
void addLinesOnCards(Cases& cases) {
  const auto add = [&](const char* row, const VolumeShape& shape, const std::vector<Extent>& sizes) {
    cases.add(kCard, "lines", row, shape, {waves(sizes)}, {f32, u8, f64}, realOrSame);
  };
  // Rows of whole vectors and others, lines shorter and longer than a block of outputs, more taps than voxels, images,
  // lines of voxels, components, several terms.
  const std::pair<VolumeShape, std::vector<Extent>> lines[] = {
      {{72, 37, 21, 1}, {{7, 5, 3}}}, {{70, 33, 5, 1}, {{4, 9, 17}}},
      {{33, 9, 4, 3}, {{5, 3, 2}}},   {{64, 64, 1, 1}, {{25, 25, 1}}},
      {{37, 3, 30, 1}, {{1, 3, 25}}}, {{5, 4, 3, 1}, {{13, 11, 9}}},
      {{41, 20, 9, 2}, {{3, 1, 4}}},  {{130, 40, 6, 1}, {{3, 3, 3}, {9, 1, 1}, {1, 5, 5}}},
      {{1, 1, 1, 1}, {{3, 3, 3}}},    {{9, 66, 2, 4}, {{2, 2, 2}}}};
  for (const char* row : {"fused", "separable"})
    for (const auto& [shape, sizes] : lines) add(row, shape, sizes);
  const std::pair<VolumeShape, std::vector<Extent>> linesLonger[] = {
      {{300, 21, 3, 1}, {{65, 1, 1}}},
      {{61, 70, 2, 1}, {{33, 65, 3}}},
      {{16, 6, 60, 1}, {{3, 2, 65}}},
      {{100, 12, 2, 3}, {{40, 5, 1}}},
      {{7, 5, 4, 1}, {{8, 15, 16}}},
      {{13, 1, 1, 1}, {{65, 1, 1}}},
      {{31, 40, 10, 1}, {{9, 8, 7}, {17, 16, 15}, {1, 23, 1}}}};
  for (const auto& [shape, sizes] : linesLonger) add("separable", shape, sizes);
  const std::pair<VolumeShape, std::vector<Operator>> banks[] = {
      {{72, 37, 21, 1}, gradient(3)},       {{70, 33, 5, 1}, secondDerivatives(3)}, {{41, 20, 9, 1}, unlike()},
      {{33, 9, 4, 3}, gradient(5)},         {{64, 64, 1, 1}, gradient(7)},          {{5, 4, 3, 1}, gradient(13)},
      {{37, 3, 30, 2}, unlike()},           {{1, 1, 1, 1}, secondDerivatives(3)},   {{130, 40, 6, 1}, gradient(4)},
      {{9, 66, 2, 1}, secondDerivatives(5)}};
  for (const auto& [shape, bank] : banks)
    cases.add(kCard, "banks in one kernel", "fused-bank", shape, bank, {f32, u8, f64, i16}, realOrSame).sameAs("fused");
  for (const char* row : {"fused", "separable"})
    cases.add(kCard, "holes", row, {40, 30, 20, 1}, {waves({{5, 7, 3}})}, {f32}).data(noiseWithHoles).outside({1});
  cases.add(kCard, "holes", "fused-bank", {40, 30, 20, 1}, unlike(), {f32})
      .data(noiseWithHoles)
      .outside({1})
      .sameAs("fused");
}

// Tiles of dense taps that stick out, rows of no whole vectors, taps of several pieces with and without rests,
// components; every type is written.
void addDenseTiles(Cases& cases) {
  const Sized tiles[] = {{{70, 33, 5, 1}, {7, 7, 7}, {3, 3, 3}},    {{64, 40, 3, 1}, {3, 3, 3}, {1, 1, 1}},
                         {{37, 50, 1, 1}, {27, 27, 1}, {13, 0, 0}}, {{41, 29, 2, 1}, {13, 5, 2}, {12, 4, 0}},
                         {{45, 3, 4, 3}, {5, 4, 3}, {2, 1, 1}},     {{19, 70, 1, 2}, {9, 9, 1}, {4, 4, 0}},
                         {{90, 2, 2, 1}, {70, 1, 2}, {35, 0, 1}},   {{5, 90, 2, 1}, {1, 67, 1}, {0, 33, 0}},
                         {{1, 1, 1, 1}, {5, 3, 2}, {4, 0, 1}}};
  for (const Sized& one : tiles)
    for (const char* row : {"dense", "dense-baked"})
      cases.add(kCard, "tiles", row, one.shape, {named(faintFilter(one.size, one.anchor))}, {f32, f64});
  cases.add(kCard, "tiles of every type", "dense", {35, 18, 3, 1}, {named(faintFilter({3, 4, 2}, {1, 3, 0}))}, kAll,
            sameResult);
  // Rests of pieces, of vectors and of tiles must not multiply anything by a zero of their own.
  for (const Extent& size : {Extent{5, 3, 3}, {13, 9, 1}, {27, 5, 1}}) {
    Stencil positive = faintFilter(size, {size[0] / 2, size[1] / 2, size[2] / 2});
    for (double& weight : positive.dense.weights) weight = std::abs(weight) + 0.01;
    for (const char* row : {"dense", "dense-baked"})
      cases.add(kCard, "holes", row, {61, 37, 3, 1}, {named(positive)}, {f32}).data(noiseWithHoles);
  }
}

// What devices compute in parts and regions.
void addPartsOnDevices(Cases& cases) {
  const std::vector<Operator> bank{named(separableFilter({{5, 3, 7}, {3, 0, 9}})),
                                   named(faintFilter({3, 3, 5}, {1, 1, 4}))};
  cases.add(kDevice, "parts", "auto", {30, 20, 41, 2}, bank, {i16}, realOrSame)
      .parts({{{0, 0, 8}, {30, 20, 9}}, {{0, 18, 0}, {30, 19, 41}}, {{0, 0, 0}, {1, 20, 41}}, {{3, 4, 5}, {20, 6, 16}}},
             300000);
  const auto add = [&](const char* row, std::vector<Operator> filters, std::int64_t memory) {
    cases.add(kCard, "parts", row, {72, 40, 36, 1}, std::move(filters), {f32})
        .parts({std::begin(kSlices), std::end(kSlices)}, memory);
  };
  for (const char* row : {"fused", "separable"}) add(row, {waves({{7, 9, 11}})}, 700000);
  for (const Stencil& taps : {twoBumps({7, 9, 11}, {3, 4, 5}), obliqueWave({7, 9, 11}, {3, 4, 5})})
    add("low-rank", {named(taps)}, 700000);
  add("fused-bank", unlike(), 1000000);
  for (const Extent& size : {Extent{7, 7, 3}, {13, 11, 2}}) add("dense", {named(faintFilter(size, {2, 5, 1}))}, 500000);
}

template <class T>
void put(Volume& volume, std::int64_t x, std::int64_t y, std::int64_t z, double value) {
  volume.elements<T>()[static_cast<std::size_t>(std::as_const(volume).view().offset(x, y, z))] = static_cast<T>(value);
}

}  // namespace

std::vector<Engine*> MethodMachine::at(Place place) const {
  std::vector<Engine*> all = chosen();
  if (place == Place::Cards) {
    const auto isCard = [&](const Engine* one) { return one->info().id == card->info().id; };
    if (!card || std::ranges::none_of(all, isCard)) return {};
    return {card.get()};
  }
  std::erase_if(all, [&](const Engine* one) { return one->info().isDevice() != (place == Place::Devices); });
  return all;
}

std::vector<ElementType> realResult(ElementType input) { return {input == f64 ? f64 : f32}; }
std::vector<ElementType> realOrSame(ElementType input) { return {f32, input}; }
std::vector<ElementType> sameResult(ElementType input) { return {input}; }
std::vector<ElementType> f32Result(ElementType /*input*/) { return {f32}; }
std::vector<ElementType> floatResults(ElementType /*input*/) { return {f32, f64}; }
std::vector<ElementType> narrowResults(ElementType /*input*/) { return {u8, i8, u16, i16}; }

const std::vector<MethodCase>& methodCases() {
  static const std::vector<MethodCase> all = [] {
    Cases cases;
    for (const auto add :
         {addOddShapes, addEqualTaps, addFoldedTaps, addTransforms, addLowRank, addOrderStatistics, addWeightedMeans,
          addSharedPasses, addExactIntegers, addLinesOnCards, addDenseTiles, addPartsOnDevices})
      add(cases);
    return cases.all();
  }();
  return all;
}

Volume noiseWithEnds(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume = randomVolume(shape, type, seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    const auto elements = volume.elements<T>();
    for (std::size_t i = 0; i < elements.size(); i += 7)
      elements[i] = i % 2 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  });
  return volume;
}

Volume nearTies(const VolumeShape& shape, ElementType type, std::uint64_t /*seed*/) {
  Volume volume(shape, type);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    std::int64_t i = 0;
    for (T& element : volume.elements<T>()) {
      element = static_cast<T>(10 + (i + i / 45) % 2 + (i % 97 == 0 ? 60 : 0));
      ++i;
    }
  });
  return volume;
}

Volume noiseWithHoles(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume = randomVolume(shape, type, seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      const std::int64_t mx = shape.nx / 2, my = shape.ny / 2, last = shape.nz - 1;
      put<T>(volume, mx, my, last / 2, kNaN);
      put<T>(volume, mx + 10, my - 3, 0, kInfinity);
      put<T>(volume, mx + 14, my - 1, 0, kInfinity);
      put<T>(volume, 3, shape.ny - 1, last, -kInfinity);
      put<T>(volume, 0, 0, 0, -kInfinity);
    }
  });
  return volume;
}

Volume noiseWithSpecials(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume = randomVolume(shape, type, seed);
  dispatch(type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      const auto elements = volume.elements<T>();
      elements[0] = static_cast<T>(-kNaN);
      elements[35 + 70 * 6] = static_cast<T>(kNaN);
      elements[60 + 70 * 3] = std::numeric_limits<T>::signaling_NaN();
      for (std::size_t i = 0; i < 5; ++i) {
        elements[20 + i] = static_cast<T>(kInfinity);
        elements[90 + i] = static_cast<T>(-kInfinity);
        elements[300 + i] = i % 2 == 0 ? T(0) : -T(0);
        elements[310 + i] = static_cast<T>(1e-310);
      }
    }
  });
  return volume;
}

}  // namespace sscope::test
