// Files read by planes: their voxels and headers are those of the whole, and what goes wrong is told.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include "core/io/volume_io.h"
#include "core/volume/volume_stream.h"
#include "tests/io/dicom_file.h"
#include "tests/io/io_support.h"
#include "tests/io/planes.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"
#include "tests/support/support.h"

namespace sscope {

using test::bytesOfVolume;
using test::canWrite;
using test::errorOfOpening;
using test::kSlabNames;
using test::requireSame;
using test::TemporaryFolder;

namespace fs = std::filesystem;

TEST_CASE_METHOD(test::IoFolder, "planes of a file are those of the whole") {
  std::uint64_t seed = 1;
  int checked = 0;
  INFO(test::Sampling::howToRepeat());
  const std::vector<VolumeShape> shapes{{7, 5, 6, 1}, {5, 9, 1, 1}, {3, 4, 5, 3}, {6, 1, 1, 2}};
  for (std::size_t n = 0; n < std::size(kSlabNames); ++n) {
    const char* name = kSlabNames[n];
    for (const ElementType type : {ElementType::u8, ElementType::i16, ElementType::f32, ElementType::f64}) {
      for (const VolumeShape& shape : test::shapesOfRun(*io, n, type, shapes)) {
        CAPTURE(name, toString(type), shape.text());
        // A page for each component of the only slice.
        if (std::string(name).ends_with(".tif") && shape.nz == 1 && shape.components > 1) continue;
        Volume volume = test::randomVolume(shape, type, ++seed);
        if (test::keepsDirections(name)) volume.setGeometry(test::obliqueGeometry());
        io->write(folder / name, volume, {});
        requireSame(*io, (folder / name).string());
        ++checked;
      }
    }
  }
  CHECK(checked >= 12);
}

TEST_CASE_METHOD(test::IoFolder, "pages that a person orders are read by planes where slices follow each other") {
  io->write(folder / "v.nrrd", test::randomVolume({5, 4, 12, 1}, ElementType::u16, 3), {});
  io->write(folder / "rgb.nrrd", test::randomVolume({5, 4, 12, 3}, ElementType::u8, 3), {});
  for (const char* axes : {"t3z4yx", "c2zyx", "t2c3zyx", "c3t2zyx", "c3t4yx", "zyx"})
    for (const char* name : {"v.nrrd", "rgb.nrrd"}) {
      CAPTURE(axes, name);
      const std::string file = (folder / name).string();
      requireSame(*io, file + "@axes=" + axes);
      if (std::string(axes).starts_with('t')) requireSame(*io, file + "@axes=" + axes + ",t=1");
    }
  CHECK_THAT(errorOfOpening(*io, (folder / "v.nrrd").string() + "@axes=z4t3yx").what(),
             ContainsSubstring("between its channels or frames"));
}

TEST_CASE_METHOD(test::IoFolder, "chosen frames and channels are read by planes") {
  WriteOptions options;
  options.metadata.frames = 3;
  options.metadata.frameSeconds = 2;
  options.metadata.componentKind = "time";
  for (const char* name : {"v.nrrd", "v.nii"}) {
    const VolumeShape shape{4, 5, 3, 3};
    if (!canWrite(*io, name, shape, ElementType::i16)) continue;
    io->write(folder / name, test::randomVolume(shape, ElementType::i16, 3), options, {});
    const std::string path = (folder / name).string();
    requireSame(*io, path);
    for (const char* chosen : {"@t=0", "@t=2"}) requireSame(*io, path + chosen);
    CHECK(errorOfOpening(*io, path + "@t=3").kind() == ErrorKind::Usage);
  }
  const std::string path = (folder / "two.nii").string();
  const VolumeShape shape{4, 5, 3, 6};
  if (!canWrite(*io, path, shape, ElementType::u8)) return;
  io->write(path, test::randomVolume(shape, ElementType::u8, 3), options, {});  // three points in time of two channels
  requireSame(*io, path);
  for (const char* chosen : {"@t=1", "@c=1", "@t=2,c=0"}) requireSame(*io, path + chosen);
}

TEST_CASE_METHOD(test::IoFolder,
                 "a NRRD file is read by planes, wherever its voxels lie and however its bytes are ordered") {
  std::string bytes(4 * 3 * 5 * 2 * 2, '\0');
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<char>(n * 37);
  const std::string start = "NRRD0004\ntype: ushort\nendian: big\nencoding: raw\n";
  test::put(folder / "last.nrrd", start + "dimension: 4\nsizes: 4 3 5 2\n\n" + bytes);
  requireSame(*io, (folder / "last.nrrd").string());  // components slowest
  test::put(folder / "first.nrrd", start + "dimension: 4\nsizes: 2 4 3 5\nkinds: vector space space space\n\n" + bytes);
  requireSame(*io, (folder / "first.nrrd").string());
  test::put(folder / "far.raw", "skipped" + bytes);
  test::put(folder / "skip.nhdr", start + "dimension: 3\nsizes: 8 3 5\nbyte skip: 7\ndata file: far.raw\n");
  requireSame(*io, (folder / "skip.nhdr").string());
  test::put(folder / "end.nhdr", start + "dimension: 3\nsizes: 4 3 5\nbyte skip: -1\ndata file: far.raw\n");
  requireSame(*io, (folder / "end.nhdr").string());
}

TEST_CASE_METHOD(test::IoFolder, "scaled and 64-bit integers of NIfTI are converted plane by plane") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no NIfTI");
  io->write(folder / "v.nii", test::randomVolume({6, 5, 7, 1}, ElementType::i16, 3), {});
  std::string content = test::contentOf(folder / "v.nii");
  const float slope = 0.37F, intercept = -3;
  std::memcpy(content.data() + 112, &slope, sizeof slope);
  std::memcpy(content.data() + 116, &intercept, sizeof intercept);
  test::put(folder / "scaled.nii", content);
  requireSame(*io, (folder / "scaled.nii").string());

  io->write(folder / "w.nii", test::randomVolume({6, 5, 7, 1}, ElementType::f64, 3), {});
  content = test::contentOf(folder / "w.nii");
  const std::int16_t wide = 1024;  // INT64
  std::memcpy(content.data() + 70, &wide, sizeof wide);
  test::put(folder / "wide.nii", content);
  requireSame(*io, (folder / "wide.nii").string());
}

TEST_CASE_METHOD(test::IoFolder, "compressed voxels with another checksum are refused, read whole and by planes") {
  WriteOptions packed;
  packed.compress = true;
  for (const char* name : {"v.nrrd", "v.mha", "v.nii.gz"}) {
    const VolumeShape shape{31, 17, 9, 1};
    if (!canWrite(*io, name, shape, ElementType::u8)) continue;
    CAPTURE(name);
    const std::string path = (folder / name).string();
    io->write(path, test::randomVolume(shape, ElementType::u8, 3), packed, {});
    {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 2);
      file.seekg(middle);
      const int byte = file.get();
      file.seekp(middle);
      file.put(static_cast<char>(byte ^ 0xff));
    }
    CHECK_THROWS_WITH(io->read(path, {}), ContainsSubstring("damaged"));
    const auto lastPlane = [&] {
      std::vector<std::byte> plane(31 * 17);
      io->openSource(path, {})->read(8, 9, plane, {});
    };
    CHECK_THROWS_WITH(lastPlane(), ContainsSubstring("damaged"));
  }
}

TEST_CASE_METHOD(test::IoFolder,
                 "compressed voxels are read by planes from front to back, and again after going back") {
  WriteOptions packed;
  packed.compress = true;
  for (const char* name : {"v.nrrd", "v.mha", "v.nii.gz"}) {
    const VolumeShape shape{31, 17, 9, 1};
    if (!canWrite(*io, name, shape, ElementType::i16)) continue;
    CAPTURE(name);
    io->write(folder / name, test::randomVolume(shape, ElementType::i16, 3), packed, {});
    const std::string path = (folder / name).string();
    requireSame(*io, path, false);
    const auto source = io->openSource(path, {});
    std::vector<std::byte> plane(31 * 17 * 2);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(source->read(3, 4, plane, {stop.get_token(), {}}), Canceled);
    fs::resize_file(path, fs::file_size(path) / 2);
    const auto shorter = io->openSource(path, {});
    try {
      shorter->read(8, 9, plane, {});
      FAIL("more was read than is there");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::BadData);
      CHECK_THAT(error.what(), ContainsSubstring("it is cut off: its compressed voxels end after"));
      CHECK(test::isOneSentence(error.what()));
    }
  }
  // Components of NIfTI follow each other as volumes: packed, these cannot be had at once.
  if (!canWrite(*io, "c.nii.gz", {5, 4, 3, 2}, ElementType::u8)) return;
  io->write(folder / "c.nii.gz", test::randomVolume({5, 4, 3, 2}, ElementType::u8, 3), {});
  CHECK_THAT(errorOfOpening(*io, (folder / "c.nii.gz").string()).what(), ContainsSubstring("compressed one after the"));
}

TEST_CASE_METHOD(test::IoFolder, "pictures are read by planes, each when it is its turn") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no pictures");
  for (int i = 1; i <= 11; ++i)
    io->write(folder / ("slice_" + std::to_string(i) + ".png"),
              test::randomVolume({9, 7, 1, 3}, ElementType::u8, 40 + i), {});
  requireSame(*io, folder.path().string());
  requireSame(*io, (folder / "slice_*.png").string());
  requireSame(*io, (folder / "slice_%d.png").string());
  requireSame(*io, (folder / "slice_*.png").string() + "@c=0");
  CHECK_THAT(errorOfOpening(*io, (folder / "slice_11*.png").string()).what(), ContainsSubstring("one slice each"));

  std::vector<std::byte> plane(9 * 7 * 3);
  const auto openAndReadOne = [&] {
    auto source = io->openSource(folder.path().string(), {});
    source->read(5, 6, plane, {});
    return source;
  };
  auto source = openAndReadOne();
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(source->read(0, 1, plane, {stop.get_token(), {}}), Canceled);
  fs::remove(folder / "slice_9.png");
  CHECK_THROWS_WITH(source->read(8, 9, plane, {}), ContainsSubstring("slice_9.png was removed while it was read"));
  io->write(folder / "slice_9.png", test::randomVolume({9, 7, 1, 3}, ElementType::u8, 1), {});
  source = openAndReadOne();
  io->write(folder / "slice_7.png", test::randomVolume({9, 8, 1, 3}, ElementType::u8, 1), {});
  CHECK_THROWS_WITH(source->read(6, 7, plane, {}), ContainsSubstring("slice_7.png was replaced while it was read"));
}

namespace {

// A folder of slices whose names are not in their order.
void writeDicomFolder(const fs::path& folder, int slices) {
  for (int z = 0; z < slices; ++z) {
    test::DicomFile file;
    file.number = z + 1;
    file.position = "1\\2\\" + std::to_string(3 + 2 * z);
    test::put(folder / ("slice_" + std::to_string(slices - z) + ".dcm"), file.bytes());
  }
}

// Going back starts the decoder again, which takes a while.
void requireSameDecoded(VolumeIo& io, const std::string& name) { requireSame(io, name, true, {3}); }

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "files that are decoded are read by planes in any order") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has neither HDF5 nor TIFF");
  std::uint64_t seed = 7;
  for (const bool packed : {false, true})
    for (const VolumeShape& shape : {VolumeShape{7, 5, 6, 1}, {5, 9, 1, 1}, {3, 4, 5, 3}})
      for (const ElementType type : {ElementType::u8, ElementType::f64}) {
        CAPTURE(packed, shape.text(), toString(type));
        Volume volume = test::randomVolume(shape, type, ++seed);
        volume.setGeometry(test::obliqueGeometry());
        WriteOptions options;
        options.compress = packed;
        io->write(folder / "v.h5", volume, options, {});
        requireSameDecoded(*io, (folder / "v.h5").string());
        // A page for each slice; components are colors.
        if (!packed || shape.nz == 1 || (shape.components > 1 && type != ElementType::u8)) continue;
        io->write(folder / "v.tif", volume, options, {});
        requireSameDecoded(*io, (folder / "v.tif").string());
      }
  WriteOptions packed;
  packed.compress = true;
  io->write(folder / "rgb.tif", test::randomVolume({5, 4, 3, 3}, ElementType::u8, 3), packed, {});
  requireSameDecoded(*io, (folder / "rgb.tif").string() + "@c=1");
  // More than is decoded at once, and than is decoded ahead.
  const Volume large = test::randomVolume({512, 400, 60, 1}, ElementType::u16, 3);
  io->write(folder / "large.h5", large, packed, {});
  requireSame(*io, (folder / "large.h5").string(), true, {25});
}

TEST_CASE_METHOD(test::IoFolder, "a DICOM series is read by planes, in its own order and not in that of its names") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no DICOM");
  writeDicomFolder(folder.path(), 12);
  requireSameDecoded(*io, folder.path().string());
  requireSameDecoded(*io, (folder / "*.dcm").string());
  // Another series beside it.
  test::DicomFile other;
  other.series += ".7";
  for (int z = 0; z < 3; ++z) {
    other.position = "1\\2\\" + std::to_string(z);
    test::put(folder / ("other_" + std::to_string(z) + ".dcm"), other.bytes());
  }
  requireSameDecoded(*io, folder.path().string());
  requireSameDecoded(*io, folder.path().string() + "@series=2");
  CHECK(errorOfOpening(*io, folder.path().string() + "@series=3").kind() == ErrorKind::Usage);
}

TEST_CASE("what happens to files that are decoded by planes is told") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has neither HDF5 nor TIFF");
  const TemporaryFolder folder;
  WriteOptions packed;
  packed.compress = true;
  const Volume volume = test::randomVolume({200, 150, 9, 1}, ElementType::i16, 3);
  std::vector<std::byte> plane(static_cast<std::size_t>(volume.bytes() / 9));
  for (const char* name : {"v.h5", "v.tif"}) {
    CAPTURE(name);
    const fs::path path = folder / name;
    const auto changed = [&](const std::function<void()>& change, ErrorKind kind, const char* says) {
      io->write(path, volume, packed, {});
      const auto source = io->openSource(path.string(), {});
      source->read(0, 1, plane, {});
      change();
      try {
        source->read(8, 9, plane, {});
        FAIL("the change was not seen");
      } catch (const Error& error) {
        CHECK(error.kind() == kind);
        CHECK_THAT(error.what(), ContainsSubstring(says));
        CHECK(test::isOneSentence(error.what()));
      }
    };
    changed([&] { fs::remove(path); }, ErrorKind::NotFound, "was removed");
    changed([&] { fs::resize_file(path, fs::file_size(path) / 2); }, ErrorKind::BadData, "became shorter");
    changed([&] { std::ofstream(path, std::ios::app) << "more"; }, ErrorKind::BadData, "grew");
    io->write(path, volume, packed, {});
    const auto source = io->openSource(path.string(), {});
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(source->read(0, 1, plane, {stop.get_token(), {}}), Canceled);
    // Cut off before it is opened: refused then, or when its planes are read.
    fs::resize_file(path, fs::file_size(path) / 2);
    try {
      io->openSource(path.string(), {})->read(8, 9, plane, {});
      FAIL("more was read than is there");
    } catch (const Error& error) {
      CHECK(test::isOneSentence(error.what()));
    }
  }
  const TemporaryFolder series;
  writeDicomFolder(series.path(), 5);
  const auto source = io->openSource(series.path().string(), {});
  std::vector<std::byte> slice(static_cast<std::size_t>(source->info().shape.nx * source->info().shape.ny) *
                               sscope::bytesOf(source->info().type));
  source->read(0, 1, slice, {});
  fs::remove(series / "slice_3.dcm");
  CHECK_THROWS_WITH(source->read(3, 4, slice, {}), ContainsSubstring("slice_3.dcm was removed while it was read"));
}

TEST_CASE_METHOD(test::IoFolder, "what cannot be read by planes says so, and why") {
  const Volume volume = test::randomVolume({7, 5, 6, 1}, ElementType::i16, 3);
  if (canWrite(*io, "one.tif", volume.shape(), volume.type())) {
    WriteOptions options;
    options.compress = true;
    io->write(folder / "one.tif", test::randomVolume({7, 5, 1, 1}, ElementType::u8, 3), options, {});
    const Error error = errorOfOpening(*io, (folder / "one.tif").string());  // a single page, decoded at once
    CHECK(error.kind() == ErrorKind::Unsupported);
    CHECK_THAT(error.what(), ContainsSubstring("by slabs"));
  }
  test::put(folder / "text.nrrd", "NRRD0004\ntype: int\nencoding: text\ndimension: 1\nsizes: 2\n\n1 2\n");
  CHECK_THAT(errorOfOpening(*io, (folder / "text.nrrd").string()).what(), ContainsSubstring("by slabs"));
  CHECK_THAT(errorOfOpening(*io, folder.path().string()).what(), ContainsSubstring("the folder holds"));
  CHECK(errorOfOpening(*io, (folder / "none.nrrd").string()).kind() == ErrorKind::NotFound);
}

TEST_CASE_METHOD(test::IoFolder, "a file that is too short is refused in the same words, whatever is read of it") {
  const Volume volume = test::randomVolume({7, 5, 6, 1}, ElementType::i16, 3);
  for (const char* name : kSlabNames) {
    if (!canWrite(*io, name, volume.shape(), volume.type())) continue;
    CAPTURE(name);
    io->write(folder / name, volume, {});
    fs::path data = folder / name;
    for (const char* raw : {"v.raw"})
      if (fs::exists(folder / raw)) data = folder / raw;
    fs::resize_file(data, fs::file_size(data) - 100);
    const Error error = errorOfOpening(*io, (folder / name).string());
    CHECK(error.kind() == ErrorKind::BadData);
    CHECK(test::errorOfReading(*io, folder / name).what() == std::string(error.what()));
    CHECK_THROWS_WITH(io->probe((folder / name).string(), {}), std::string(error.what()));
    for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove(entry.path());
  }
}

TEST_CASE_METHOD(test::IoFolder, "a file that changes while it is read by planes is told, and how") {
  const Volume volume = test::randomVolume({64, 64, 6, 1}, ElementType::i16, 3);
  const fs::path path = folder / "v.nrrd";
  struct Row {
    const char* says;
    ErrorKind kind;
    std::function<void()> change;
  };
  const Row rows[] = {
      {"was removed", ErrorKind::NotFound, [&] { fs::remove(path); }},
      {"was replaced", ErrorKind::BadData,
       [&] {
         test::put(folder / "other", test::contentOf(path));
         fs::rename(folder / "other", path);
       }},
      {"became shorter", ErrorKind::BadData, [&] { fs::resize_file(path, fs::file_size(path) - 1); }},
      {"grew", ErrorKind::BadData, [&] { std::ofstream(path, std::ios::app) << "more"; }},
      {"was written to", ErrorKind::BadData,
       [&] { fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(3)); }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.says);
    io->write(path, volume, {});
    const auto source = io->openSource(path.string(), {});
    std::vector<std::byte> two(static_cast<std::size_t>(volume.bytes() / 3));
    source->read(0, 2, two, {});
    row.change();
    try {
      source->read(2, 4, two, {});
      FAIL("the change was not seen");
    } catch (const Error& error) {
      CHECK(error.kind() == row.kind);
      CHECK_THAT(error.what(), ContainsSubstring(row.says));
      CHECK(test::isOneSentence(error.what()));
    }
  }
}

TEST_CASE_METHOD(test::IoFolder, "TIFF strips with padding between their rows are read apart, not by planes") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const std::string path = folder / "padded.tif";
  std::string bytes("II*\0\x18\0\0\0", 8);
  bytes += "\x01\x02\x03\x04????\x05\x06\x07\x08????";  // two strips of a row each, with four more bytes
  const auto word = [&](std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
  };
  const auto field = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::uint32_t value) {
    word(tag, 2), word(type, 2), word(count, 4), word(value, 4);
  };
  constexpr std::uint32_t kShort = 3, kLong = 4;
  constexpr std::uint32_t kAfter = 24 + 2 + 9 * 12 + 4;  // the directory
  word(9, 2);
  field(256, kLong, 1, 4), field(257, kLong, 1, 2), field(258, kShort, 1, 8), field(259, kShort, 1, 1);
  field(262, kShort, 1, 1), field(273, kLong, 2, kAfter), field(277, kShort, 1, 1), field(278, kLong, 1, 1);
  field(279, kLong, 2, kAfter + 8);
  word(0, 4);
  word(8, 4), word(16, 4), word(8, 4), word(8, 4);
  std::ofstream(path, std::ios::binary) << bytes;
  const Volume whole = io->read(path, {}).volume;
  REQUIRE(whole.spec().extent == std::array<std::int64_t, 4>{4, 2, 1, 1});
  CHECK(whole.value(0, 1, 0) == 5);
  CHECK_THROWS_AS(io->openSource(path, {}), Error);
}

}  // namespace sscope
