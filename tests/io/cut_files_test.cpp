// Files of which a part is missing: every format says so, none fills up with zeros.

#include <fstream>

#include "core/io/volume_io.h"
#include "tests/io/dicom_file.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

void cut(const fs::path& path, double part) {
  fs::resize_file(path, static_cast<std::uintmax_t>(part * static_cast<double>(fs::file_size(path))));
}

void requireCut(VolumeIo& io, const fs::path& path, const std::string& part = "cut off") {
  CAPTURE(path.string());
  const Error error = test::errorOfReading(io, path.string());
  CAPTURE(error.what());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK(test::isOneSentence(error.what()));
  CHECK(std::string(error.what()).find(part) != std::string::npos);
}

std::string metaHeader(const std::string& more) {
  return "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nDimSize = 4 3 2\n"
         "ElementType = MET_UCHAR\n" +
         more + "\n";
}

// 24 bytes as zlib stores them without packing.
std::string storedStream(std::size_t bytes) {
  std::string stream = "\x78\x01";
  stream += '\1';  // the last block, stored
  stream += static_cast<char>(bytes);
  stream += '\0';
  stream += static_cast<char>(~bytes & 0xff);
  stream += '\xff';
  std::uint32_t a = 1, b = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    stream += static_cast<char>(i);
    a = (a + static_cast<std::uint32_t>(i)) % 65521;
    b = (b + a) % 65521;
  }
  const std::uint32_t sum = b << 16 | a;
  for (int shift = 24; shift >= 0; shift -= 8) stream += static_cast<char>(sum >> shift);
  return stream;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "a MetaImage with too short a data file says what is missing") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no MetaImage");
  test::put(folder / "v.mhd", metaHeader("ElementDataFile = v.raw"));
  test::put(folder / "v.raw", std::string(24, 'x'));
  CHECK(io->read(folder / "v.mhd", {}).volume.value(0, 0, 1) == 'x');
  test::put(folder / "v.raw", std::string(10, 'x'));
  requireCut(*io, folder / "v.mhd", "10 bytes of 24 bytes of voxels are there, 14 bytes are missing");
  test::put(folder / "v.raw", "");
  requireCut(*io, folder / "v.mhd", "24 bytes are missing");
  test::put(folder / "big.mhd", metaHeader("HeaderSize = 4\nElementDataFile = big.raw"));
  test::put(folder / "big.raw", "head" + std::string(23, 'x'));
  requireCut(*io, folder / "big.mhd", "1 bytes are missing");
  test::put(folder / "big.raw", "head" + std::string(24, 'x'));
  CHECK(io->read(folder / "big.mhd", {}).volume.value(3, 2, 1) == 'x');
}

TEST_CASE_METHOD(test::IoFolder, "a row of MetaImage slices with one missing or short is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no MetaImage");
  test::put(folder / "v.mhd", metaHeader("ElementDataFile = v%02d.raw 1 2 1"));
  test::put(folder / "v01.raw", std::string(12, 'a'));
  const Error missing = test::errorOfReading(*io, folder / "v.mhd");
  CHECK(missing.kind() == ErrorKind::NotFound);
  CHECK(std::string(missing.what()).find("v02.raw is missing") != std::string::npos);
  test::put(folder / "v02.raw", std::string(11, 'b'));
  requireCut(*io, folder / "v.mhd", "v02.raw is too short");
  test::put(folder / "v02.raw", std::string(12, 'b'));
  const Volume whole = io->read(folder / "v.mhd", {}).volume;
  CHECK(whole.value(0, 0, 0) == 'a');
  CHECK(whole.value(0, 0, 1) == 'b');
  test::put(folder / "l.mhd", metaHeader("ElementDataFile = LIST\nv01.raw\nv02.raw"));
  CHECK(test::sameVoxels(io->read(folder / "l.mhd", {}).volume, whole));
}

TEST_CASE_METHOD(test::IoFolder, "a compressed MetaImage whose stream ends early is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no MetaImage");
  const std::string head = metaHeader("CompressedData = True\nElementDataFile = LOCAL");
  test::put(folder / "whole.mha", head + storedStream(24));
  CHECK(io->read(folder / "whole.mha", {}).volume.value(3, 2, 1) == 23);
  test::put(folder / "early.mha", head + storedStream(20));
  requireCut(*io, folder / "early.mha", "end after 20 of 24 bytes");
  test::put(folder / "half.mha", head + storedStream(24).substr(0, 15));
  requireCut(*io, folder / "half.mha");
}

TEST_CASE_METHOD(test::IoFolder, "a DICOM file with too few pixels is refused, alone and in a series") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  fs::create_directory(folder / "series");
  for (int n = 1; n <= 4; ++n) {
    test::DicomFile slice;
    slice.number = n;
    slice.position = "1\\2\\" + std::to_string(3 * n);
    test::put(folder / "series" / (std::to_string(n) + ".dcm"), slice.bytes());
  }
  CHECK(io->read(folder / "series", {}).volume.shape().nz == 4);
  const fs::path third = folder / "series" / "3.dcm";
  const std::string whole = test::contentOf(third);
  test::put(third, whole.substr(0, whole.size() - test::DicomFile().pixelBytes() / 2));
  requireCut(*io, third, "30 bytes of 60 bytes of pixels are there, 30 bytes are missing");
  requireCut(*io, folder / "series");
  test::DicomFile packed;
  packed.piece = std::string(100, 'j') + "\xff\xd9";
  const std::string compressed = packed.bytes();
  test::put(folder / "packed.dcm", compressed.substr(0, compressed.size() - 60));
  requireCut(*io, folder / "packed.dcm");
}

TEST_CASE_METHOD(test::IoFolder, "a JPEG without its end is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  io->write(folder / "p.jpg", test::randomVolume({64, 48, 1, 3}, ElementType::u8, 5), {});
  CHECK(io->read(folder / "p.jpg", {}).volume.shape() == VolumeShape{64, 48, 1, 3});
  cut(folder / "p.jpg", 0.5);
  requireCut(*io, folder / "p.jpg");
}

TEST_CASE_METHOD(test::IoFolder, "a TIFF stack of which pages are missing is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  // Page, directory, page, directory: what most programs write. Tags: width, height, bits, photometric, strip, samples,
  // rows, bytes.
  std::string file = "II*";
  const auto number = [](std::uint32_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  constexpr std::uint32_t kPages = 4, kPage = 64, kDirectory = 2 + 8 * 12 + 4;
  file += number(0, 1) + number(8 + kPage, 4);
  for (std::uint32_t p = 0; p < kPages; ++p) {
    const std::uint32_t start = 8 + p * (kPage + kDirectory);
    file += std::string(kPage, static_cast<char>('a' + p)) + number(8, 2);
    const std::uint32_t tags[8][2] = {{256, 8},     {257, 8}, {258, 8}, {262, 1},
                                      {273, start}, {277, 1}, {278, 8}, {279, kPage}};
    for (const auto& tag : tags) file += number(tag[0], 2) + number(4, 2) + number(1, 4) + number(tag[1], 4);
    file += number(p + 1 < kPages ? start + 2 * kPage + kDirectory : 0, 4);
  }
  test::put(folder / "s.tif", file);
  REQUIRE(io->read(folder / "s.tif", {}).volume.shape().nz == kPages);
  cut(folder / "s.tif", 0.5);
  requireCut(*io, folder / "s.tif");
}

TEST_CASE_METHOD(test::IoFolder, "a TIFF picture whose resolution is cut off is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  const auto number = [](std::uint32_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  };
  constexpr std::uint32_t kPage = 64, kTags = 11, kFraction = 5;
  constexpr std::uint32_t kBehind = 8 + kPage + 2 + kTags * 12 + 4;  // 50 pixels a centimeter, twice
  std::string file = "II*" + number(0, 1) + number(8 + kPage, 4) + std::string(kPage, 'a') + number(kTags, 2);
  const std::uint32_t tags[kTags][2] = {{256, 8}, {257, 8},     {258, 8},       {262, 1},           {273, 8}, {277, 1},
                                        {278, 8}, {279, kPage}, {282, kBehind}, {283, kBehind + 8}, {296, 3}};
  for (const auto& tag : tags)
    file += number(tag[0], 2) + number(tag[0] == 282 || tag[0] == 283 ? kFraction : 4, 2) + number(1, 4) +
            number(tag[1], 4);
  file += number(0, 4) + number(50, 4) + number(1, 4) + number(50, 4) + number(1, 4);
  test::put(folder / "r.tif", file);
  CHECK(io->read(folder / "r.tif", {}).volume.geometry().spacing[0] == 0.2);
  // libtiff reads it as if nobody had said how large its pixels are.
  test::put(folder / "r.tif", file.substr(0, file.size() - 4));
  requireCut(*io, folder / "r.tif", "resolution");
}

TEST_CASE_METHOD(test::IoFolder,
                 "an HDF5 file that ends before its end is cut off, and one whose table is damaged is not") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no HDF5");
  io->write(folder / "v.h5", test::randomVolume({19, 18, 17, 1}, ElementType::u16, 3), {});
  const std::string whole = test::contentOf(folder / "v.h5");
  for (const std::size_t bytes : {std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    test::put(folder / "cut.h5", whole.substr(0, bytes));
    requireCut(*io, folder / "cut.h5");
  }
  // The group that ITK looks for, by another name than its checksum is of.
  std::string other = whole;
  for (std::size_t at = 0; (at = other.find("ITKImage", at)) != std::string::npos;) other.replace(at, 8, "another!");
  test::put(folder / "other.h5", other);
  const Error error = test::errorOfReading(*io, (folder / "other.h5").string());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK(std::string(error.what()).find("its HDF5 structure is damaged") != std::string::npos);
}

TEST_CASE_METHOD(test::IoFolder, "every format cut in half is refused") {
  const Volume volume = test::randomVolume({19, 18, 17, 1}, ElementType::u16, 3);
  const Volume picture = test::randomVolume({99, 88, 1, 3}, ElementType::u8, 3);
  int refused = 0;
  for (const char* name : {"v.nrrd", "z.nrrd", "v.mha", "z.mha", "v.nii", "v.nii.gz", "v.tif", "z.tif", "v.ome.tif",
                           "v.vti", "v.vtk", "v.h5", "v.raw", "v.npy", "v.npz", "z.npz", "v.mrc", "p.png", "p.jpg"}) {
    const Volume& content = name[0] == 'p' ? picture : volume;
    try {
      io->checkWritable(name, content.shape(), content.type());
    } catch (const Error&) {
      continue;
    }
    CAPTURE(name);
    WriteOptions options;
    options.compress = name[0] == 'z';
    io->write(folder / name, content, options, {});
    REQUIRE(io->read((folder / name).string(), {}).volume.shape() == content.shape());
    cut(folder / name, 0.5);
    const Error error = test::errorOfReading(*io, (folder / name).string());
    CAPTURE(error.what());
    CHECK(error.kind() != ErrorKind::NotFound);
    CHECK(test::isOneSentence(error.what()));
    ++refused;
  }
  CHECK(refused >= 2);
}

}  // namespace sscope
