// What files say beyond their voxels: it is kept where the format has room for it.

#include <algorithm>
#include <fstream>
#include <limits>

#include "core/io/volume_io.h"
#include "core/volume/selection.h"
#include "core/volume/volume_stream.h"
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

TEST_CASE("annotations and diffusion gradients of a NRRD come back") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
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

TEST_CASE("the repetition time of a series of volumes is kept in NIfTI") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  const TemporaryFolder folder;
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

TEST_CASE("as many points in time or channels as a color has values are no colors") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const TemporaryFolder folder;
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
        CHECK(io->read((folder / name).string() + "@c=1", {}).info.metadata.channels.empty());
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
          CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("for colors"));
        }
      }
    io->write(folder / "p.png", slice, {}, {});
  }
}

TEST_CASE("values that are not finite are told of the frame that is taken, not of the others") {
  const TemporaryFolder folder;
  const auto io = makeVolumeIo();
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

TEST_CASE("a pattern of DICOM slices is the series that the folder is") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const TemporaryFolder folder;
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

TEST_CASE("what made the slices and how to look at them is read from DICOM") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const TemporaryFolder folder;
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

TEST_CASE("slices of two orientations are two series") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const TemporaryFolder folder;
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

TEST_CASE("the spacing of a secondary capture is read") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const TemporaryFolder folder;
  test::DicomFile capture;
  capture.position = capture.orientation = "";
  test::put(folder / "c.dcm", capture.bytes());
  const Geometry geometry = io->read(folder / "c.dcm", {}).volume.geometry();
  CHECK(geometry.spacing[0] == 0.25);
  CHECK(geometry.spacing[1] == 0.5);
}

TEST_CASE("sheared voxels get a notice") {
  const auto io = makeVolumeIo();
  const TemporaryFolder folder;
  test::put(folder / "s.nrrd",
            "NRRD0005\ntype: unsigned char\ndimension: 3\nspace: left-posterior-superior\nsizes: 2 2 1\n"
            "space directions: (1,0,0) (0.3,1,0) (0,0,1)\nencoding: raw\nspace origin: (0,0,0)\n\nabcd");
  const LoadedVolume read = io->read(folder / "s.nrrd", {});
  REQUIRE(read.info.notices.size() == 1);
  CHECK(read.info.notices[0].find("sheared") != std::string::npos);
}

TEST_CASE("pages of a TIFF stack lie one behind the other") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const TemporaryFolder folder;
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

TEST_CASE("any dataset of an HDF5 file is read by its path, and those that there are are named") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const TemporaryFolder folder;
  const Volume volume = test::randomVolume({7, 5, 4, 1}, ElementType::u16, 3);
  const std::string file = folder / "x.h5", voxels = file + ":/ITKImage/0/VoxelData";
  io->write(file, volume, {});
  const LoadedVolume read = io->read(voxels, {});
  CHECK(read.info.format == "HDF5 dataset /ITKImage/0/VoxelData");
  CHECK(read.volume.shape() == volume.shape());
  CHECK(read.volume.type() == ElementType::u16);
  CHECK(read.volume.value(6, 4, 3) == volume.value(6, 4, 3));
  CHECK(read.info.geometry.unit.empty());
  CHECK(io->read(voxels + "@spacing=2um", {}).info.geometry.unit == "um");
  auto& streams = dynamic_cast<VolumeStreams&>(*io);
  const auto source = streams.openSource(voxels, {});
  std::vector<std::uint16_t> plane(35);
  source->read(2, 3, std::as_writable_bytes(std::span(plane)), {});
  CHECK(plane[34] == volume.value(6, 4, 2));
  try {
    static_cast<void>(io->read(file + ":/nothing", {}));
    FAIL("a dataset that is not there was read");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("/ITKImage/0/VoxelData (4 x 5 x 7)") != std::string::npos);
  }
}

}  // namespace sscope
