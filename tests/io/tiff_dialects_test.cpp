// What the descriptions and tags of TIFF files mean: ImageJ's, OME's, tifffile's and microscopes'.

#include <cmath>
#include <cstring>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using test::TemporaryFolder;

constexpr std::uint64_t kWidth = 3, kHeight = 2, kPixels = kWidth * kHeight;

struct TiffFile {
  std::string description = {};
  int pages = 1;   // of 3 x 2 pixels u8 or u16, each of the value of its number
  int behind = 0;  // more of them behind the last one, of which no page tells
  int bits = 8;
  int unit = 1;                  // of the resolution
  std::uint64_t resolution = 2;  // pixels in it
  std::uint16_t tag = 0;         // of a microscope
  std::string value = {};        // of that tag
  std::uint64_t firstHeight = kHeight;
};

// Little-endian.
std::string number(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

std::string bytesOf(const TiffFile& file) {
  constexpr std::uint64_t kText = 2, kLong = 4, kFraction = 5;
  std::string pixels;
  std::vector<std::uint64_t> starts;
  constexpr std::size_t start = 8;
  for (int p = 0; p < file.pages + file.behind; ++p) {
    starts.push_back(start + pixels.size());
    const std::uint64_t count = p == 0 ? kWidth * file.firstHeight : kPixels;
    for (std::uint64_t i = 0; i < count; ++i)
      pixels += std::string(1, static_cast<char>(p)) + std::string(file.bits == 16, '\0');
  }
  pixels.resize(pixels.size() + pixels.size() % 2);
  std::string directories;
  const std::uint64_t at = start + pixels.size();
  for (int p = 0; p < file.pages; ++p) {
    const std::uint64_t height = p == 0 ? file.firstHeight : kHeight, here = at + directories.size();
    std::string entries, behind;
    std::uint64_t count = 0;
    const std::uint64_t tags = 11 + (p == 0 ? (file.description.empty() ? 0 : 1) + (file.tag == 0 ? 0 : 1) : 0);
    const std::uint64_t values = here + 2 + 12 * tags + 4;
    const auto entry = [&](std::uint64_t tag, std::uint64_t type, std::uint64_t n, const std::string& value) {
      entries += number(tag, 2) + number(type, 2) + number(n, 4);
      if (value.size() > 4) entries += number(values + behind.size(), 4);
      if (value.size() > 4) behind += value + std::string(value.size() % 2, '\0');
      if (value.size() <= 4) entries += value + std::string(4 - value.size(), '\0');
      ++count;
    };
    const auto whole = [&](std::uint64_t tag, std::uint64_t value) { entry(tag, kLong, 1, number(value, 4)); };
    const auto text = [&](std::uint64_t tag, const std::string& value) {
      entry(tag, kText, value.size() + 1, value + '\0');
    };
    whole(256, kWidth), whole(257, height), whole(258, static_cast<std::uint64_t>(file.bits)), whole(259, 1),
        whole(262, 1);
    if (p == 0 && !file.description.empty()) text(270, file.description);
    whole(273, starts[static_cast<std::size_t>(p)]), whole(278, height);
    whole(279, kWidth * height * static_cast<std::uint64_t>(file.bits / 8));
    for (const std::uint64_t tag : {282, 283}) entry(tag, kFraction, 1, number(file.resolution, 4) + number(1, 4));
    whole(296, static_cast<std::uint64_t>(file.unit));
    if (p == 0 && file.tag != 0) text(file.tag, file.value);
    REQUIRE(count == tags);
    const std::uint64_t next = p + 1 < file.pages ? values + behind.size() : 0;
    directories += number(count, 2) + entries + number(next, 4) + behind;
  }
  return "II*" + number(0, 1) + number(at, 4) + pixels + directories;
}

LoadedVolume read(const TiffFile& file, const std::string& choice = {}) {
  const TemporaryFolder folder;
  test::put(folder / "x.tif", bytesOf(file));
  return makeVolumeIo()->read((folder / "x.tif").string() + choice, {});
}

bool near(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(a[i] - b[i]) > 1e-9 * b[i]) return false;
  return true;
}

std::string ome(const std::string& order, int channels, int slices, int times, const std::string& more,
                const std::string& data) {
  const auto size = [](const char* name, int n) { return " " + std::string(name) + "=\"" + std::to_string(n) + "\""; };
  return "<Image Name=\"&lt;cell&gt;\"><Pixels DimensionOrder=\"XY" + order + "\"" + size("SizeC", channels) +
         size("SizeZ", slices) + size("SizeT", times) + more + ">" + data + "</Pixels></Image>";
}
std::string document(const std::string& images) {
  return "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">" + images + "</OME>";
}

bool withoutTiff() { return !test::hasItk(*makeVolumeIo()); }

}  // namespace

TEST_CASE("OME's XML is read under any prefix, quotes and line breaks") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  for (const char* text :
       {"<?xml version='1.0' encoding='UTF-16'?><!-- <OME> --><ns0:OME xmlns:ns0='x'><ns0:Image><ns0:Pixels\n "
        "DimensionOrder = 'XYZCT'\n\tSizeC='2' SizeZ='3' SizeT='1'\nPhysicalSizeX='0.5' PhysicalSizeY='0.5' "
        "PhysicalSizeZ='2'><ns0:Channel Name='a &amp; b'/><ns0:Channel/><ns0:TiffData/></ns0:Pixels></ns0:Image>"
        "</ns0:OME>",
        "\xef\xbb\xbf<OME xmlns=\"x\"><Image><Pixels PhysicalSizeZ=\"2000\" PhysicalSizeZUnit=\"nm\" "
        "PhysicalSizeX=\"0.5\" PhysicalSizeXUnit=\"\xb5m\" PhysicalSizeY=\"5000\" PhysicalSizeYUnit=\"&#197;\" "
        "DimensionOrder=\"XYZCT\" SizeT=\"1\" SizeZ=\"3\" SizeC=\"2\"><Channel Name=\"a &amp; b\"/><Channel/>"
        "</Pixels></Image></OME>"}) {
    CAPTURE(text);
    const LoadedVolume loaded = read({.description = text, .pages = 6});
    CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 3, 2});
    CHECK(loaded.volume.value(0, 0, 1, 1) == 4);
    CHECK(near(loaded.info.geometry.spacing, {0.5, 0.5, 2}));
    CHECK(loaded.info.geometry.unit == "um");
    REQUIRE(loaded.info.metadata.channels.size() == 2);
    CHECK(loaded.info.metadata.channels[0] == "a & b");
  }
  const LoadedVolume damaged = read({.description = "<OME><Image><Pixels SizeZ=\"2\"></Image></OME>", .pages = 2});
  CHECK(damaged.volume.shape().nz == 2);
  CHECK(test::says(damaged.info, "OME-XML is damaged"));
}

TEST_CASE("TiffData says where the planes of OME lie") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  const auto block = [](int page, int c, int z) {
    return "<TiffData IFD=\"" + std::to_string(page) + "\" FirstC=\"" + std::to_string(c) + "\" FirstZ=\"" +
           std::to_string(z) + "\" PlaneCount=\"1\"/>";
  };
  const std::string data = block(0, 1, 1) + block(1, 0, 0) + block(2, 1, 0) + block(3, 0, 1);
  LoadedVolume loaded = read({.description = document(ome("ZCT", 2, 2, 1, "", data)), .pages = 4});
  CHECK(loaded.volume.value(0, 0, 0, 0) == 1);
  CHECK(loaded.volume.value(0, 0, 0, 1) == 2);
  CHECK(loaded.volume.value(0, 0, 1, 0) == 3);
  CHECK(loaded.volume.value(0, 0, 1, 1) == 0);

  loaded = read({.description = document(ome("ZCT", 1, 3, 1, "", block(1, 0, 0) + block(0, 0, 2))), .pages = 2});
  CHECK(loaded.volume.value(0, 0, 0) == 1);
  CHECK(loaded.volume.value(0, 0, 1) == 0);
  CHECK(test::says(loaded.info, "1 plane is missing and read as 0: z 1"));

  // Of an image in two files this is the second channel.
  const std::string other =
      "<TiffData FirstC=\"0\" PlaneCount=\"2\"><UUID FileName=\"b.ome.tif\">urn:b</UUID></TiffData>";
  const std::string own =
      "<TiffData FirstC=\"1\" IFD=\"0\" PlaneCount=\"2\"><UUID FileName=\"x.tif\">urn:a</UUID></TiffData>";
  loaded = read({.description = document(ome("ZCT", 2, 2, 1, "", other + own)), .pages = 2});
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 2, 1});
  CHECK(loaded.volume.value(0, 0, 1) == 1);
  CHECK(test::says(loaded.info, "b.ome.tif"));

  // Planes without a name of their file are those of this one, and no others.
  const std::string first = "<TiffData FirstC=\"0\" IFD=\"0\" PlaneCount=\"2\"/>",
                    elsewhere =
                        "<TiffData FirstC=\"1\" IFD=\"0\" PlaneCount=\"2\"><UUID "
                        "FileName=\"b.ome.tif\">urn:b</UUID></TiffData>";
  loaded = read({.description = document(ome("ZCT", 2, 2, 1, "", first + elsewhere)), .pages = 2});
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 2, 1});
  CHECK(test::says(loaded.info, "b.ome.tif"));
}

TEST_CASE("images and pages that differ are series to choose from") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  const TiffFile images{.description = document(ome("ZCT", 1, 2, 1, "", "<TiffData IFD=\"0\" PlaneCount=\"2\"/>") +
                                                ome("ZCT", 1, 3, 1, "", "<TiffData IFD=\"2\" PlaneCount=\"3\"/>")),
                        .pages = 5};
  const TiffFile pages{.description = {}, .pages = 4, .firstHeight = 5};
  for (const TiffFile& file : {images, pages}) {
    const LoadedVolume first = read(file), second = read(file, "@series=2");
    CHECK(test::says(first.info, "2 series, of which @series=1 was read"));
    CHECK(first.volume.shape().nz == (file.firstHeight == kHeight ? 2 : 1));
    CHECK(second.volume.shape() == VolumeShape{kWidth, kHeight, 3, 1});
    CHECK_FALSE(test::says(second.info, "series"));
    CHECK(second.volume.value(0, 0, 0) == (file.firstHeight == kHeight ? 2 : 1));
    CHECK_THROWS_AS(read(file, "@series=3"), Error);
    CHECK(test::says(first.info, "@series=2"));
    CHECK(test::says(first.info, "3 x 2 x 3 "));
  }
}

TEST_CASE("ImageJ's unit counts, not that of the resolution, and each axis has its own") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  struct Row {
    const char* lines;
    int unit;
    std::array<double, 3> millimeters;
    StepSource z = StepSource::Given;
  };
  for (const Row& row :
       {Row{"unit=cm\nspacing=3\n", 3, {5, 5, 30}}, Row{"unit=inch\nspacing=1\n", 2, {12.7, 12.7, 25.4}},
        Row{"unit=micron\nspacing=-2\n", 3, {5e-4, 5e-4, 2e-3}},
        Row{"unit=\\u00B5m\nyunit=nm\nzunit=mm\nspacing=0.1\n", 1, {5e-4, 5e-7, 0.1}},
        Row{"spacing=2\n", 3, {5, 5, 20}}, Row{"unit=mm\n", 1, {0.5, 0.5, 1}, StepSource::Assumed}}) {
    CAPTURE(row.lines);
    const LoadedVolume loaded = read(
        {.description = "ImageJ=1.53t\nimages=4\nslices=4\n" + std::string(row.lines), .pages = 4, .unit = row.unit});
    const Geometry g = inMillimeters(loaded.info.geometry);
    REQUIRE(g.unit == "mm");
    CHECK(g.steps[2] == row.z);
    CHECK(near({g.spacing[0], g.spacing[1], row.z == StepSource::Given ? g.spacing[2] : 1}, row.millimeters));
    CHECK(test::says(loaded.info, "no gap between slices") == (row.z == StepSource::Assumed));
  }
}

TEST_CASE_METHOD(test::IoFolder, "values that ImageJ calibrates along a line are what it shows") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  const TiffFile file{
      .description = "ImageJ=1.53t\nimages=3\nslices=3\ncf=0\nc0=-32768.0\nc1=1.0\nvunit=HU\n", .pages = 3, .bits = 16};
  LoadedVolume loaded = read(file);
  CHECK(loaded.volume.type() == ElementType::i16);
  CHECK(loaded.volume.value(0, 0, 2) == -32766);
  CHECK(loaded.info.metadata.valueUnit == "HU");
  loaded =
      read({.description = "ImageJ=1.53t\nimages=2\nslices=2\ncf=0\nc0=1\nc1=0.5\nvunit=Gray Value\n", .pages = 2});
  CHECK(loaded.volume.type() == ElementType::f32);
  CHECK(loaded.volume.value(0, 0, 1) == 1.5);
  CHECK(loaded.info.metadata.valueUnit.empty());
  loaded = read({.description = "ImageJ=1.53t\nimages=2\nslices=2\ncf=7\nc0=1\nc1=0.5\n", .pages = 2});
  CHECK(loaded.volume.type() == ElementType::u8);
  CHECK(test::says(loaded.info, "no straight line"));

  test::put(folder / "x.tif", bytesOf(file));
  const auto source = io->openSource((folder / "x.tif").string(), {});
  std::vector<std::int16_t> plane(kPixels);
  source->read(1, 2, std::as_writable_bytes(std::span(plane)), {});
  CHECK(plane[0] == -32767);
}

TEST_CASE_METHOD(test::IoFolder, "planes behind the only page are read, whole and by slabs, and must all be there") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  // The pixels of the first page begin behind eight bytes, the others follow.
  const TiffFile imageJ{.description = "ImageJ=1.54f\nimages=4\nslices=4\nunit=micron\nspacing=0.5\n", .behind = 3};
  const TiffFile shaped{.description = R"({"shape": [2, 2, 2, 3], "axes": "TZYX", "truncated": true})", .behind = 3};
  for (const TiffFile& file : {imageJ, shaped}) {
    const LoadedVolume loaded = read(file);
    const bool times = file.description.front() == '{';
    CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, times ? 2 : 4, times ? 2 : 1});
    CHECK(loaded.volume.value(1, 1, times ? 1 : 3, times ? 1 : 0) == 3);
  }
  test::put(folder / "x.tif", bytesOf(imageJ));
  const auto source = io->openSource((folder / "x.tif").string(), {});
  CHECK(source->plain());
  std::vector<std::uint8_t> plane(kPixels);
  source->read(3, 4, std::as_writable_bytes(std::span(plane)), {});
  CHECK(plane[0] == 3);

  TiffFile cut = imageJ;
  cut.behind = 0;
  cut.description.replace(cut.description.find("images=4"), 15, "images=400\nslices=400");
  test::put(folder / "x.tif", bytesOf(cut));
  const Error error = test::errorOfReading(*io, (folder / "x.tif").string());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK_THAT(error.what(), ContainsSubstring("cut off"));
}

TEST_CASE("tifffile's axes, steps and units are taken") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  LoadedVolume loaded = read({.description = R"({"shape": [2, 3, 2, 3], "axes": "CTYX", "spacing": 0.5, "unit": "um"})",
                              .pages = 6,
                              .unit = 3});
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 1, 6});
  CHECK(loaded.info.metadata.frames == 3);
  CHECK(loaded.volume.value(0, 0, 0, 1) == 3);  // the second channel of the first time
  loaded = read(
      {.description = R"({"axes": "ZYX", "spacing": 0.5, "unit": "um", "shape": [4, 2, 3]})", .pages = 4, .unit = 3});
  CHECK(near(inMillimeters(loaded.info.geometry).spacing, {5, 5, 5e-4}));
  loaded = read({.description = R"({"shape": [2, 3, 2, 3]})", .pages = 6});
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 3, 2});
  CHECK(loaded.info.metadata.frames == 2);
  loaded = read({.description = R"({"shape": [5, 2, 3], "axes": "ZYX"})", .pages = 6});
  CHECK(loaded.volume.shape().nz == 6);
  CHECK(test::says(loaded.info, "do not fit"));
}

TEST_CASE("a person who says what the pages are is believed, whatever the file says") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  const TiffFile file{.description = "ImageJ=1.53t\nimages=6\nframes=6\nfinterval=2\n", .pages = 6};
  CHECK(read(file).info.metadata.frames == 6);
  const LoadedVolume loaded = read(file, "@axes=t2zyx");
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 3, 2});
  CHECK(loaded.volume.value(0, 0, 1, 1) == 4);
  CHECK(read(file, "@axes=zyx").volume.shape().nz == 6);
}

TEST_CASE("LSM's tag has times and steps") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  std::string value(200, '\0');
  const auto whole = [&](std::size_t at, std::uint32_t n) { std::memcpy(value.data() + at, &n, 4); };
  const auto real = [&](std::size_t at, double x) { std::memcpy(value.data() + at, &x, 8); };
  whole(0, 0x0400494c);
  whole(16, 2), whole(20, 1), whole(24, 3);
  real(40, 1e-7), real(48, 1e-7), real(56, 5e-7), real(112, 1.5);
  value[88] = 6;
  const LoadedVolume loaded = read({.pages = 6, .tag = 34412, .value = value});
  CHECK(loaded.volume.shape() == VolumeShape{kWidth, kHeight, 2, 3});
  CHECK(loaded.info.metadata.frames == 3);
  CHECK(loaded.info.metadata.frameSeconds == 1.5);
  CHECK(loaded.volume.value(0, 0, 1, 2) == 5);
  CHECK(near(loaded.info.geometry.spacing, {0.1, 0.1, 0.5}));
  CHECK(loaded.info.geometry.unit == "um");
}

TEST_CASE_METHOD(test::IoFolder, "a step along z that nobody gave stays so in what is written") {
  if (withoutTiff()) SSCOPE_SKIP("this build has no TIFF");
  Volume volume = test::randomVolume({5, 4, 3, 1}, ElementType::u8, 1);
  Geometry geometry;
  geometry.spacing = {0.1, 0.2, 1};
  geometry.unit = "um";
  geometry.steps[2] = StepSource::Assumed;
  volume.setGeometry(geometry);
  for (const char* name : {"a.tif", "a.ome.tif"}) {
    io->write(folder / name, volume, {});
    const std::string bytes = test::contentOf(folder / name);
    CHECK(bytes.find("PhysicalSizeZ") == std::string::npos);
    CHECK(bytes.find("\nspacing=") == std::string::npos);
    CHECK(io->read((folder / name).string(), {}).info.geometry == geometry);
  }
}

}  // namespace sscope
