// What must not be replaced, however it is spelled.

#include <fstream>

#include "core/base/paths.h"
#include "core/filter/families/filter_files.h"
#include "core/job/input_files.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

// "x.head" comes with "x.body".
class PairIo : public VolumeIo {
 public:
  LoadedVolume read(const std::string&, const Control&) override { return {}; }
  VolumeInfo probe(const std::string&, const Control&) override { return {}; }
  void write(const fs::path&, const Volume&, const WriteOptions&, const Control&) override {}
  [[nodiscard]] std::vector<FileFormat> formats() const override { return {}; }
  void checkWritable(const fs::path&, const VolumeShape&, ElementType) const override {}
  [[nodiscard]] std::vector<fs::path> filesRead(const std::string& path) const override {
    return {path, fs::path(path).replace_extension(".body")};
  }
  [[nodiscard]] std::vector<fs::path> filesWritten(const fs::path& path) const override { return {path}; }
};

}  // namespace

TEST_CASE("a file that belongs to an input is known by every name it has") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  const std::string head = folder / "x.head", body = folder / "x.body";
  writeTextFile(head, "h");
  writeTextFile(body, "b");
  fs::create_symlink("../x.body", folder / "sub" / "soft");
  fs::create_hard_link(body, folder / "hard");
  fs::create_directory_symlink("sub", folder / "door");
  InputFiles files;
  files.add(PairIo(), head);
  for (const fs::path& same : {fs::path(head), fs::path(body), folder / "sub" / ".." / "x.body",
                               folder / "sub" / "soft", folder / "door" / "soft", folder / "hard"}) {
    INFO(same);
    CHECK(files.inputOf(same) == head);
  }
  CHECK_FALSE(files.inputOf(folder / "x.other"));
  CHECK_FALSE(files.inputOf(folder / "sub" / "x.body"));
  CHECK_FALSE(files.inputOf({}));
  CHECK_FALSE(InputFiles().inputOf(head));
  // Replaced by somebody else meanwhile: another file for the disk, the same one for people.
  fs::remove(body);
  CHECK(files.inputOf(body) == head);
  writeTextFile(body, "new");
  CHECK(files.inputOf(body) == head);
  // Of a file that was not there yet.
  InputFiles missing;
  missing.add((folder / "door" / "later").string());
  CHECK(missing.inputOf(folder / "sub" / "later"));
}

TEST_CASE("the refusal names the target and the input it belongs to") {
  const test::TemporaryFolder folder;
  const std::string head = folder / "x.head", body = folder / "x.body";
  writeTextFile(head, "h");
  InputFiles files;
  files.add(PairIo(), head);
  files.add("");
  files.add("-");
  CHECK(refusalToReplace(files, {folder / "free"}, "read").empty());
  CHECK(refusalToReplace(files, {folder / "free", head}, "read") ==
        "cannot write " + head + " over " + head + ", which is read; choose another name");
  CHECK(refusalToReplace(files, {body}, "open") ==
        "cannot write " + body + ", a part of " + head + ", which is open; choose another name");
}

TEST_CASE("the file of custom taps is found in the spec") {
  CHECK(tapsFileOf("custom:file=a.json") == "a.json");
  CHECK(tapsFileOf("custom:flip=true,file=d/a=b.json,name=x") == "d/a=b.json");
  CHECK(tapsFileOf("custom") == "");
  CHECK(tapsFileOf("gaussian:sigma=1") == "");
  CHECK(tapsFileOf("") == "");
}

TEST_CASE("a file is found among many by its name and by its inode") {
  const test::TemporaryFolder folder;
  FileIndex index;
  CHECK(index.empty());
  for (std::size_t i = 0; i < 10000; ++i)
    REQUIRE(index.add(FileIdentity::of(folder / (std::to_string(i) + ".nrrd")), i));
  CHECK_FALSE(index.empty());
  CHECK(index.find(FileIdentity::of(folder / "sub/../1234.nrrd")) == 1234);
  CHECK_FALSE(index.find(FileIdentity::of(folder / "10000.nrrd")));
  CHECK_FALSE(index.add(FileIdentity::of(folder / "9999.nrrd"), 5));
  CHECK(index.find(FileIdentity::of(folder / "9999.nrrd")) == 9999);
  writeTextFile(folder / "one", "1");
  fs::create_hard_link(folder / "one", folder / "two");
  CHECK(index.add(FileIdentity::of(folder / "one"), 1));
  CHECK_FALSE(index.add(FileIdentity::of(folder / "two"), 2));
  fs::remove(folder / "two");
  CHECK(index.find(FileIdentity::of(folder / "two")) == 2);  // by its name, now that it is gone
}
