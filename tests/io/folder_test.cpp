// Folders of pictures, and of what is not.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/io/base/file_names.h"
#include "core/io/volume_io.h"
#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

void writeSlices(VolumeIo& io, const fs::path& folder, const std::string& extension, int count) {
  for (int i = 1; i <= count; ++i) {
    Volume slice({5, 4, 1, 1}, ElementType::u8);
    for (auto& element : slice.elements<std::uint8_t>()) element = static_cast<std::uint8_t>(10 * i);
    io.write(folder / ("slice_" + std::to_string(i) + extension), slice, {});
  }
}

std::string refusal(VolumeIo& io, const fs::path& folder) {
  try {
    static_cast<void>(io.probe(folder.string(), {}));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a folder of numbered pictures is a volume") {
  const auto io = makeVolumeIo();
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  for (const std::string extension : {".png", ".tif", ".PNG"}) {
    CAPTURE(extension);
    const test::TemporaryFolder folder;
    writeSlices(*io, folder.path(), extension, 11);
    // Fewer than half are others, and hidden ones do not count.
    writeTextFile(folder / "notes.txt", "a note");
    for (const char* hidden : {".DS_Store", "._slice_1.png", "._slice_1.tif", "._slice_1.PNG"})
      for (int i = 0; i < 20; ++i) writeTextFile(folder / (hidden + std::to_string(i) + extension), "x");
    const LoadedVolume loaded = io->read(folder.path().string(), {});
    CHECK(loaded.volume.shape() == VolumeShape{5, 4, 11, 1});
    CHECK(loaded.volume.value(0, 0, 1) == 20);  // not slice_10
    CHECK(loaded.volume.value(0, 0, 10) == 110);
    CHECK(io->read(folder.path().string() + "/@c=0", {}).volume.shape().nz == 11);
    const auto read = io->filesRead(folder.path().string());
    CHECK(read.size() == 11);
    CHECK(std::none_of(read.begin(), read.end(), [](const fs::path& file) { return file.extension() == ".txt"; }));
  }
}

TEST_CASE_METHOD(test::IoFolder, "a folder of which nothing can be made says what is in it") {
  CHECK_THAT(refusal(*io, folder.path()), ContainsSubstring("holds no files"));
  for (const char* name : {"a.txt", "b.txt", "c.csv", "README", ".hidden"}) writeTextFile(folder / name, "x");
  CHECK_THAT(refusal(*io, folder.path()),
             ContainsSubstring("2 .txt files, 1 file without an extension and 1 .csv file"));
  CHECK(io::filesText(folder.path().string()) == "2 .txt files, 1 file without an extension and 1 .csv file");
  for (const char* name : {"d.1", "e.2", "f.3"}) writeTextFile(folder / name, "x");
  CHECK_THAT(io::filesText(folder.path().string()), ContainsSubstring(" and 2 others"));
  CHECK(io::picturesOf(folder.path().string()).empty());
  CHECK(io::picturesOf((folder / "none").string()).empty());
}

TEST_CASE_METHOD(test::IoFolder, "a folder that may not be read, or is not there, is not called empty") {
  CHECK_THAT(refusal(*io, folder / "none/*.png"), ContainsSubstring("no such file"));
  if (::geteuid() == 0) SSCOPE_SKIP("root may read every folder");
  REQUIRE(::chmod(folder.path().c_str(), 0) == 0);
  CHECK_THAT(refusal(*io, folder.path()), ContainsSubstring("you may not read it"));
  CHECK_THAT(refusal(*io, folder / "*.png"), ContainsSubstring("you may not read it"));
  ::chmod(folder.path().c_str(), 0700);
}

TEST_CASE_METHOD(test::IoFolder, "a folder of very many things is not searched to its end, and says so") {
  if (!test::hasItk(*io)) SSCOPE_SKIP("this build has no ITK");
  constexpr int kFolders = 51, kEach = 1000;
  writeTextFile(folder / "note", std::string(200, 'a'));
  for (int f = 0; f < kFolders; ++f) {
    const fs::path inner = folder / std::to_string(f);
    fs::create_directory(inner);
    for (int i = 0; i < kEach; ++i) fs::create_hard_link(folder / "note", inner / std::to_string(i));
  }
  fs::remove(folder / "note");
  CHECK(refusal(*io, folder.path()).find("none of the first 50000 files and folders in it is DICOM") !=
        std::string::npos);
  for (int f = 1; f < kFolders; ++f) fs::remove_all(folder / std::to_string(f));
  CHECK(refusal(*io, folder.path()).find("first 50000") == std::string::npos);
}
