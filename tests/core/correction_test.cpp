// What axes, steps and units mean, and corrections of them behind a name.

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"
#include "core/volume/correction.h"
#include "core/volume/geometry.h"
#include "core/volume/selection.h"
#include "tests/support/catch.h"

using namespace sscope;

TEST_CASE("a unit of length has one word, whatever a file calls it") {
  for (const char* word :
       {"um", "\xc2\xb5m", "\xce\xbcm", "micron", "Microns", "micrometers", " micrometre ", "\\u00B5m"})
    CHECK(lengthUnit(word) == "um");
  for (const char* word : {"\xc3\x85", "\xe2\x84\xab", "angstrom", "Angstroms", "A"})
    CHECK(lengthUnit(word) == "angstrom");
  for (const char* word : {"pixel", "pixels", "none", "???", ""}) CHECK(lengthUnit(word).empty());
  CHECK(lengthUnit("Mm") == "Mm");  // no millimeter
  CHECK(lengthUnit("inches") == "inch");
  CHECK_FALSE(millimetersIn("Mm"));
  CHECK_FALSE(millimetersIn("s"));
  // The number nearest to the exact one.
  CHECK(convertLength(65, "nm", "um") == 0.065);
  CHECK(convertLength(25.72, "angstrom", "nm") == 2.572);
  CHECK(convertLength(0.3, "m", "mm") == 300);
  CHECK(convertLength(2, "inch", "mm") == 50.8);
}

TEST_CASE("each axis has a unit of its own, and one that nobody gave a step is assumed") {
  Geometry mixed;
  setSteps(mixed, {{{65, "nm"}, {65, "nm"}, {0.2, "um"}}});
  CHECK(mixed.unit == "nm");
  CHECK(mixed.spacing == std::array<double, 3>{65, 65, 200});
  CHECK(mixed.steps == std::array<StepSource, 3>{});
  Geometry flat;
  setSteps(flat, {{{0.1, "um"}, {0.1, "um"}, {3, ""}}});
  CHECK(flat.unit == "um");
  CHECK(flat.steps[2] == StepSource::Assumed);
  CHECK(assumedNotice(flat, {8, 8, 5}).find("slices") != std::string::npos);
  CHECK(assumedNotice(flat, {8, 8, 1}).empty());
  Geometry unknown;
  setSteps(unknown, {{{2, "pixel"}, {2, "pixel"}, {3, "pixel"}}});
  CHECK(unknown.unit.empty());
  CHECK(unknown.spacing[2] == 3);
  CHECK(assumedNotice(unknown, {8, 8, 5}).empty());
  Geometry nobody;
  nobody.steps.fill(StepSource::Assumed);
  CHECK(assumedNotice(nobody, {8, 8, 5}).find("along x, y and z;") != std::string::npos);
  Geometry broken;
  setSteps(broken, {{{1, "mm"}, {-2, "mm"}, {0, "mm"}}});
  CHECK(broken.spacing == std::array<double, 3>{1, 1, 1});
  CHECK(broken.steps[1] == StepSource::Assumed);
}

TEST_CASE("corrections are part of a name, and come back from it") {
  for (const char* name :
       {"a.tif@axes=t3zyx,spacing=0.1x0.1x0.5um", "a.tif@series=2,c=1,t=0,unit=nm,origin=1x-2.5x1e-07mm",
        "a.tif@labels=yes", "a.tif@spacing=2x2x2",
        "a.tif@raw=512x512x300:u16:be:components=3:offset=1024,spacing=1x1x2mm"}) {
    const Selection selection = parseSelection(name);
    CHECK(selection.path == "a.tif");
    CHECK(selection.name() == name);
    CHECK(parseSelection(selection.name()).correction == selection.correction);
  }
  CHECK(parseSelection("a.tif@spacing=0.5um").name() == "a.tif@spacing=0.5x0.5x0.5um");
  for (const char* wrong : {"a.tif@spacing=0",
                            "a.tif@spacing=1x2x3x4",
                            "a.tif@spacing=1parsec",
                            "a.tif@spacing=-1",
                            "a.tif@spacing=nan",
                            "a.tif@unit=s",
                            "a.tif@origin=1x2",
                            "a.tif@axes=zxy",
                            "a.tif@axes=ttyx",
                            "a.tif@axes=tzyx",
                            "a.tif@axes=t0zyx",
                            "a.tif@labels=no",
                            "a.tif@spacing=1,spacing=2",
                            "a.tif@unit=um,unit=um",
                            "a.tif@axes=q3zyx",
                            "a.tif@raw=512x512",
                            "a.tif@raw=u8",
                            "a.tif@raw=0x5:u8",
                            "a.tif@raw=5x5x5x5:u8",
                            "a.tif@raw=5x5:u8:offset=-1",
                            "a.tif@raw=5x5:u8:foo"})
    CHECK_THROWS_AS(static_cast<void>(parseSelection(wrong)), Error);
}

TEST_CASE("corrected lengths count what they are said to") {
  VolumeInfo info;
  info.shape = {4, 3, 5, 1};
  info.geometry.unit = "mm";
  info.geometry.spacing = {0.5, 0.5, 1};
  info.geometry.steps[2] = StepSource::Assumed;
  info.notices = {assumedNotice(info.geometry, {4, 3, 5})};
  const VolumeInfo given = corrected(info, parseSelection("a@spacing=0.1x0.1x0.5um").correction);
  CHECK(given.geometry.unit == "um");
  CHECK(given.geometry.spacing == std::array<double, 3>{0.1, 0.1, 0.5});
  CHECK(given.geometry.steps[2] == StepSource::Given);
  REQUIRE(given.notices.size() == 1);  // nothing is assumed any more
  CHECK(given.notices[0] == "corrected: spacing=0.1x0.1x0.5um");
  // The numbers stay, their unit was wrong; what is assumed stays so.
  const VolumeInfo meant = corrected(info, parseSelection("a@unit=um").correction);
  CHECK(meant.geometry.spacing == info.geometry.spacing);
  CHECK(meant.geometry.unit == "um");
  CHECK(meant.geometry.steps[2] == StepSource::Assumed);
  CHECK(corrected(info, parseSelection("a@origin=1x2x3um").correction).geometry.origin[2] == 0.003);
  CHECK(corrected(info, {}).notices == info.notices);
}

TEST_CASE("pages become slices, frames and channels in the order that is given") {
  VolumeInfo info;
  info.shape = {2, 1, 12, 1};
  info.type = ElementType::u8;
  std::array<std::uint8_t, 24> pages{};
  std::iota(pages.begin(), pages.end(), std::uint8_t{0});
  const auto ordered = [&](const char* axes) {
    const PageOrder order = pageOrder(axes, "a.tif", info);
    const VolumeInfo now = arranged(info, order);
    std::array<std::uint8_t, 24> out{};
    arrange(info, order, reinterpret_cast<const std::byte*>(pages.data()), reinterpret_cast<std::byte*>(out.data()),
            {});
    // Of pixel x of slice z, channel c at time t.
    return [=](std::size_t t, std::size_t c, std::size_t z, std::size_t x) {
      const auto components = static_cast<std::size_t>(now.shape.components);
      const std::size_t channels = components / static_cast<std::size_t>(now.metadata.frames);
      return out[(z * 2 + x) * components + t * channels + c] / 2 + 0;
    };
  };
  const auto tz = ordered("t3zyx");
  CHECK(tz(2, 0, 1, 1) == 2 * 4 + 1);
  const auto zt = ordered("zt3yx");
  CHECK(zt(2, 0, 1, 1) == 1 * 3 + 2);
  const auto all = ordered("t2c3zyx");
  CHECK(all(1, 2, 1, 0) == (1 * 3 + 2) * 2 + 1);
  CHECK(arranged(info, pageOrder("c3zyx", "a.tif", info)).metadata.channels.size() == 3);
  CHECK(arranged(info, pageOrder("tyx", "a.tif", info)).shape.nz == 1);
  CHECK_THROWS_AS(static_cast<void>(pageOrder("t5zyx", "a.tif", info)), Error);
  CHECK_THROWS_AS(static_cast<void>(pageOrder("t3z5yx", "a.tif", info)), Error);
  info.metadata.frames = 2;
  CHECK_THROWS_AS(static_cast<void>(pageOrder("t3zyx", "a.tif", info)), Error);
}

TEST_CASE("without a type results have the one that the data need") {
  const auto typeOf = [](ElementType input, std::initializer_list<const char*> specs) {
    FilterBank bank;
    for (const char* spec : specs) bank.filters.push_back(parseFilterSpec(spec));
    return bank.outputType(input);
  };
  for (const ElementType type : kElementTypes) {
    const bool wide = type == ElementType::u32 || type == ElementType::i32 || type == ElementType::f64;
    CHECK(typeOf(type, {"median:size=3"}) == type);
    CHECK(typeOf(type, {"opening:size=3,name=a", "maximum:size=3,input=a"}) == type);
    CHECK(typeOf(type, {"gaussian:sigma=1"}) == (wide ? ElementType::f64 : ElementType::f32));
    CHECK(typeOf(type, {"median:size=3", "gaussian:sigma=1"}) == (wide ? ElementType::f64 : ElementType::f32));
    CHECK(typeOf(type, {"gaussian:sigma=1,name=g,intermediate=true", "median:size=3,input=g"}) ==
          (wide ? ElementType::f64 : ElementType::f32));
  }
  CHECK(typeOf(ElementType::u8, {"tophat:size=3"}) == ElementType::u8);
  CHECK(typeOf(ElementType::i16, {"tophat:size=3"}) == ElementType::f32);  // the largest less the smallest is too large
  FilterBank bank;
  bank.filters = {parseFilterSpec("minimum:size=3")};
  bank.boundary = Boundary::constant;
  bank.constant = -1;
  CHECK(bank.outputType(ElementType::u8) == ElementType::f32);
  CHECK(bank.outputType(ElementType::i8) == ElementType::i8);
  bank.output = *parseOutputType("u16");
  CHECK(bank.outputType(ElementType::u8) == ElementType::u16);
  CHECK(toString(FilterBank{}.output) == "auto");
  CHECK(parseOutputType("auto") == FilterBank{}.output);
}

TEST_CASE("one of the corrections is said otherwise, and the others stay") {
  Selection selection = parseSelection("a.tif@axes=t3zyx,spacing=0.1x0.1x0.5um");
  correctOne(selection.correction, "spacing", lengthsText({0.1 + 0.2, 1, 2}, "nm"));
  CHECK(selection.name() == "a.tif@axes=t3zyx,spacing=0.30000000000000004x1x2nm");
  correctOne(selection.correction, "origin", "1,2,3");
  CHECK_THROWS_AS(correctOne(selection.correction, "spacing", "1,2,furlong"), Error);
  correctOne(selection.correction, "spacing", "");
  CHECK(selection.name() == "a.tif@axes=t3zyx,origin=1x2x3");
  CHECK(lengthsText({1, 2, 3}, "furlong") == "1,2,3");
}

TEST_CASE("layouts of raw voxels are suggested by their number, the likeliest first") {
  const auto first = [](std::int64_t bytes) { return likelyLayouts(bytes).front().text(); };
  CHECK(first(std::int64_t{512} * 512 * 300 * 2) == "512x512x300:u16");
  CHECK(first(std::int64_t{64} * 64 * 64) == "64x64x64:u8");
  CHECK(first(std::int64_t{100} * 100 * 100 * 4) == "100x100x100:f32");
  const RawLayout picture{.extent = {1920, 1080, 1}};
  CHECK(std::ranges::count(likelyLayouts(std::int64_t{1920} * 1080), picture) == 1);
  CHECK(likelyLayouts(12345).empty());
  CHECK(likelyLayouts(0).empty());
  for (const std::int64_t bytes : {std::int64_t{1} << 21, std::int64_t{1} << 32, std::int64_t{640} * 480 * 20}) {
    const std::vector<RawLayout> all = likelyLayouts(bytes);
    CHECK(all.size() > 1);
    for (const RawLayout& layout : all) CHECK(layout.bytes() == static_cast<double>(bytes));
  }
}
