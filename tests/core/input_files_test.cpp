// What must not be replaced, however it is named: the rule of every program, which above core only has to ask it.

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/filter/families/filter_files.h"
#include "core/job/input_files.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
namespace fs = std::filesystem;

namespace {

// "x.head" comes with "x.body", and so does a body that is named by itself; the text of a head is its body's name.
class PairIo : public VolumeIo {
 public:
  LoadedVolume read(const std::string&, const Control&) override { return {}; }
  VolumeInfo probe(const std::string&, const Control&) override { return {}; }
  void write(const fs::path&, const Volume&, const WriteOptions&, const Control&) override {}
  [[nodiscard]] std::vector<FileFormat> formats() const override { return {}; }
  void checkWritable(const fs::path&, const VolumeShape&, ElementType) const override {}
  [[nodiscard]] std::vector<fs::path> filesRead(const std::string& path) const override {
    return {path, fs::path(path).parent_path() / readTextFile(path)};
  }
  [[nodiscard]] std::vector<fs::path> filesWritten(const fs::path& path) const override {
    return {fs::path(path).replace_extension(".head"), fs::path(path).replace_extension(".body")};
  }
};

// A head x.head with its body, links to both, and another pair.
struct Pairs {
  Pairs() {
    fs::create_directories(folder / "sub/deep");
    for (const char* name : {"x", "y"}) {
      writeTextFile(folder / (std::string(name) + ".head"), std::string(name) + ".body");
      writeTextFile(folder / (std::string(name) + ".body"), "b");
    }
    writeTextFile(folder / "sub/deep/in", "i");
    fs::create_symlink("../x.body", folder / "sub/soft");
    fs::create_hard_link(body, folder / "hard");
    fs::create_directory_symlink("sub", folder / "door");
    files.add(PairIo(), head);
    files.add("");
    files.add("-");
    files.add((folder / "sub/deep/in").string());
    files.add((folder / "door/later").string());
  }
  test::TemporaryFolder folder;
  std::string head = folder / "x.head", body = folder / "x.body";
  InputFiles files;
};

}  // namespace

TEST_CASE("an output that is an input or belongs to one is refused by every name it has") {
  const Pairs pairs;
  const std::string head = pairs.head, in = pairs.folder / "sub/deep/in";
  const struct {
    const char* target;
    std::string refusal;  // behind the target; empty: it may be written
  } rows[] = {{"x.head", " over " + head + ", which is read; choose another name"},
              {"x.body", ", a part of " + head + ", which is read; choose another name"},
              {"sub/../x.body", ", a part of " + head},
              {"sub/soft", ", a part of " + head},
              {"door/soft", ", a part of " + head},
              {"hard", ", a part of " + head},
              {"door/deep/in", " over " + in},
              {"sub", ", a folder that holds " + in + ", which is read"},
              {"door/deep", ", a folder that holds " + in},
              {"sub/later", " over " + (pairs.folder / "door/later").string()},  // which is not there yet
              {"y.head", ""},
              {"x.other", ""},
              {"sub/x.body", ""},
              {"sub/deep/free", ""}};
  for (const auto& row : rows) {
    const fs::path target = pairs.folder / row.target;
    INFO(target);
    const std::string refusal = refusalToReplace(pairs.files, {pairs.folder / "free", target}, "read");
    CHECK(refusal.empty() == row.refusal.empty());
    if (!row.refusal.empty()) CHECK_THAT(refusal, ContainsSubstring("cannot write " + target.string() + row.refusal));
  }
  CHECK_THAT(refusalToReplace(pairs.files, {pairs.head}, "open"), ContainsSubstring("which is open"));
  CHECK_FALSE(pairs.files.inputOf({}));
  CHECK_FALSE(InputFiles().inputOf(head));
  // Another program has replaced it: another file for the disk, the same one for people.
  fs::remove(pairs.body);
  CHECK(pairs.files.inputOf(pairs.body) == head);
  writeTextFile(pairs.body, "new");
  CHECK(pairs.files.inputOf(pairs.body) == head);
}

TEST_CASE("a data file is replaced with its own header only") {
  const Pairs pairs;
  writeTextFile(pairs.folder / "other.head", "elsewhere.body");
  writeTextFile(pairs.folder / "other.body", "b");
  writeTextFile(pairs.folder / "alone.body", "b");
  writeTextFile(pairs.folder / "empty.head", "elsewhere.body");
  const struct {
    const char* volume;
    const char* refusal;
    bool asked;
  } rows[] = {{"x.head", "", false},
              {"x.body", "", false},
              {"new.head", "", false},
              {"new.body", "", false},
              {"other.head", "other.body, which does not belong to it", false},
              {"alone.head", "alone.body, which does not belong to it", false},
              {"alone.head", "", true},  // a person has agreed to replace both
              {"alone.body", "it exists already, without its header", false},
              {"empty.head", "", false},
              {"empty.body", "empty.head, which does not belong to it", false}};
  for (const auto& row : rows) {
    CAPTURE(row.volume, row.asked);
    const auto require = [&] { requireOwnData(PairIo(), pairs.folder / row.volume, row.asked); };
    if (*row.refusal == 0)
      CHECK_NOTHROW(require());
    else
      CHECK_THROWS_WITH(require(), ContainsSubstring(row.refusal));
  }
}

TEST_CASE("the file of custom taps is found in the spec") {
  CHECK(tapsFileOf("custom:file=a.json") == "a.json");
  CHECK(tapsFileOf("custom:flip=true,file=d/a=b.json,name=x") == "d/a=b.json");
  for (const char* without : {"custom", "gaussian:sigma=1", ""}) CHECK(tapsFileOf(without).empty());
}

TEST_CASE_METHOD(test::InFolder, "a file is found among many by its name and by its inode") {
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
