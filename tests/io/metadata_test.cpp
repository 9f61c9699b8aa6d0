// What files say beyond their voxels: it is kept where the format has room for it.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numbers>

#include "core/io/volume_io.h"
#include "core/volume/selection.h"
#include "tests/io/dicom_file.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using test::TemporaryFolder;

bool saysHeld(const VolumeInfo& info) {
  return std::any_of(info.notices.begin(), info.notices.end(),
                     [](const std::string& notice) { return notice.ends_with("are held as components"); });
}

std::string sliceName(int number) { return std::string("s").append(std::to_string(number)).append(".dcm"); }

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "annotations and diffusion gradients of a NRRD come back") {
  test::put(folder / "d.nrrd",
            "NRRD0005\ntype: unsigned char\ndimension: 4\nspace: right-anterior-superior\nsizes: 2 2 1 3\n"
            "space directions: (1,0,0) (0,1,0) (0,0,1) none\nkinds: space space space list\nencoding: raw\n"
            "measurement frame: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\n"
            "modality:=DWMRI\nDWMRI_b-value:=1000\nDWMRI_gradient_0001:=0 1 0\nwho:= me\n\n" +
                std::string("abcdefghijkl"));
  const LoadedVolume read = io->read(folder / "d.nrrd", {});
  REQUIRE(read.volume.shape().components == 3);
  CHECK(read.info.metadata.frames == 3);
  REQUIRE(read.info.metadata.fields.size() == 4);
  REQUIRE(read.info.metadata.measurementFrame);
  CHECK((*read.info.metadata.measurementFrame)[0] == -1);  // right is minus left
  CHECK((*read.info.metadata.measurementFrame)[8] == 1);
  WriteOptions options;
  options.metadata = read.info.metadata;
  io->write(folder / "e.nrrd", read.volume, options, {});
  const LoadedVolume again = io->read(folder / "e.nrrd", {});
  CHECK(again.info.metadata == read.info.metadata);
  CHECK(test::sameVoxels(again.volume, read.volume));
  const LoadedVolume one = io->read((folder / "d.nrrd").string() + "@t=1", {});
  CHECK(one.volume.value(1, 1, 0) == 'h');
  CHECK(one.info.metadata.fields == decltype(one.info.metadata.fields){{"who", " me"}});
}

TEST_CASE_METHOD(test::IoFolder, "the repetition time of a series of volumes is kept in NIfTI") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  const Volume volume = test::randomVolume({4, 3, 2, 6}, ElementType::i16, 3);
  WriteOptions options;
  options.metadata.frames = 3;
  options.metadata.frameSeconds = 2.5;
  for (const char* name : {"f.nii", "f.nii.gz", "f.tif", "f.ome.tif"}) {
    CAPTURE(name);
    io->write(folder / name, volume, options, {});
    const LoadedVolume back = io->read(folder / name, {});
    CHECK(test::sameVoxels(back.volume, volume));
    CHECK(back.info.metadata.frames == 3);
    CHECK(back.info.metadata.frameSeconds == Approx(2.5));
    const LoadedVolume one = io->read((folder / name).string() + "@t=2,c=1", {});
    CHECK(one.volume.shape().components == 1);
    CHECK(one.volume.value(1, 2, 1) == volume.value(1, 2, 1, 5));
    // How many there are is told of every choice.
    CHECK(back.info.fileFrames == 3);
    CHECK(one.info.fileFrames == 3);
    const LoadedVolume read = io->read((folder / name).string() + "@t=2", {}), taken = frameOf(back, 2, {});
    CHECK(test::sameVoxels(taken.volume, read.volume));
    CHECK(taken.info.metadata == read.info.metadata);
    CHECK(taken.info.notices == read.info.notices);
    CHECK(saysHeld(back.info));
    CHECK_FALSE(saysHeld(read.info));
    CHECK(read.info.notices.back() == "this is frame 2 of 0 to 2");
    // Of one channel all frames are still components.
    const VolumeInfo channel = io->read((folder / name).string() + "@c=1", {}).info;
    CHECK(channel.notices ==
          std::vector<std::string>{"the 3 frames are held as components", "this is channel 1 of 0 to 1"});
    CHECK(read.info.fileFrames == 3);
    CHECK_THROWS_AS(static_cast<void>(frameOf(back, 3, {})), Error);
  }
}

TEST_CASE_METHOD(test::IoFolder, "as many points in time or channels as a color has values are no colors") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  for (const auto& [components, type] :
       {std::pair(3, ElementType::u8), std::pair(3, ElementType::u16), std::pair(4, ElementType::u8)}) {
    const Volume volume = test::randomVolume({5, 4, 2, components}, type, 3);
    const Volume slice = test::randomVolume({5, 4, 1, components}, type, 3);
    WriteOptions frames, channels;
    frames.metadata.frames = components;
    channels.metadata.channels = {"DAPI", "G<F>P", "", "far \"red\""};
    channels.metadata.channels.resize(static_cast<std::size_t>(components));
    for (const char* name : {"f.tif", "f.ome.tif"}) {
      CAPTURE(name, components, toString(type));
      for (const bool compress : {false, true}) {
        frames.compress = channels.compress = compress;
        io->write(folder / name, volume, frames, {});
        const LoadedVolume read = io->read(folder / name, {});
        CHECK(read.info.metadata.frames == components);
        CHECK(read.info.metadata.channels.empty());
        CHECK(test::sameVoxels(read.volume, volume));
        io->write(folder / name, volume, channels, {});
        const LoadedVolume again = io->read(folder / name, {});
        CHECK(again.info.metadata.frames == 1);
        CHECK(again.info.metadata.channels.size() == static_cast<std::size_t>(components));
        if (std::string(name) == "f.ome.tif") CHECK(again.info.metadata.channels == channels.metadata.channels);
        CHECK(test::sameVoxels(again.volume, volume));
        CHECK(io->read((folder / name).string() + "@c=1", {}).info.metadata.channels ==
              std::vector<std::string>{again.info.metadata.channels.at(1)});
      }
      io->write(folder / name, volume, {}, {});  // of which nothing is known but their number
      CHECK(io->read(folder / name, {}).info.metadata.channels.empty());
    }
    for (const WriteOptions& how : {frames, channels})
      for (const char* name : {"p.png", "p.jpg"}) {
        if (std::string(name) == "p.jpg" && (type != ElementType::u8 || components != 3)) continue;
        CAPTURE(name, components);
        try {
          io->write(folder / name, slice, how, {});
          FAIL_CHECK("points in time became colors");
        } catch (const Error& error) {
          CHECK(error.kind() == ErrorKind::Unsupported);
          CHECK_THAT(error.what(), ContainsSubstring("for colors"));
        }
      }
    io->write(folder / "p.png", slice, {}, {});
  }
}

TEST_CASE_METHOD(test::IoFolder, "values that are not finite are told of the frame that is taken, not of the others") {
  Volume volume = test::randomVolume({4, 3, 2, 3}, ElementType::f32, 3);
  volume.elements<float>()[2] = std::numeric_limits<float>::quiet_NaN();  // of frame 2
  WriteOptions options;
  options.metadata.frames = 3;
  io->write(folder / "f.nrrd", volume, options, {});
  const LoadedVolume all = io->read(folder / "f.nrrd", {});
  CHECK(all.info.notices == std::vector<std::string>{"1 value is not finite (NaN or infinite)"});
  for (const int frame : {0, 2}) {
    const LoadedVolume taken = frameOf(all, frame, {});
    const LoadedVolume read = io->read((folder / "f.nrrd").string() + "@t=" + std::to_string(frame), {});
    CHECK(taken.info.notices == read.info.notices);
    CHECK(taken.info.notices.size() == (frame == 2 ? 2 : 1));
  }
}

namespace {

// Numbers at their places in a NIfTI header.
template <class T>
void putAt(std::string& content, std::size_t place, T value) {
  std::memcpy(content.data() + place, &value, sizeof value);
}

std::string tinyNifti() {
  std::string content(352, '\0');
  putAt<std::int32_t>(content, 0, 348);
  content[38] = 'r';
  for (std::size_t n = 0; n < 8; ++n) putAt<std::int16_t>(content, 40 + 2 * n, n == 0 ? 3 : n < 4 ? 2 : 1);
  putAt<std::int16_t>(content, 70, 4);
  putAt<std::int16_t>(content, 72, 16);
  for (std::size_t n = 0; n < 4; ++n) putAt<float>(content, 76 + 4 * n, n == 0 ? 1 : 2);
  putAt<float>(content, 108, 352);
  putAt<float>(content, 112, 1);
  content[123] = 2;  // mm
  content.replace(344, 3, "n+1");
  for (std::int16_t n = 0; n < 8; ++n) content.append(reinterpret_cast<const char*>(&n), 2);
  return content;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "what a NIfTI file says comes back, through NRRD as well") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  std::string content = tinyNifti();
  putAt<std::int16_t>(content, 254, 4);  // MNI 152, without a qform
  for (std::size_t a = 0; a < 3; ++a) putAt<float>(content, 280 + 20 * a, 2);
  putAt<std::int16_t>(content, 68, 3);
  putAt<float>(content, 56, 12.5F);
  putAt<float>(content, 124, 3);
  content.replace(148, 9, "MNI152 T1");
  content.replace(328, 5, "tstat");
  content[348] = 1;
  std::string extension("\40\0\0\0\6\0\0\0<comment>\n\0", 19);
  extension.resize(32);
  content.insert(352, extension);
  putAt<float>(content, 108, 352 + 32);
  test::put(folder / "a.nii", content);
  const auto through = [&](const char* from, const char* to) {
    const LoadedVolume loaded = io->read((folder / from).string(), {});
    WriteOptions options;
    options.metadata = loaded.info.metadata;
    io->write(folder / to, loaded.volume, options, {});
  };
  through("a.nii", "b.nii");
  CHECK(test::contentOf(folder / "b.nii").substr(40) == content.substr(40));
  through("a.nii", "c.nrrd");
  through("c.nrrd", "d.nii");
  CHECK(test::contentOf(folder / "d.nii").substr(40) == content.substr(40));
  // Nothing becomes a place that was none.
  test::put(folder / "none.nii", tinyNifti());
  through("none.nii", "none.nrrd");
  through("none.nrrd", "again.nii");
  CHECK(test::contentOf(folder / "again.nii").substr(252, 4) == std::string(4, '\0'));
}

TEST_CASE_METHOD(test::IoFolder, "a NIfTI header that contradicts itself is read with a notice or refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  const std::string path = (folder / "w.nii").string();
  const auto noticed = [&](const std::string& content) {
    test::put(path, content);
    const LoadedVolume loaded = io->read(path, {});
    CHECK(loaded.volume.value(1, 1, 1) == 7);
    return loaded.info.notices.size();
  };
  const std::string good = tinyNifti();
  const std::size_t usual = noticed(good);
  std::string wrong = good;
  putAt<std::int16_t>(wrong, 72, 8);
  CHECK(noticed(wrong) == usual + 1);
  for (const float offset : {0.F, 100.F, 348.F}) {
    wrong = good;
    putAt<float>(wrong, 108, offset);
    CHECK(noticed(wrong) == usual + 1);
    test::put(path, wrong + "more");
    CHECK(test::errorOfReading(*io, path).kind() == ErrorKind::BadData);
  }
  wrong = good;
  putAt<float>(wrong, 112, std::numeric_limits<float>::quiet_NaN());
  CHECK(noticed(wrong) == usual + 1);
  wrong = good;
  putAt<float>(wrong, 116, std::numeric_limits<float>::quiet_NaN());
  CHECK(noticed(wrong) == usual + 1);
}

TEST_CASE_METHOD(test::IoFolder, "a quaternion of nearly half a turn is one") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  for (int n = 0; n < 60; ++n) {
    const double tilt = (0.7 * n + 0.3) * std::numbers::pi / 180;
    std::string content = tinyNifti();
    putAt<std::int16_t>(content, 252, 1);
    putAt<float>(content, 260, static_cast<float>(std::cos(tilt / 2)));
    putAt<float>(content, 264, static_cast<float>(std::sin(tilt / 2)));
    test::put(folder / "q.nii", content);
    const auto& d = io->probe((folder / "q.nii").string(), {}).geometry.direction;
    CAPTURE(n, d);
    const std::array<double, 9> right = {
        1, 0, 0, 0, -std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt), -std::cos(tilt)};
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(d[i] - right[i]) < 2e-7);
  }
}

namespace {

// A series of slices at places along z, each a number of times, in a folder.
struct Slices {
  const std::filesystem::path folder;
  int written = 0;
  void put(double z, const std::map<std::uint32_t, std::pair<std::string, std::string>>& more) {
    test::DicomFile slice;
    slice.number = ++written;
    slice.position = "1\\2\\" + std::to_string(z);
    slice.more = more;
    slice.more.try_emplace(0x00281052, "DS", std::to_string(1000 * written));
    test::put(folder / sliceName(written), slice.bytes());
  }
};

}  // namespace

TEST_CASE("DICOM slices at one place are points in time, copies, or refused") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const std::uint32_t key : {0x00200100U, 0x00200012U, 0x00180086U, 0x00181060U}) {
    CAPTURE(key);
    const TemporaryFolder folder;
    Slices slices{folder.path()};
    for (int t = 0; t < 3; ++t)
      for (int z = 0; z < 4; ++z) slices.put(2.5 * z, {{key, {"IS", std::to_string(t + 1)}}});
    std::filesystem::copy(folder / "s5.dcm", folder / "s5 (copy).dcm");
    const LoadedVolume read = io->read(folder.path(), {});
    REQUIRE(read.volume.shape() == VolumeShape{6, 5, 4, 3});
    CHECK(read.info.metadata.frames == 3);
    CHECK(read.volume.geometry().spacing[2] == 2.5);
    CHECK(read.volume.value(0, 0, 2, 1) == 7000);  // the seventh that was written
    CHECK(test::says(read.info, "counted once"));
    slices.put(0, {{key, {"IS", "4"}}});
    CHECK(test::errorOfReading(*io, folder.path()).kind() == ErrorKind::Unsupported);
  }
  const TemporaryFolder folder;
  Slices slices{folder.path()};
  for (int n = 0; n < 4; ++n) slices.put(n / 2, {});
  CHECK_THAT(test::errorOfReading(*io, folder.path()).what(), ContainsSubstring("no attribute distinguishes them"));
}

TEST_CASE_METHOD(test::IoFolder, "a DICOM slice that is missing is named with its place") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  Slices slices{folder.path()};
  for (const int z : {0, 1, 3, 4, 5, 6, 7}) slices.put(2 * z, {});
  const VolumeInfo info = io->read(folder.path(), {}).info;
  CHECK(info.geometry.spacing[2] == 2);
  CHECK(info.geometry.steps[2] == StepSource::Derived);
  CHECK(test::says(info, "a slice is missing, at z = 4 mm"));
}

TEST_CASE_METHOD(test::IoFolder, "an export of DICOM folders within folders is a list of series") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const char* series : {"SE0", "SE1"}) {
    std::filesystem::create_directories(folder / "ST0" / series);
    Slices slices{folder / "ST0" / series};
    for (int z = 0; z < (series[2] == '0' ? 3 : 2); ++z)
      slices.put(2 * z, {{0x0020000e, {"UI", std::string("1.2.") + series[2]}}});
  }
  test::put(folder / "DICOMDIR", "not looked at");
  CHECK(test::says(io->probe(folder.path(), {}), "2 series"));
  CHECK(io->probe(folder.path().string() + "@series=2", {}).shape.nz == 2);
  const std::vector<FilePart> parts = io->parts(folder.path(), {});
  REQUIRE(parts.size() == 2);
  CHECK((parts[0].usual && parts[0].extents.at(2) == 3));
  CHECK((parts[1].selector == "@series=2" && parts[1].extents.at(2) == 2));
  CHECK(io->parts(folder / "ST0" / "SE0", {}).empty());
}

TEST_CASE_METHOD(test::IoFolder, "DICOM values are those that are stored, scaled as each file says") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  test::DicomFile slice;
  slice.photometric = "MONOCHROME1";
  slice.more = {{0x00281053, {"DS", "2"}},
                {0x00281052, {"DS", "-100"}},
                {0x00281054, {"LO", "HU"}},
                {0x00080016, {"UI", "1.2.3.4.5"}}};  // of no known class
  test::put(folder / "a.dcm", slice.bytes());
  const LoadedVolume read = io->read(folder / "a.dcm", {});
  CHECK(read.volume.value(1, 0, 0) == 2 * 101 - 100);
  CHECK(read.info.metadata.valueUnit == "HU");
  CHECK(test::says(read.info, "MONOCHROME1"));
  test::DicomFile dose;
  dose.modality = "RTDOSE";
  dose.more = {{0x3004000e, {"DS", "0.5"}}, {0x30040002, {"CS", "GY"}}};
  test::put(folder / "b.dcm", dose.bytes());
  const LoadedVolume doses = io->read(folder / "b.dcm", {});
  CHECK(doses.volume.value(1, 0, 0) == 50.5);
  CHECK(doses.info.metadata.valueUnit == "Gy");
}

TEST_CASE_METHOD(test::IoFolder, "a pattern of DICOM slices is the series that the folder is") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (int n = 1; n <= 3; ++n) {
    test::DicomFile slice;
    slice.number = n;
    slice.position = std::string("1\\2\\").append(std::to_string(30 - 5 * n));  // against the order of the names
    test::put(folder / sliceName(n), slice.bytes());
  }
  const LoadedVolume all = io->read(folder.path(), {}), matched = io->read(folder / "s*.dcm", {});
  CHECK(all.volume.geometry() == matched.volume.geometry());
  CHECK(matched.volume.geometry().spacing == std::array<double, 3>{0.25, 0.5, 5});
  CHECK(matched.volume.geometry().origin[2] == 15);
  CHECK(test::sameVoxels(all.volume, matched.volume));
}

TEST_CASE_METHOD(test::IoFolder, "what made the slices and how to look at them is read from DICOM") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  test::DicomFile slice;
  slice.modality = "CT";
  slice.windowCenter = "35\\400";  // two windows, of which the first counts
  slice.windowWidth = "100\\1500";
  for (int n = 1; n <= 3; ++n) {
    slice.number = n;
    slice.position = std::string("1\\2\\").append(std::to_string(3 * n));
    test::put(folder / sliceName(n), slice.bytes());
  }
  for (const auto& path : {folder.path(), folder / sliceName(1)}) {
    const VolumeInfo info = io->read(path, {}).info;
    CHECK(info.modality == "CT");
    REQUIRE(info.window);
    CHECK(*info.window == std::array<double, 2>{-15, 85});
  }
  slice.windowWidth = "0";
  test::put(folder / "none.dcm", slice.bytes());
  CHECK_FALSE(io->read(folder / "none.dcm", {}).info.window);
}

TEST_CASE_METHOD(test::IoFolder, "slices of two orientations are two series") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (int n = 1; n <= 5; ++n) {
    test::DicomFile slice;
    slice.number = n;
    slice.position = std::string("1\\2\\").append(std::to_string(3 * n));
    if (n > 3) {
      slice.orientation = "0\\1\\0\\0\\0\\-1";
      slice.position = std::to_string(4 * n).append("\\2\\9");
    }
    test::put(folder / sliceName(n), slice.bytes());
  }
  const LoadedVolume largest = io->read(folder.path(), {});
  CHECK(largest.volume.shape().nz == 3);
  REQUIRE(largest.info.notices.size() == 1);
  CHECK(largest.info.notices[0].find("2 series") != std::string::npos);
  const LoadedVolume other = io->read(folder.path().string() + "@series=2", {});
  CHECK(other.volume.shape().nz == 2);
  CHECK(other.volume.geometry().spacing[2] == 4);
  CHECK(other.info.notices.empty());
  CHECK(test::errorOfReading(*io, folder.path().string() + "@series=3").kind() == ErrorKind::Usage);
}

TEST_CASE_METHOD(test::IoFolder, "the spacing of a secondary capture is read") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  test::DicomFile capture;
  capture.position = capture.orientation = "";
  test::put(folder / "c.dcm", capture.bytes());
  const Geometry geometry = io->read(folder / "c.dcm", {}).volume.geometry();
  CHECK(geometry.spacing[0] == 0.25);
  CHECK(geometry.spacing[1] == 0.5);
}

TEST_CASE_METHOD(test::IoFolder, "sheared voxels get a notice") {
  test::put(folder / "s.nrrd",
            "NRRD0005\ntype: unsigned char\ndimension: 3\nspace: left-posterior-superior\nsizes: 2 2 1\n"
            "space directions: (1,0,0) (0.3,1,0) (0,0,1)\nencoding: raw\nspace origin: (0,0,0)\n\nabcd");
  const LoadedVolume read = io->read(folder / "s.nrrd", {});
  REQUIRE(read.info.notices.size() == 1);
  CHECK(read.info.notices[0].find("sheared") != std::string::npos);
}

TEST_CASE_METHOD(test::IoFolder, "pages of a TIFF stack lie one behind the other") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const Volume volume = test::randomVolume({3, 2, 2, 2}, ElementType::u8, 7);
  io->write(folder / "s.tif", volume, {});
  std::ifstream file(folder / "s.tif", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(bytes.find("images=4\nchannels=2\nslices=2\n") != std::string::npos);
  // Behind the eight bytes of the start: the planes, channel by channel of slice by slice.
  std::size_t at = 8;
  for (std::int64_t z = 0; z < 2; ++z)
    for (int c = 0; c < 2; ++c)
      for (std::int64_t y = 0; y < 2; ++y)
        for (std::int64_t x = 0; x < 3; ++x) CHECK(static_cast<unsigned char>(bytes[at++]) == volume.value(x, y, z, c));
}

}  // namespace sscope
