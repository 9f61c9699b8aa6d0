// Files that hold less, more or other things than their headers promise: none is read as something else.

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/io/tiny_files.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

void refuse(VolumeIo& io, const fs::path& path, const std::string& content, const std::string& part) {
  test::put(path, content);
  CAPTURE(path.string(), content.substr(0, 400));
  const Error error = test::errorOfReading(io, path.string());
  CAPTURE(error.what());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK(test::isOneSentence(error.what()));
  CHECK(std::string(error.what()).find(part) != std::string::npos);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// 4 x 3 x 2 numbers, 10 and on.
std::string numbers(int count = 24) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(10 + i) + (i % 4 == 3 ? "\n" : " ");
  return text;
}

std::string legacyVtk(const std::string& type, const std::string& values, const std::string& encoding = "ASCII") {
  return "# vtk DataFile Version 3.0\nscalars of a title\n" + encoding +
         "\nDATASET STRUCTURED_POINTS\nDIMENSIONS 4 3 2\nORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 24\nSCALARS s " +
         type + " 1\nLOOKUP_TABLE default\n" + values;
}

std::string base64(const std::string& bytes) {
  constexpr const char* kSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kSigns[group >> (18 - 6 * k) & 63U];
  }
  return text;
}

std::string word(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

// 24 bytes, 10 and on.
std::string voxels() {
  std::string bytes;
  for (int i = 0; i < 24; ++i) bytes += static_cast<char>(10 + i);
  return bytes;
}

std::string xmlVti(const std::string& format, const std::string& inside, const std::string& behind = {},
                   const std::string& extent = "0 3 0 2 0 1") {
  return "<VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<ImageData WholeExtent=\"" +
         extent + "\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n<Piece Extent=\"" + extent +
         "\">\n<PointData Scalars=\"v\">\n<DataArray type=\"UInt8\" Name=\"v\" format=\"" + format + "\"" +
         (format == "appended" ? " offset=\"0\"" : "") + ">" + inside + "</DataArray>\n</PointData>\n</Piece>\n" +
         "</ImageData>\n" + behind + "</VTKFile>\n";
}

std::string appended(const std::string& encoding, const std::string& data) {
  return "<AppendedData encoding=\"" + encoding + "\">\n_" + data + "\n</AppendedData>\n";
}

bool countsUp(const Volume& volume) {
  bool good = volume.shape() == VolumeShape{4, 3, 2, 1};
  for (std::int64_t i = 0; good && i < 24; ++i)
    good = volume.value(i % 4, i / 4 % 3, i / 12) == static_cast<double>(10 + i);
  return good;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "a BMP picture of which bytes are missing, or that has another size, is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no BMP");
  static_cast<void>(test::writeTinyFiles(*io, folder.path()));
  const std::string whole = test::contentOf(folder / "p.bmp");
  for (const std::size_t missing : {std::size_t{1}, whole.size() / 2, whole.size() - 54})
    refuse(*io, folder / "cut.bmp", whole.substr(0, whole.size() - missing), "cut off");
  std::string other = whole;
  other[18] = 14;  // pixels in a row, of six
  refuse(*io, folder / "wide.bmp", other, "cut off");
  other = whole;
  other[22] = 4;  // rows, of five: the file's length says five
  refuse(*io, folder / "low.bmp", other, "its header claims");
  // One byte a pixel, packed: a run of six a row, five rows.
  std::string packed = whole.substr(0, 54) + std::string(1024, '\0');
  packed[10] = static_cast<char>((54 + 1024) & 0xff);
  packed[11] = (54 + 1024) >> 8;
  packed[28] = 8;
  packed[30] = 1;
  for (int row = 0; row < 5; ++row) packed += std::string("\6\1\0\0", 4);
  packed[34] = 22;
  test::put(folder / "packed.bmp", packed + std::string("\0\1", 2));
  CHECK(io->read(folder / "packed.bmp", {}).volume.shape().nx == 6);
  // Some writers leave the mark of the end out.
  test::put(folder / "packed.bmp", packed);
  CHECK(io->read(folder / "packed.bmp", {}).volume.shape().ny == 5);
  refuse(*io, folder / "packed.bmp", packed.substr(0, packed.size() - 4), "packed pixels");
  refuse(*io, folder / "packed.bmp", packed + std::string("\6\1\0\0\6\1\0\1", 8), "packed pixels");
}

TEST_CASE_METHOD(test::IoFolder, "text in a .vtk file has to be as many numbers as its header says") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  const fs::path file = folder / "v.vtk";
  for (const char* type : {"short", "unsigned_char", "float", "double", "int", "vtktypeint64"}) {
    test::put(file, legacyVtk(type, numbers()));
    CAPTURE(type);
    CHECK(countsUp(io->read(file, {}).volume));
    refuse(*io, file, legacyVtk(type, numbers(23)), "cut off: 23 of 24");
    refuse(*io, file, legacyVtk(type, numbers(25)), "more numbers");
    refuse(*io, file, legacyVtk(type, replaced(numbers(), "20", "x")), "\"x\", behind 10 of 24");
    refuse(*io, file, legacyVtk(type, replaced(numbers(), "20", "2O")), "\"2O\"");
  }
  refuse(*io, file, legacyVtk("unsigned_char", replaced(numbers(), "20", "256")), "\"256\"");
  refuse(*io, file, legacyVtk("short", replaced(numbers(), "20", "1.5")), "\"1.5\"");
  test::put(file, legacyVtk("float", replaced(numbers(), "20", "nan")) + "METADATA\nINFORMATION 0\n");
  const Volume volume = io->read(file, {}).volume;
  CHECK(std::isnan(volume.value(2, 2, 0)));
  CHECK(volume.value(3, 2, 0) == 21);
  // Binary ones: the voxels have to be behind the header, which is longer than they are.
  test::put(file, legacyVtk("unsigned_char", voxels(), "BINARY"));
  CHECK(countsUp(io->read(file, {}).volume));
  refuse(*io, file, legacyVtk("unsigned_char", voxels().substr(1), "BINARY"), "cut off: 23 bytes of 24 bytes");
}

TEST_CASE_METHOD(test::IoFolder, "tensors of a .vtk file that is text keep what ITK keeps") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  const std::string head =
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 2 1 1\nORIGIN 0 0 0\nSPACING 1 1 1\n"
      "POINT_DATA 2\nTENSORS t float\n";
  const std::string values = "1 2 3\n2 4 5\n3 5 6\n\n11 12 13\n12 14 15\n13 15 16\n";
  test::put(folder / "t.vtk", head + values);
  const Volume volume = io->read(folder / "t.vtk", {}).volume;
  REQUIRE(volume.shape().components == 6);
  for (int c = 0; c < 6; ++c) {
    CHECK(volume.value(0, 0, 0, c) == 1 + c);
    CHECK(volume.value(1, 0, 0, c) == 11 + c);
  }
  refuse(*io, folder / "t.vtk", head + values.substr(0, values.size() - 4), "cut off: 17 of 18");
}

TEST_CASE_METHOD(test::IoFolder, "text in NRRD and MetaImage files has to be as many numbers as the header says") {
  const std::string nrrd = "NRRD0004\ntype: short\ndimension: 3\nsizes: 4 3 2\nencoding: ASCII\n\n";
  const std::string meta =
      "ObjectType = Image\nNDims = 3\nBinaryData = False\nDimSize = 4 3 2\nElementType = MET_SHORT\n"
      "ElementDataFile = LOCAL\n";
  for (const auto& [name, head] : {std::pair("v.nrrd", nrrd), std::pair("v.mha", meta)}) {
    if (name == std::string("v.mha") && !test::hasItk(*io)) continue;
    const fs::path file = folder / name;
    test::put(file, head + numbers());
    CHECK(countsUp(io->read(file, {}).volume));
    refuse(*io, file, head + numbers(23), "cut off: 23 of 24");
    refuse(*io, file, head + numbers(25), "more numbers");
    refuse(*io, file, head + replaced(numbers(), "20", "x"), "\"x\"");
    refuse(*io, file, head + replaced(numbers(), "20", "40000"), "\"40000\"");
  }
  test::put(folder / "c.nrrd", nrrd + replaced(numbers(), "20 ", "20,"));
  CHECK(countsUp(io->read(folder / "c.nrrd", {}).volume));
  test::put(folder / "l.nrrd", replaced(nrrd, "short", "longlong") + numbers());
  CHECK(io->read(folder / "l.nrrd", {}).volume.type() == ElementType::i32);
}

TEST_CASE_METHOD(test::IoFolder, "arrays of a .vti file have to be as long as its extent says") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  const fs::path file = folder / "v.vti";
  const std::string inside = base64(word(24) + voxels()), apart = base64(word(24)) + base64(voxels());
  for (const std::string& good :
       {xmlVti("binary", inside), xmlVti("binary", "\n  " + apart + "\n"), xmlVti("ascii", numbers()),
        xmlVti("appended", "", appended("raw", word(24) + voxels())),
        xmlVti("appended", "", appended("base64", inside))}) {
    test::put(file, good);
    CAPTURE(good);
    CHECK(countsUp(io->read(file, {}).volume));
    refuse(*io, file, good.substr(0, good.size() - 20), "cut off");
  }
  for (const std::size_t at : {std::size_t{9}, inside.size() / 2, inside.size() - 3}) {
    std::string bad = inside;
    bad[at] = '*';
    refuse(*io, file, xmlVti("binary", bad), "base64");
    bad.erase(at, 1);
    refuse(*io, file, xmlVti("binary", bad), "base64");
    bad.erase(at - at % 4, 3);
    refuse(*io, file, xmlVti("binary", bad), "fewer voxels");
  }
  for (const std::uint32_t length : {0U, 23U, 25U, 0x80000000U}) {
    refuse(*io, file, xmlVti("binary", base64(word(length) + voxels())), "fewer voxels");
    refuse(*io, file, xmlVti("appended", "", appended("raw", word(length) + voxels())), "fewer voxels");
  }
  refuse(*io, file, xmlVti("binary", base64(word(24) + voxels().substr(0, 20))), "fewer voxels");
  refuse(*io, file, xmlVti("appended", "", appended("base64", base64(word(24) + voxels().substr(6)))), "fewer voxels");
  for (const std::size_t missing : {1U, 6U})
    refuse(*io, file, xmlVti("appended", "", appended("raw", word(24) + voxels().substr(missing))), "fewer voxels");
  refuse(*io, file, xmlVti("ascii", numbers(23)), "behind 23 of 24");
  refuse(*io, file, xmlVti("ascii", numbers(25)), "more numbers");
  refuse(*io, file, xmlVti("ascii", replaced(numbers(), "20", "x")), "\"x\"");
  refuse(*io, file,
         replaced(xmlVti("ascii", numbers()), "<Piece Extent=\"0 3 0 2 0 1\"", "<Piece Extent=\"0 3 0 2 0 0\""),
         "more numbers");
}

TEST_CASE_METHOD(test::IoFolder, "extents of a .vti file that are empty or absurd are refused as such") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  for (const std::string extent : {"0 -5 0 2 0 1", "0 3 0 2 7 1", "0 3 0 2", "0 3 0 2 0 2147483648", "a b c d e f"}) {
    refuse(*io, folder / "v.vti", xmlVti("ascii", numbers(), {}, extent), "extent \"" + extent + "\"");
    refuse(*io, folder / "v.vti", xmlVti("appended", "", appended("raw", word(24) + voxels()), extent),
           "extent \"" + extent + "\"");
  }
  test::put(folder / "v.vti",
            xmlVti("ascii", numbers(), {}, "-2147483648 2147483647 -2147483648 2147483647 -2147483648 2147483647"));
  CHECK(test::errorOfReading(*io, folder / "v.vti").kind() == ErrorKind::Memory);
  test::put(folder / "v.vti", xmlVti("ascii", numbers(), {}, "-3 0 5 7 -1 0"));
  CHECK(countsUp(io->read(folder / "v.vti", {}).volume));
}

TEST_CASE_METHOD(test::IoFolder,
                 "a .vti file that is nested without end, and names of data files without a number, are told as such") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  std::string nested;
  for (int i = 0; i < 300000; ++i) nested += "<a>";
  refuse(*io, folder / "v.vti", "<VTKFile type=\"ImageData\">" + nested + "</VTKFile>\n", "nested");
  refuse(*io, folder / "x.mhd",
         "ObjectType = Image\nNDims = 3\nDimSize = 2 2 4\nElementType = MET_UCHAR\n"
         "ElementDataFile = a%s.raw 0 3 1\n",
         "a%s.raw, which has no place for a number");
  refuse(*io, folder / "x.nhdr",
         "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 4\nencoding: raw\ndata file: a%s.raw 0 3 1\n",
         "a%s.raw, which has no place for a number");
}

TEST_CASE_METHOD(test::IoFolder, "gauge configurations are told from volumes that are not known") {
  for (const std::string& head : {std::string("BEGIN_HEADER\n"), std::string("\x45\x67\x89\xab\0\1", 6),
                                  std::string("\x87\x4e\0\0", 4), std::string("\0\0\x4e\x87", 4)})
    for (const char* name : {"c.nersc", "c.lime", "c"}) {
      test::put(folder / name, head + std::string(200, '\0'));
      const Error error = test::errorOfReading(*io, folder / name);
      CHECK(error.kind() == ErrorKind::Unsupported);
      CHECK_THAT(error.what(), ContainsSubstring("sscope lattice info"));
    }
}

TEST_CASE_METHOD(test::IoFolder, "compressed voxels need their checksum, and not one byte fewer") {
  const Volume volume = test::randomVolume({9, 8, 7, 1}, ElementType::u8, 3);
  WriteOptions options;
  options.compress = true;
  for (const char* name : {"v.nrrd", "v.mha", "v.nii.gz"}) {
    try {
      io->checkWritable(name, volume.shape(), volume.type());
      io->checkCompressible(name);
    } catch (const Error&) {
      continue;
    }
    io->write(folder / name, volume, options, {});
    const std::string whole = test::contentOf(folder / name);
    for (const std::size_t missing : {1U, 2U, 4U})
      refuse(*io, folder / name, whole.substr(0, whole.size() - missing), "checksum");
    std::string other = whole;
    other.back() ^= 1;
    test::put(folder / name, other);
    CHECK(test::errorOfReading(*io, (folder / name).string()).kind() == ErrorKind::BadData);
    for (std::size_t at = whole.size() / 2; at < whole.size() - 8; at += 17) {
      std::string shorter = whole;
      test::put(folder / name, shorter.erase(at, 1));
      CHECK(test::errorOfReading(*io, (folder / name).string()).kind() == ErrorKind::BadData);
    }
    // What stands behind a stream is not ours.
    test::put(folder / name, whole + std::string(64, '\0'));
    CHECK(test::sameVoxels(io->read((folder / name).string(), {}).volume, volume));
  }
}

TEST_CASE_METHOD(test::IoFolder, "a JPEG picture of which a part in the middle is missing is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no JPEG");
  io->write(folder / "p.jpg", test::randomVolume({64, 48, 1, 3}, ElementType::u8, 5), {});
  const std::string whole = test::contentOf(folder / "p.jpg");
  for (const std::size_t gap : {std::size_t{200}, whole.size() / 3}) {
    std::string bad = whole;
    refuse(*io, folder / "bad.jpg", bad.erase(whole.size() / 2, gap), "damaged or cut off");
  }
}

TEST_CASE_METHOD(test::IoFolder, "a TIFF file whose pages come round to one of them again is refused") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no TIFF");
  io->write(folder / "s.tif", test::randomVolume({5, 4, 3, 1}, ElementType::u8, 5), {});
  std::string file = test::contentOf(folder / "s.tif");
  const auto number = [&](std::size_t at, int bytes) {
    std::size_t value = 0;
    for (int i = bytes; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(file[at + static_cast<std::size_t>(i)]);
    return value;
  };
  const std::size_t first = number(4, 4);
  std::size_t link = 4;
  for (int page = 0; page < 3; ++page) link = number(link, 4) + 2 + 12 * number(number(link, 4), 2);
  REQUIRE(number(link, 4) == 0);
  file.replace(link, 4, word(static_cast<std::uint32_t>(first)));
  refuse(*io, folder / "s.tif", file, "names one of them again");
}

namespace {

// Builds without ITK know fewer formats.
bool writes(const VolumeIo& io, const std::string& name, const Volume& volume) {
  try {
    io.checkWritable(name, volume.shape(), volume.type());
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "files that are whole are read, whatever stands behind their voxels") {
  // A newline behind the packed voxels, as editors and mails leave one.
  Volume volume = test::randomVolume({6, 5, 4, 1}, ElementType::u8, 1);
  volume.elements<std::uint8_t>().back() = 0x0a;
  for (const char* name : {"a.nrrd", "a.mha", "a.nii.gz"}) {
    if (!writes(*io, name, volume)) continue;
    const std::string file = folder / name;
    io->write(file, volume, {.metadata = {}, .compress = true}, {});
    std::ofstream(file, std::ios::app | std::ios::binary) << '\n';
    INFO(name);
    CHECK(io->read(file, {}).volume.value(5, 4, 3) == 0x0a);
  }
}

TEST_CASE_METHOD(test::IoFolder, "a volume of more than one slab is written to every format") {
  const Volume volume = test::randomVolume({256, 256, 300, 1}, ElementType::u8, 1);
  for (const char* name : {"a.nrrd", "a.vtk", "a.mha", "a.vti"}) {
    if (!writes(*io, name, volume)) continue;
    const std::string file = folder / name;
    io->write(file, volume, {});
    INFO(name);
    const Volume back = io->read(file, {}).volume;
    REQUIRE(back.bytes() == volume.bytes());
    CHECK(std::memcmp(back.data(), volume.data(), static_cast<std::size_t>(volume.bytes())) == 0);
  }
}

TEST_CASE_METHOD(test::IoFolder, "what decoders would read as something else is refused") {
  const auto refused = [&](const char* name, const std::string& content, const std::string& part) {
    test::put(folder / name, content);
    const Error error = test::errorOfReading(*io, (folder / name).string());
    INFO(error.what());
    CHECK(std::string(error.what()).find(part) != std::string::npos);
  };
  refused("a.nrrd", "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 3\nencoding: raw\n\n" + std::string(24, 'a'),
          "2 sizes of dimension 3");
}

TEST_CASE_METHOD(test::IoFolder, "BMP pictures of all headers, bits and masks hold the same colors") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build does not read BMP");
  const auto word = [](std::string& head, std::size_t at, std::uint32_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) head[at + i] = static_cast<char>(value >> (8 * i));
  };
  // Two pixels, red and black, of one row; a palette of these where there are so few bits.
  for (const std::size_t header : {40U, 108U, 124U})
    for (const auto& [bits, row] : {std::pair<std::uint32_t, std::string>{1, std::string("\x80\0\0\0", 4)},
                                    {4, std::string("\x10\0\0\0", 4)},
                                    {8, std::string("\1\0\0\0", 4)},
                                    {16, std::string("\0\x7c\0\0", 4)},
                                    {24, std::string("\0\0\xff\0\0\0\0\0", 8)},
                                    {32, std::string("\0\0\xff\0\0\0\0\0", 8)}}) {
      CAPTURE(header, bits);
      std::string head(14 + header, '\0');
      head.replace(0, 2, "BM");
      word(head, 14, static_cast<std::uint32_t>(header), 4);
      word(head, 18, 2, 4);
      word(head, 22, 1, 4);
      word(head, 26, 1, 2);
      word(head, 28, bits, 2);
      word(head, 46, bits > 8 ? 0 : 2, 4);
      if (bits <= 8) head += std::string("\0\0\0\0\0\0\xff\0", 8);
      word(head, 10, static_cast<std::uint32_t>(head.size()), 4);
      test::put(folder / "a.bmp", head + row);
      const Volume read = io->read((folder / "a.bmp").string(), {}).volume;
      REQUIRE(read.shape() == VolumeShape{2, 1, 1, 3});
      CHECK(read.value(0, 0, 0, 0) == 255);
      CHECK(read.value(0, 0, 0, 1) + read.value(0, 0, 0, 2) + read.value(1, 0, 0, 0) == 0);
      CHECK(test::errorOfReading(*io, (test::put(folder / "b.bmp", head + row.substr(1)), folder / "b.bmp").string())
                .kind() == ErrorKind::BadData);
    }
}

TEST_CASE_METHOD(test::IoFolder, "a PNG whose header is damaged is told as such, and not as a decoder that crashed") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  io->write(folder / "a.png", test::randomVolume({9, 7, 1, 3}, ElementType::u8, 1), {});
  const std::string good = test::contentOf(folder / "a.png");
  constexpr std::size_t kSignature = 8, kHeader = 25;
  for (std::size_t at = kSignature; at < kSignature + kHeader; ++at) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    refuse(*io, folder / "b.png", bad, "header");
    CHECK(std::string(test::errorOfReading(*io, folder / "b.png").what()).find("crashed") == std::string::npos);
  }
  for (const std::size_t bytes : {kSignature, kSignature + 4, kSignature + kHeader - 1, kSignature + kHeader + 6})
    refuse(*io, folder / "b.png", good.substr(0, bytes), "cut off");
}

TEST_CASE_METHOD(test::IoFolder, "a JPEG whose tables are damaged is told as such, and not as a decoder that crashed") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  io->write(folder / "a.jpg", test::randomVolume({19, 17, 1, 3}, ElementType::u8, 1), {});
  const std::string good = test::contentOf(folder / "a.jpg");
  const std::size_t scan = good.find("\xff\xda");
  REQUIRE(scan < good.size());
  int tables = 0;
  for (std::size_t at = 0; (at = good.find("\xff\xdb", at)) < scan; ++at, ++tables) {
    CAPTURE(at);
    std::string bad = good;
    bad[at] = 'x';  // no marker any more
    refuse(*io, folder / "b.jpg", bad, "the picture is damaged");
    bad = good;
    bad[at + 4] = static_cast<char>(bad[at + 4] ^ 2);  // a table of another number
    refuse(*io, folder / "b.jpg", bad, "the picture is damaged");
  }
  CHECK(tables > 0);
}

}  // namespace sscope
