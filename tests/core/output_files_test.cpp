// Naming the files of a bank's results.

#include <fstream>

#include "core/base/error.h"
#include "core/job/output_files.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// Takes ".one" with one component and ".any" with any number.
class FakeIo : public VolumeIo {
 public:
  LoadedVolume read(const std::string&, const Control&) override { return {}; }
  VolumeInfo probe(const std::string&, const Control&) override { return {}; }
  void write(const std::filesystem::path&, const Volume&, const WriteOptions&, const Control&) override {}
  [[nodiscard]] std::vector<FileFormat> formats() const override { return {}; }
  void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType) const override {
    if (path.extension() == ".any" || (path.extension() == ".one" && shape.components == 1)) return;
    throw Error(ErrorKind::Unsupported, "the format cannot hold " + std::to_string(shape.components) + " components");
  }
};

std::string refusal(const std::string& pattern, const std::vector<std::string>& names) {
  try {
    static_cast<void>(planOutputs(FakeIo(), pattern, names, {4, 4, 4, 1}, ElementType::f32));
  } catch (const Error& error) {
    CHECK(error.kind() != ErrorKind::Device);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("every placeholder becomes the filter's name, which leads to no other folder") {
  using Files = std::vector<std::filesystem::path>;
  CHECK(outputFiles("a.nrrd", {"x", "y"}) == Files{"a.nrrd"});
  CHECK(outputFiles("{}/a-{}.nrrd", {"x", "y"}) == Files{"x/a-x.nrrd", "y/a-y.nrrd"});
  CHECK(outputFiles("d/a-{}.nrrd", {"../evil", "b\\c", "{}"}) ==
        Files{"d/a-.._evil.nrrd", "d/a-b_c.nrrd", "d/a-{}.nrrd"});
  CHECK(outputFiles("{}.nrrd", {"one\ntwo"}) == Files{"one_two.nrrd"});
}

TEST_CASE("placeholders in names of inputs and filters stand for nothing", "[unit]") {
  const std::string stem = inputStem(FakeIo(), "scans/x{}y{stem}.nrrd");
  CHECK(stem == "x__y{stem}");
  CHECK(outputFiles(withStem("{stem}-{}.nrrd", stem), {"{stem}", "{}"}) ==
        std::vector<std::filesystem::path>{"x__y{stem}-{stem}.nrrd", "x__y{stem}-{}.nrrd"});
}

TEST_CASE_METHOD(test::InFolder, "an input's stem ends where its choice begins, as when it is read") {
  const FakeIo io;
  CHECK(inputStem(io, "data@run=1/brain.nrrd") == "brain");
  CHECK(inputStem(io, "run.nrrd@t=3,c=1") == "run-c1-t3");
  CHECK(inputStem(io, "scans/@series=2") == "scans-series2");
  std::ofstream(folder.path() / "a@t=3.nrrd") << "a file of this name";
  CHECK(inputStem(io, (folder.path() / "a@t=3.nrrd").string()) == "a@t=3");
}

TEST_CASE_METHOD(test::InFolder, "several filters share a file only where it can hold them") {
  const auto plan = [&](const char* name, const std::vector<std::string>& names) {
    return planOutputs(FakeIo(), (folder / name).string(), names, {4, 4, 4, 1}, ElementType::f32);
  };
  CHECK_FALSE(plan("a.one", {"x"}).interleaved);
  CHECK_FALSE(plan("{}.one", {"x", "y"}).interleaved);
  CHECK(plan("{}.one", {"x", "y"}).files == std::vector<std::filesystem::path>{folder / "x.one", folder / "y.one"});
  CHECK(plan("a.any", {"x", "y"}).interleaved);
  const std::string full = refusal((folder / "a.one").string(), {"x", "y"});
  CHECK_THAT(full, ContainsSubstring("2 filters in one file") && ContainsSubstring("{}"));
}

TEST_CASE_METHOD(test::InFolder, "what can be known before the run is told before it") {
  CHECK_THAT(refusal((folder / "{}.one").string(), {"x", "y", "x"}), ContainsSubstring("the same file"));
  CHECK_THAT(refusal((folder / "none" / "a.one").string(), {"x"}), ContainsSubstring("none"));
  CHECK_FALSE(refusal((folder / "a.unknown").string(), {"x"}).empty());
  CHECK(refusal((folder / "a.one").string(), {"x"}).empty());
}

TEST_CASE_METHOD(test::InFolder, "of ten thousand filters the two that would write one file are found") {
  std::vector<std::string> names;
  for (int i = 0; i < 10000; ++i) names.push_back("f" + std::to_string(i));
  const std::string pattern = folder / "{}.one";
  CHECK(refusal(pattern, names).empty());
  names.back() = "f1234";
  CHECK_THAT(refusal(pattern, names),
             ContainsSubstring("two filters would write the same file") && ContainsSubstring("f1234.one"));
}

TEST_CASE("results say what their input's file said, unless several become one") {
  Metadata metadata;
  metadata.frames = 2;
  metadata.fields = {{"study", "seven"}};
  CHECK(writeOptionsFor({{"a.any"}, false}, metadata, {}).metadata == metadata);
  CHECK(writeOptionsFor({{"a.any"}, false}, metadata, {.metadata = {}, .compress = true}).compress);
  const Metadata together = writeOptionsFor({{"a.any"}, true}, metadata, {}).metadata;
  CHECK(together.frames == 1);
  CHECK(together == withoutComponents(metadata));
}
