// Text headers that say what cannot be: too long, too many, numbers that overflow.

#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "core/io/volume_io.h"
#include "core/volume/volume_stream.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

std::string nrrd(const std::string& sizes, const std::string& more) {
  return "NRRD0004\ntype: uint8\ndimension: 3\nsizes: " + sizes + "\nencoding: raw\n" + more + "\n\n";
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "NRRD's numbered data files are counted without overflow") {
  for (const char* numbers : {"9223372036854775806 9223372036854775807 1", "0 -9223372036854775808 -1",
                              "-9223372036854775808 9223372036854775807 1", "0 9223372036854775807 1", "0 1000000 1",
                              "3 1 1", "1 3 -1", "1 3 0", "0 -9223372036854775808 -9223372036854775808",
                              "99999999999999999999 99999999999999999999 1", "one 2 1"}) {
    CAPTURE(numbers);
    test::put(folder / "n.nhdr", nrrd("2 2 2", "data file: s%03d.raw " + std::string(numbers)));
    const Error error = test::errorOfReading(*io, (folder / "n.nhdr").string());
    CHECK(test::isOneSentence(error.what()));
    CHECK_THAT(error.what(),
               ContainsSubstring("n.nhdr") && !ContainsSubstring("crashed") && !ContainsSubstring("no progress"));
  }
  test::put(folder / "s007.raw", "efgh");
  test::put(folder / "s010.raw", "abcd");
  test::put(folder / "n.nhdr", nrrd("2 2 2", "data file: s%03d.raw 10 7 -3"));
  const Volume volume = io->read((folder / "n.nhdr").string(), {}).volume;
  CHECK(volume.value(0, 0, 0) == 'a');
  CHECK(volume.value(1, 1, 1) == 'h');
}

TEST_CASE_METHOD(test::IoFolder, "a data file that is read from its end and is not there is named") {
  for (const char* file : {"gone.raw", "in: gone.%d 1 93 1"}) {
    CAPTURE(file);
    test::put(folder / "n.nhdr", nrrd("2 2 93", std::string("byteskip: -1\ndata file: ") + file));
    const Error error = test::errorOfReading(*io, (folder / "n.nhdr").string());
    CHECK(test::isOneSentence(error.what()));
    CHECK(error.kind() == ErrorKind::NotFound);
    CHECK_THAT(error.what(), ContainsSubstring("gone"));
  }
}

TEST_CASE_METHOD(test::IoFolder, "MetaImage's numbered data files are counted without overflow") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const char* numbers : {"-9223372036854775808 -9223372036854775807 1", "-9223372036854775808 9223372036854775807",
                              "9223372036854775807", "1 2 9223372036854775807", "2 1 1", "1 2 0"}) {
    CAPTURE(numbers);
    test::put(folder / "n.mhd", "NDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = s%d.raw " +
                                    std::string(numbers) + "\n");
    CHECK_THAT(test::errorOfReading(*io, (folder / "n.mhd").string()).what(), ContainsSubstring("is invalid"));
  }
}

TEST_CASE_METHOD(test::IoFolder, "names of data files are told without what would end a sentence early") {
  test::put(folder / "n.nhdr", nrrd("1 1 1", std::string("data file: none.\0\x1b[2Jraw", 24)));
  const std::string told = test::errorOfReading(*io, (folder / "n.nhdr").string()).what();
  CHECK_THAT(told, ContainsSubstring("none.?") && ContainsSubstring("missing"));
  CHECK(test::isOneSentence(told));
}

TEST_CASE_METHOD(test::IoFolder, "a header that names itself, or ends before its voxels, is refused for what it is") {
  const std::string fields = "NRRD0004\ntype: uint8\ndimension: 2\nsizes: 2 2\nencoding: raw\n";
  for (const auto& [text, says] : {std::pair{fields + "data file: x.nhdr\n\n", "names the file itself"},
                                   std::pair{std::string("NRRD0004\ntyp"), "ends inside its header"},
                                   std::pair{std::string("NRRD0004\ntype: uin"), "ends inside its header"}}) {
    test::put(folder / "x.nhdr", text);
    const Error error = test::errorOfReading(*io, (folder / "x.nhdr").string());
    CHECK(error.kind() == ErrorKind::BadData);
    CHECK_THAT(error.what(), ContainsSubstring(says));
  }
}

TEST_CASE_METHOD(test::IoFolder, "a skip of more than any file has is refused") {
  test::put(folder / "s.nrrd", nrrd("1 1 1", "byte skip: 9223372036854775807") + "x");
  CHECK_THAT(test::errorOfReading(*io, (folder / "s.nrrd").string()).what(), ContainsSubstring("byte skip"));
  if (!test::hasItk(*io)) return;
  test::put(
      folder / "s.mha",
      "NDims = 1\nDimSize = 1\nElementType = MET_UCHAR\nHeaderSize = 9223372036854775807\nElementDataFile = LOCAL\nx");
  CHECK_THAT(test::errorOfReading(*io, (folder / "s.mha").string()).what(), ContainsSubstring("HeaderSize"));
}

TEST_CASE_METHOD(test::IoFolder, "voxels of a MetaImage are whole, in every file and as text") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const std::string head = "NDims = 2\nDimSize = 2 2\nElementType = MET_SHORT\n";
  test::put(folder / "t.mha", head + "BinaryData = False\nElementDataFile = LOCAL\n1 nan 3 4\n");
  CHECK_THAT(test::errorOfReading(*io, (folder / "t.mha").string()).what(), ContainsSubstring("behind 1 of 4 numbers"));
  std::string files;
  for (int n = 0; n < 8; ++n) files += "one.raw\n";
  test::put(folder / "one.raw", "x");
  test::put(folder / "t.mhd", head + "ElementDataFile = LIST\n" + files);
  CHECK_THAT(test::errorOfReading(*io, (folder / "t.mhd").string()).what(), ContainsSubstring("evenly"));
}

TEST_CASE_METHOD(test::IoFolder, "NRRD headers have a length, and so has what they say of units") {
  const std::string word(std::size_t{17} << 20, 'u');
  test::put(folder / "line.nrrd", nrrd("1 1 1", "space units: \"" + word + "\"") + "x");
  CHECK_THAT(test::errorOfReading(*io, (folder / "line.nrrd").string()).what(),
             ContainsSubstring("header is too long"));
  std::string lines;
  for (int n = 0; n < 400; ++n) lines += "# " + std::string(50000, 'c') + "\n";
  test::put(folder / "lines.nrrd", nrrd("1 1 1", lines + "endian: little") + "x");
  CHECK_THAT(test::errorOfReading(*io, (folder / "lines.nrrd").string()).what(),
             ContainsSubstring("header is too long"));
  test::put(folder / "unit.nrrd", nrrd("1 1 1", "space units: \"" + word.substr(0, 5000) + "\"") + "x");
  CHECK(io->probe((folder / "unit.nrrd").string(), {}).geometry.unit.size() < 100);
}

namespace {

Geometry geometryOfNrrd(VolumeIo& io, const test::TemporaryFolder& folder, const std::string& more) {
  test::put(folder / "g.nrrd", nrrd("2 2 2", more) + "abcdefgh");
  return io.probe((folder / "g.nrrd").string(), {}).geometry;
}

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "words in a NRRD header mean the same in any letters, with blanks around them") {
  for (const char* space : {"right-anterior-superior", "Right-Anterior-Superior", "ras", "RAS ", "\tRas"}) {
    CAPTURE(space);
    const Geometry g =
        geometryOfNrrd(*io, folder,
                       std::string("space:") + (space[0] == '\t' ? "" : " ") + space +
                           "\nspace directions: (2, 0, 0) ( 0,3,0) (0 , 0,4)\nspace origin: (10, 20,30)");
    CHECK(g.origin == std::array<double, 3>{-10, -20, 30});
    CHECK(g.spacing == std::array<double, 3>{2, 3, 4});
    CHECK(g.direction == std::array<double, 9>{-1, 0, 0, 0, -1, 0, 0, 0, 1});
  }
  for (const char* wrong : {"space: up-and-down", "space: RAS\nspace directions: (1,0,0) (0,1,0) (0,0,one)",
                            "space: RAS\nspace directions: (1,0) (0,1) (1,1)", "spacings: 1 2"})
    CHECK_THROWS_AS(geometryOfNrrd(*io, folder, wrong), Error);
  test::put(folder / "e.nrrd",
            "NRRD0004\ntype: UShort\nendian: Big \ndimension: 3\nsizes: 2 1 1\n"
            "kinds: Domain DOMAIN domain\nencoding: RAW\n\n" +
                std::string("\0\1\0\2", 4));
  const Volume volume = io->read((folder / "e.nrrd").string(), {}).volume;
  REQUIRE(volume.shape() == VolumeShape{2, 1, 1, 1});
  CHECK(volume.value(1, 0, 0) == 2);
}

TEST_CASE_METHOD(test::IoFolder, "a NRRD axis has its own ends and unit") {
  const Geometry nodes = geometryOfNrrd(*io, folder, "spacings: 2 3 4\naxis mins: 10 20 30\ncenters: node node cell");
  CHECK(nodes.origin == std::array<double, 3>{10, 20, 32});
  const Geometry ends = geometryOfNrrd(*io, folder, "axis mins: 0 0 0\naxis maxs: 6 6 4\ncenters: Node cell cell");
  CHECK(ends.spacing == std::array<double, 3>{6, 3, 2});
  CHECK(ends.origin == std::array<double, 3>{0, 1.5, 1});
  CHECK(ends.steps[0] == StepSource::Derived);
  const Geometry units = geometryOfNrrd(*io, folder, "spacings: 65 0.1 0.2\nunits: \"nm\" \"micron\" \"\"");
  CHECK(units.unit == "nm");
  CHECK(units.spacing[1] == Approx(100));
  CHECK(units.steps[2] == StepSource::Assumed);
  const Geometry world = geometryOfNrrd(*io, folder,
                                        "space dimension: 3\nspace directions: (0,1,0) (0.001,0,0) (0,0,1)\n"
                                        "space units: \"mm\" \"um\" \"mm\"\nspace origin: (1,2000,3)");
  CHECK(world.spacing == std::array<double, 3>{0.001, 0.001, 1});
  CHECK(world.origin == std::array<double, 3>{1, 2, 3});
}

TEST_CASE_METHOD(test::IoFolder, "channels and points in time of a NRRD are told apart") {
  const auto read = [&](const std::string& sizes, const std::string& kinds, int count) {
    std::string voxels;
    for (int n = 0; n < count; ++n) voxels += static_cast<char>(n);
    test::put(folder / "a.nrrd",
              "NRRD0004\ntype: uint8\ndimension: " + std::to_string(std::count(sizes.begin(), sizes.end(), ' ') + 1) +
                  "\nsizes: " + sizes + "\nkinds: " + kinds + "\nencoding: raw\n\n" + voxels);
    return io->read((folder / "a.nrrd").string(), {});
  };
  // Channel c of time t at x, as c + 10 t + ... of the file's order.
  const LoadedVolume around = read("3 5 4 2", "RGB-color domain domain time", 120);
  REQUIRE(around.volume.shape() == VolumeShape{5, 4, 1, 6});
  CHECK(around.info.metadata.frames == 2);
  CHECK(around.volume.value(1, 0, 0, 3 + 2) == 60 + 3 + 2);
  const LoadedVolume behind = read("2 2 2 3 2", "domain domain domain time vector", 48);
  CHECK(behind.info.metadata.frames == 3);
  CHECK(behind.volume.value(1, 0, 0, 2 * 2 + 1) == 1 + 8 * (2 + 3 * 1));
  CHECK_THROWS_AS(read("2 3 2 2 2", "time vector domain domain domain", 48), Error);
  WriteOptions options;
  options.metadata = behind.info.metadata;
  io->write(folder / "b.nrrd", behind.volume, options, {});
  const LoadedVolume again = io->read((folder / "b.nrrd").string(), {});
  CHECK(again.info.metadata.frames == 3);
  CHECK(test::sameVoxels(again.volume, behind.volume));
}

TEST_CASE_METHOD(test::IoFolder, "values of cells of a .vti file lie in their middle, and other arrays are named") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no VTK");
  const std::string head =
      "<VTKFile type=\"ImageData\" byte_order=\"LittleEndian\"><ImageData WholeExtent=\"1 3 0 1 0 0\" "
      "Origin=\"1 2 3\" Spacing=\"2 3 4\"><Piece Extent=\"1 3 0 1 0 0\"><CellData>";
  const std::string array = "<DataArray type=\"UInt8\" Name=\"", end = "</CellData></Piece></ImageData>";
  const std::string text = "\" format=\"ascii\">1 2</DataArray>";
  const std::string raw = "\" format=\"appended\" offset=\"0\"/>";
  test::put(folder / "a.vti", head + array + "one" + text + array + "two" + text + end + "</VTKFile>");
  test::put(folder / "b.vti", head + array + "one" + raw + array + "two" + raw + end +
                                  "<AppendedData encoding=\"raw\">_" + std::string("\2\0\0\0\1\n", 6) +
                                  "</AppendedData></VTKFile>");
  for (const char* name : {"a.vti", "b.vti"}) {
    CAPTURE(name);
    const LoadedVolume read = io->read((folder / name).string(), {});
    CHECK(read.volume.shape() == VolumeShape{2, 1, 1, 1});
    CHECK(read.volume.geometry().origin == std::array<double, 3>{4, 3.5, 3});
    CHECK_THAT(read.info.notices.back(), ContainsSubstring("\"one\" was read, and not \"two\""));
    if (name[0] == 'b') CHECK(io->openSource((folder / name).string(), {})->info().geometry == read.volume.geometry());
  }
}

TEST_CASE_METHOD(test::IoFolder, "a .vtk file may have its parts in any order, and its values in fields or cells") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build does not read .vtk");
  const std::string start = "# vtk DataFile Version 3.0\ntitle\nBINARY\nDATASET STRUCTURED_POINTS\n";
  const std::string places = "SPACING 2 3 4\nORIGIN 1 2 3\nDIMENSIONS 3 2 1\n";
  const std::string field = "FIELD FieldData 1\nTIME 1 1 double\n" + std::string(8, '\n') + "\n";
  const std::string one = "one 1 6 unsigned_char\nabcdef\n", two = "two 1 6 unsigned_char\nghijkl\n";
  const auto read = [&](const std::string& content) {
    test::put(folder / "a.vtk", content);
    return io->read((folder / "a.vtk").string(), {});
  };
  for (const std::string& values : {"SCALARS one unsigned_char\nLOOKUP_TABLE default\nabcdef\n" + ("FIELD f 1\n" + two),
                                    "FIELD f 2\n" + one + "METADATA\nINFORMATION 0\n\n" + two}) {
    const LoadedVolume loaded = read(start + field + places + "POINT_DATA 6\n" + values);
    REQUIRE(loaded.volume.shape() == VolumeShape{3, 2, 1, 1});
    CHECK(loaded.volume.geometry().origin == std::array<double, 3>{1, 2, 3});
    CHECK(loaded.volume.geometry().spacing == std::array<double, 3>{2, 3, 4});
    CHECK(loaded.volume.value(2, 1, 0) == 'f');
    CHECK(test::says(loaded.info, "\"one\" was read, and not \"two\""));
  }
  const LoadedVolume cells =
      read(start + places + "CELL_DATA 2\nSCALARS one unsigned_char 1\nLOOKUP_TABLE default\nab\n");
  CHECK(cells.volume.shape() == VolumeShape{2, 1, 1, 1});
  CHECK(cells.volume.geometry().origin == std::array<double, 3>{2, 3.5, 3});
  CHECK_THROWS_AS(read(start + places + "POINT_DATA 6\nFIELD f 1\none 1 6 unsigned_char\nabcde"), Error);
  const std::string text = "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET STRUCTURED_POINTS\n" + places +
                           "POINT_DATA 6\nFIELD f 2\none 1 6 short\n1 2 3 4\n5 6\ntwo 1 6 short\n1 2 3 4 5 6\n";
  CHECK(read(text).volume.value(2, 1, 0) == 6);
}

TEST_CASE_METHOD(test::IoFolder, "a MetaImage header with a senseless size is refused at once") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const char* sizes : {"1 -1 1", "0 1 1", "1e300 1 1", "nan 1 1", "two 1 1"}) {
    CAPTURE(sizes);
    test::put(folder / "v.mha", std::string("ObjectType = Image\nNDims = 3\nDimSize = ") + sizes +
                                    "\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nx");
    const Error error = test::errorOfReading(*io, (folder / "v.mha").string());
    CHECK(error.kind() == ErrorKind::BadData);
    CHECK_THAT(error.what(), ContainsSubstring("its header gives the size"));
  }
}

TEST_CASE_METHOD(test::IoFolder, "damaged lengths in DICOM files do not fill the memory") {
  const auto shared = test::sharedData();
  const std::filesystem::path whole = shared.value_or("") / "volumes/good/dicom/ct_head_slicer/CTHead34.dcm";
  if (!test::hasItk(*io) || !std::filesystem::exists(whole)) SSCOPE_SKIP("there are no shared files");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SSCOPE_SKIP("the sanitizers need all the address space");
#endif
  std::ifstream file(whole, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  // Behind the pixels: an element that claims to be 4 GiB long.
  test::put(folder / "long.dcm", content + std::string("\xe1\x7f\x10\x00\xf0\xff\xff\xff"
                                                       "abc",
                                                       11));
  constexpr long kMostKibibytes = 1 << 20;
  rusage before{}, after{};
  ::getrusage(RUSAGE_CHILDREN, &before);
  const Error error = test::errorOfReading(*io, (folder / "long.dcm").string());
  CHECK(error.kind() == ErrorKind::BadData);
  CHECK(test::isOneSentence(error.what()));
  ::getrusage(RUSAGE_CHILDREN, &after);
  // The largest child so far; a larger one before would hide this one.
  if (before.ru_maxrss < kMostKibibytes) CHECK(after.ru_maxrss < kMostKibibytes);
}

}  // namespace sscope
