// What a kernel editor does to taps, and taps as text and files.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/families/filter_files.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"
#include "core/filter/taps_edit.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::WithinAbs;

namespace {

// No two taps are alike, and none is 0.
DenseTaps unevenTaps(const std::array<std::int64_t, 3>& size) {
  DenseTaps taps;
  taps.size = size;
  for (std::size_t a = 0; a < 3; ++a) taps.anchor[a] = size[a] / 2;
  taps.weights.clear();
  for (std::int64_t i = 0; i < taps.count(); ++i)
    taps.weights.push_back(std::sqrt(static_cast<double>(2 + 3 * i)) - 2.5);
  return taps;
}

double apart(const DenseTaps& a, const DenseTaps& b) {
  REQUIRE(a.size == b.size);
  double most = 0;
  for (std::size_t i = 0; i < a.weights.size(); ++i) most = std::max(most, std::abs(a.weights[i] - b.weights[i]));
  return most;
}

DenseTaps sum(const DenseTaps& a, const DenseTaps& b) {
  DenseTaps both = a;
  for (std::size_t i = 0; i < a.weights.size(); ++i) both.weights[i] += b.weights[i];
  return both;
}

DenseTaps throughMiddle(const DenseTaps& taps) { return mirrored(mirrored(mirrored(taps, 0), 1), 2); }

constexpr double kRounding = 1e-14;

}  // namespace

TEST_CASE("taps made symmetric equal their image, and the rest is antisymmetric", "[taps][unit]") {
  const DenseTaps taps = unevenTaps({4, 3, 5});
  for (const auto symmetry : {TapsSymmetry::AlongX, TapsSymmetry::AlongY, TapsSymmetry::AlongZ, TapsSymmetry::Point}) {
    INFO("symmetry " << static_cast<int>(symmetry));
    const auto image = [&](const DenseTaps& of) {
      return symmetry == TapsSymmetry::Point ? throughMiddle(of) : mirrored(of, static_cast<std::size_t>(symmetry));
    };
    const DenseTaps even = madeSymmetric(taps, symmetry), odd = madeAntisymmetric(taps, symmetry);
    CHECK(apart(even, taps) > 0.1);
    CHECK(apart(image(even), even) < kRounding);
    CHECK(apart(image(odd), negated(odd)) < kRounding);
    CHECK(apart(sum(even, odd), taps) < kRounding);  // one of them is what the other leaves
    CHECK(apart(madeSymmetric(even, symmetry), even) < kRounding);
    CHECK(apart(madeSymmetric(odd, symmetry), negated(madeSymmetric(odd, symmetry))) < kRounding);
    CHECK(even.anchor == taps.anchor);
  }
}

TEST_CASE("quarter turns leave symmetric taps as they are and change the sign of antisymmetric ones", "[taps][unit]") {
  const DenseTaps taps = unevenTaps({3, 3, 2});
  const DenseTaps even = madeSymmetric(taps, TapsSymmetry::QuarterTurn),
                  odd = madeAntisymmetric(taps, TapsSymmetry::QuarterTurn);
  CHECK(apart(quarterTurned(even), even) < kRounding);
  CHECK(apart(quarterTurned(odd), negated(odd)) < kRounding);
  CHECK(figuresOf(odd).magnitude > 0.1);
  // x^2 - y^2 is such a kernel: nothing is taken from it.
  const DenseTaps saddle{{3, 3, 1}, {1, 1, 0}, {0, -1, 0, 1, 0, 1, 0, -1, 0}};
  CHECK(madeAntisymmetric(saddle, TapsSymmetry::QuarterTurn) == saddle);
  CHECK_THROWS_WITH(madeSymmetric(unevenTaps({3, 4, 1}), TapsSymmetry::QuarterTurn),
                    ContainsSubstring("3 x 4") && ContainsSubstring("same size"));
}

TEST_CASE("a quarter turn goes clockwise and takes the anchor along", "[taps][unit]") {
  const DenseTaps taps{{3, 2, 1}, {2, 0, 0}, {1, 2, 3, 4, 5, 6}};
  const DenseTaps turned = quarterTurned(taps);
  CHECK(turned == DenseTaps{{2, 3, 1}, {1, 2, 0}, {4, 1, 5, 2, 6, 3}});
  CHECK(turned.at(turned.anchor[0], turned.anchor[1], 0) == taps.at(2, 0, 0));
  CHECK(quarterTurned(quarterTurned(quarterTurned(turned))) == taps);
}

TEST_CASE("mirror images take the anchor along", "[taps][unit]") {
  const DenseTaps taps{{4, 1, 2}, {1, 0, 0}, {1, 2, 3, 4, 5, 6, 7, 8}};
  CHECK(mirrored(taps, 0) == DenseTaps{{4, 1, 2}, {2, 0, 0}, {4, 3, 2, 1, 8, 7, 6, 5}});
  CHECK(mirrored(taps, 2) == DenseTaps{{4, 1, 2}, {1, 0, 1}, {5, 6, 7, 8, 1, 2, 3, 4}});
  CHECK(mirrored(mirrored(taps, 0), 0) == taps);
}

TEST_CASE("taps are scaled to a sum of 1, to magnitudes of 1 and to a mean of 0", "[taps][unit]") {
  const DenseTaps taps{{3, 1, 1}, {1, 0, 0}, {1, -2, 5}};
  CHECK(withUnitSum(taps).weights == std::vector{0.25, -0.5, 1.25});
  CHECK(withUnitMagnitude(taps).weights == std::vector{0.125, -0.25, 0.625});
  CHECK_THAT(figuresOf(withoutMean(unevenTaps({5, 4, 3}))).sum, WithinAbs(0, 1e-13));
  CHECK(apart(withoutMean(taps), {{3, 1, 1}, {1, 0, 0}, {1 - 4. / 3, -2 - 4. / 3, 5 - 4. / 3}}) < kRounding);
  CHECK(negated({{3, 1, 1}, {0, 0, 0}, {1, 0, -2}}).weights == std::vector<double>{-1, 0, 2});
  CHECK_FALSE(std::signbit(negated({{1, 1, 1}, {0, 0, 0}, {0}}).weights[0]));
  CHECK_THROWS_WITH(withUnitSum({{3, 1, 1}, {1, 0, 0}, {-1, 0, 1}}), ContainsSubstring("sum is 0"));
  // 0.1 + 0.2 - 0.3 is not 0 in double precision, and no sum to scale by.
  CHECK_THROWS_WITH(withUnitSum({{3, 1, 1}, {1, 0, 0}, {0.1, 0.2, -0.3}}), ContainsSubstring("sum is 0"));
  CHECK_THROWS_WITH(withUnitMagnitude({{2, 1, 1}, {1, 0, 0}, {0, 0}}), ContainsSubstring("all taps are 0"));
  CHECK_THROWS_WITH(withoutMean({{2, 1, 1}, {1, 0, 0}, {1e308, 1e308}}), ContainsSubstring("too large"));
}

TEST_CASE("figures of taps", "[taps][unit]") {
  const TapsFigures figures = figuresOf({{5, 1, 1}, {0, 0, 0}, {1, 0, -4, 0, 2}});
  CHECK(figures.sum == -1);
  CHECK(figures.magnitude == 7);
  CHECK(figures.smallest == -4);
  CHECK(figures.largest == 2);
  CHECK(figures.nonzero == 3);
}

TEST_CASE("slices are taken out and put in", "[taps][unit]") {
  const DenseTaps taps = unevenTaps({3, 2, 4});
  const DenseTaps slice = sliceOf(taps, 2);
  CHECK(slice.size == std::array<std::int64_t, 3>{3, 2, 1});
  CHECK(slice.at(1, 1, 0) == taps.at(1, 1, 2));
  CHECK(withBlock(taps, {0, 0, 2}, slice) == taps);
  const DenseTaps changed = withBlock(taps, {0, 0, 0}, slice);
  CHECK(sliceOf(changed, 0) == slice);
  CHECK(sliceOf(changed, 1) == sliceOf(taps, 1));
  CHECK(withBlock({{3, 2, 1}, {1, 1, 0}, {1, 2, 3, 4, 5, 6}}, {1, 1, 0}, {{2, 1, 1}, {1, 0, 0}, {8, 9}}).weights ==
        std::vector<double>{1, 2, 3, 4, 8, 9});
  CHECK_THROWS_AS(withBlock(taps, {0, 0, 4}, slice), Error);
  CHECK_THROWS_AS(withBlock(taps, {0, 0, 0}, unevenTaps({2, 3, 1})), Error);
  CHECK_THROWS_AS(withBlock(taps, {2, 0, 0}, unevenTaps({2, 1, 1})), Error);
}

TEST_CASE_METHOD(test::InFolder, "taps are the same taps after text and files", "[taps][unit]") {
  const DenseTaps taps = unevenTaps({4, 3, 3});
  CHECK(tapsFromText(tapsText(taps), 31) == taps);
  DenseTaps moved = taps;
  moved.anchor = {0, 2, 1};
  writeTextFile(folder / "taps.json", tapsFileText(moved));
  CHECK(readTapsFile((folder / "taps.json").string()) == moved);
  // The command line reads it, too.
  CHECK(parseFilterSpec("custom:file=" + (folder / "taps.json").string()).taps == moved);
  writeTextFile(folder / "bad.json", R"({"size":[2],"taps":[1]})");
  CHECK_THROWS_WITH(readTapsFile((folder / "bad.json").string()),
                    ContainsSubstring("bad.json") && ContainsSubstring("taps must hold 2 numbers"));
}

TEST_CASE("numbers are read as spreadsheets, texts and programs write them", "[taps][unit]") {
  const DenseTaps two{{2, 2, 1}, {1, 1, 0}, {1, 2, 3, 4}};
  for (const char* text : {"1\t2\r\n3\t4\r\n", "1,2\n3,4", "1 2\n3 4\n\n", "[[1, 2],\n [3, 4]]", "[[1,2],[3,4]]",
                           "[[1, 2], [3, 4]]", "[1 2; 3 4]", "1;2\n3;4"}) {
    INFO(text);
    CHECK(tapsFromText(text, 31) == two);
  }
  CHECK(tapsFromText("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", 31) ==
        DenseTaps{{2, 2, 2}, {1, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8}});
  CHECK(tapsFromText("1\t2\n\n3\t4\n", 31) == DenseTaps{{2, 1, 2}, {1, 0, 1}, {1, 2, 3, 4}});
  CHECK(tapsFromText("0,5\t-1,25\n", 31).weights == std::vector{0.5, -1.25});
  CHECK(tapsFromText("0,5;1", 31).weights == std::vector{0.5, 1.0});
  CHECK(tapsFromText("\t1\t\n", 31).weights == std::vector<double>{0, 1, 0});
  CHECK(tapsFromText("1/16 2/16", 31).weights == std::vector{0.0625, 0.125});
  CHECK(tapsFromText("\xe2\x88\x92"
                     "1e-3 +2",
                     31)
            .weights == std::vector{-0.001, 2.0});
  CHECK(tapFromText(" 1/4 ") == 0.25);
  CHECK(tapFromText("0,5") == 0.5);
}

TEST_CASE("what is no grid of numbers is one sentence", "[taps][unit]") {
  const auto wrong = [](const char* text, const char* words) {
    INFO(text);
    CHECK_THROWS_WITH(tapsFromText(text, 31), ContainsSubstring(words));
  };
  wrong("", "no numbers");
  wrong("\n \n", "no numbers");
  wrong("1 2\n3", "row 2 has 1 numbers and those above it have 2");
  wrong("1\t2\n3\tx", "row 2 has \"x\", which is not a number");
  wrong("1 nan", "\"nan\"");
  wrong("1 1e999", "\"1e999\"");
  wrong("1/0 1", "\"1/0\"");
  wrong("1 2\n3 4\n\n5 6", "different numbers of rows");
  wrong("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "at most 31");
  for (const char* text : {"", "inf", "1 2", "1/", "0x10", "--1"}) CHECK_THROWS_AS(tapFromText(text), Error);
}

TEST_CASE("grays become taps, within limits that are told", "[taps][unit]") {
  Volume image({3, 2, 1, 1}, ElementType::u8);
  for (std::size_t i = 0; i < 6; ++i) image.elements<std::uint8_t>()[i] = static_cast<std::uint8_t>(40 * i);
  CHECK(tapsFromVolume("psf.png", image) == DenseTaps{{3, 2, 1}, {1, 1, 0}, {0, 40, 80, 120, 160, 200}});
  CHECK_THROWS_WITH(requireTaps("photo.png", {640, 480, 1, 3}), ContainsSubstring("photo.png has 3 components"));
  CHECK_THROWS_WITH(requireTaps("photo.png", {640, 480, 1, 1}), ContainsSubstring("300000 in all"));
  CHECK_THROWS_WITH(requireTaps("line.png", {1026, 1, 1, 1}), ContainsSubstring("1025 along an axis"));
  CHECK_NOTHROW(requireTaps("psf.tif", {65, 65, 65, 1}));
  Volume odd({1, 1, 1, 1}, ElementType::f32);
  odd.elements<float>()[0] = NAN;
  CHECK_THROWS_WITH(tapsFromVolume("odd.nrrd", odd), ContainsSubstring("NaN"));
}
