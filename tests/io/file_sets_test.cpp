// Which files belong to an input, and which an output becomes.

#include <algorithm>
#include <fstream>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> namesOf(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE_METHOD(test::IoFolder, "everything that is written belongs to the input that it becomes") {
  const Volume volume = test::randomVolume({4, 3, 2, 1}, ElementType::u8, 1);
  for (const char* name : {"a.nrrd", "b.nhdr", "c.raw", "d.json", "e.raw.json", "f.mha", "g.mhd", "h.nii", "i.nii.gz",
                           "j.tif", "k.vti", "l.vtk", "m.h5", "n.NHDR", "o.mHd"}) {
    INFO(name);
    try {
      io->checkWritable(name, volume.shape(), volume.type());
    } catch (const Error&) {
      continue;  // a build without ITK
    }
    fs::create_directory(folder / "one");
    const fs::path file = folder / "one" / name;
    io->write(file, volume, {});
    Names there;
    for (const auto& entry : fs::directory_iterator(folder / "one")) there.push_back(entry.path().filename().string());
    std::sort(there.begin(), there.end());
    CHECK(namesOf(io->filesWritten(file)) == there);
    Names read = namesOf(io->filesRead(file.string()));
    read.erase(std::unique(read.begin(), read.end()), read.end());
    CHECK(read == there);
    fs::remove_all(folder / "one");
  }
}

TEST_CASE_METHOD(test::IoFolder, "lists and numbered rows of data files belong to their header") {
  for (const char* name : {"s001.raw", "s002.raw", "other.raw"}) writeTextFile(folder / name, "12345678");
  const std::string head = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 4\nencoding: raw\n";
  writeTextFile(folder / "list.nhdr", head + "data file: LIST\ns001.raw\ns002.raw\n");
  CHECK(namesOf(io->filesRead((folder / "list.nhdr").string())) == Names{"list.nhdr", "s001.raw", "s002.raw"});
  writeTextFile(folder / "row.nhdr", head + "data file: s%03d.raw 1 2 1\n\n");
  CHECK(namesOf(io->filesRead((folder / "row.nhdr").string())) == Names{"row.nhdr", "s001.raw", "s002.raw"});
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  const std::string meta = "ObjectType = Image\nNDims = 3\nDimSize = 2 2 4\nElementType = MET_UCHAR\n";
  writeTextFile(folder / "row.mhd", meta + "ElementDataFile = s%03d.raw 1 2 1\n");
  CHECK(namesOf(io->filesRead((folder / "row.mhd").string())) == Names{"row.mhd", "s001.raw", "s002.raw"});
  writeTextFile(folder / "list.mhd", meta + "ElementDataFile = LIST\ns001.raw\ns002.raw\n");
  CHECK(namesOf(io->filesRead((folder / "list.mhd").string())) == Names{"list.mhd", "s001.raw", "s002.raw"});
}

TEST_CASE("folders, patterns and what cannot be read") {
  const test::TemporaryFolder folder;
  const auto io = makeVolumeIo();
  for (const char* name : {"cut_1.png", "cut_02.png", "else.png", "notes.txt"}) writeTextFile(folder / name, "x");
  CHECK(namesOf(io->filesRead((folder / "cut_%d.png").string())) == Names{"cut_02.png", "cut_1.png"});
  CHECK(namesOf(io->filesRead((folder / "*.png").string())) == Names{"cut_02.png", "cut_1.png", "else.png"});
  // Of a folder of pictures these alone, where pictures are read; of another all.
  CHECK(io->filesRead(folder.path().string()).size() == (test::hasItk(*io) ? 3U : 4U));
  const test::TemporaryFolder others;
  for (const char* name : {"one", "two"}) writeTextFile(others / name, "x");
  CHECK(io->filesRead(others.path().string()).size() == 2);
  for (const std::string& path : {(folder / "none.nrrd").string(), (folder / "none_%d.png").string(),
                                  (folder / "notes.txt").string(), std::string("/dev/null")}) {
    INFO(path);
    CHECK(io->filesRead(path) == std::vector<fs::path>{path});
  }
  // Damaged headers: what is known of them.
  writeTextFile(folder / "bad.json", "{");
  CHECK(io->filesRead((folder / "bad.json").string()) == std::vector<fs::path>{folder / "bad.json"});
  writeTextFile(folder / "bad.nhdr", "NRRD0004\ndata file: gone.raw\n\n");
  CHECK(namesOf(io->filesRead((folder / "bad.nhdr").string())) == Names{"bad.nhdr", "gone.raw"});
}

TEST_CASE_METHOD(test::IoFolder, "the halves of a pair belong together") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  std::string header(348, '\0');
  header[0] = 0x5c;
  header[1] = 0x01;
  header.replace(344, 3, "ni1");
  writeTextFile(folder / "p.hdr", header);
  writeTextFile(folder / "p.img", "voxels");
  const auto contains = [&](const char* named, const char* other) {
    const Names names = namesOf(io->filesRead((folder / named).string()));
    return std::find(names.begin(), names.end(), other) != names.end();
  };
  CHECK(contains("p.hdr", "p.img"));
  CHECK(contains("p.img", "p.hdr"));
  writeTextFile(folder / "P.HDR", header);
  writeTextFile(folder / "P.IMG", "voxels");
  CHECK(contains("P.HDR", "P.IMG"));
  CHECK(contains("P.IMG", "P.HDR"));
}
