// Nothing that is written replaces anything that is read, nor any other output.

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"
#include "core/session/session.h"
#include "tests/cli/program.h"
#include "tests/cli/shell.h"
#include "tests/support/catch.h"
#include "tests/support/programs.h"

using namespace sscope;
using namespace sscope::test;
namespace fs = std::filesystem;

namespace {

// Wrong usage, told in one line, and no file of the folder is touched.
void refused(const fs::path& folder, const Arguments& arguments, const std::string& part) {
  std::vector<std::pair<std::string, std::string>> before, after;
  for (const std::string& name : filesIn(folder))
    if (fs::is_regular_file(folder / name)) before.emplace_back(name, readTextFile(folder / name));
  const Outcome outcome = run(arguments);
  std::string all;
  for (const std::string& argument : arguments) all += argument + " ";
  INFO(all << "\n" << outcome.err);
  CHECK(outcome.status == 2);
  CHECK(lineCount(outcome.err) == 1);
  CHECK(contains(outcome.err, part));
  CHECK(outcome.out.empty());
  for (const std::string& name : filesIn(folder))
    if (fs::is_regular_file(folder / name)) after.emplace_back(name, readTextFile(folder / name));
  CHECK((before == after));
}

void write(const fs::path& file) { REQUIRE(run({"sample", "gyroid", "--size", "8", "-o", file}).status == 0); }

mode_t modeOf(const fs::path& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("no output replaces an input, by whatever name") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd";
  write(in);
  fs::create_symlink("in.nrrd", folder / "soft.nrrd");
  fs::create_hard_link(in, folder / "hard.nrrd");
  fs::create_directory(folder / "sub");
  for (const std::string& out : {in, (folder / "sub" / ".." / "in.nrrd").string(), (folder / "soft.nrrd").string(),
                                 (folder / "hard.nrrd").string()}) {
    refused(folder.path(), {"filter", in, "-o", out, "--filter", "box"}, "which is read");
    refused(folder.path(), {"filter", out, "-o", in, "--filter", "box"}, "which is read");
    refused(folder.path(), {"dwt", "forward", in, "-o", out}, "which is read");
    refused(folder.path(), {"magic", "forward", in, "-o", out}, "which is read");
    refused(folder.path(), {"bench", "filter", "--input", in, "--report", out}, "which is read");
    refused(folder.path(), {"convert", in, "-o", out}, "which is read");
    refused(folder.path(), {"convert", in + "@c=0", "-o", out}, "which is read");
  }
  // By a filter's name.
  refused(folder.path(), {"filter", in, "-o", folder / "{}.nrrd", "--filter", "box:name=in", "--filter", "sobel"},
          "which is read");
}

TEST_CASE("no output replaces the voxels of a header that is read") {
  const TemporaryFolder folder;
  const std::string x = folder / "x.nhdr", data = folder / "x.raw";
  write(x);
  for (const char* out : {"x.json", "x.raw", "x.raw.json"})
    refused(folder.path(), {"filter", x, "-o", folder / out, "--filter", "box"}, "x.raw");
  refused(folder.path(), {"filter", x, "-o", folder / "y.nrrd", "--filter", "box", "--json", data}, "x.raw");
  refused(folder.path(), {"bench", "filter", "--input", x, "--csv", data}, "x.raw");
  if (hasItk()) {
    refused(folder.path(), {"filter", x, "-o", folder / "x.mhd", "--filter", "box"}, "x.raw");
    write(folder / "m.mhd");
    refused(folder.path(), {"filter", folder / "m.mhd", "-o", folder / "m.nhdr", "--filter", "box"}, "m.raw");
    refused(folder.path(), {"dwt", "forward", folder / "m.mhd", "-o", folder / "m.json"}, "m.raw");
  }
}

TEST_CASE("convert replaces no part of an input, nor any of a batch") {
  const TemporaryFolder folder;
  const std::string x = folder / "x.nhdr";
  write(x);
  for (const char* out : {"x.json", "x.raw", "x.raw.json"})
    refused(folder.path(), {"convert", x, "-o", folder / out}, "x.raw");
  // Braces stand for nothing here: they are a part of the name.
  write(folder / "a{}.nrrd");
  refused(folder.path(), {"convert", folder / "a{}.nrrd", "-o", folder / "a{}.nrrd"}, "which is read");
  fs::create_directory(folder / "sub");
  write(folder / "sub/a.nrrd");
  write(folder / "x-a.nrrd");
  const std::string first = folder / "sub/a.nrrd", second = folder / "x-a.nrrd";
  for (const char* command : {"convert", "filter"}) {
    Arguments arguments{command, first, second, "-o", folder / "x-{stem}.nrrd"};
    if (command == std::string("filter")) arguments.insert(arguments.end(), {"--filter", "box"});
    refused(folder.path(), arguments, "x-a.nrrd, which is read");
  }
  refused(folder.path(), {"convert", first, x, "-o", folder / "x.json"}, "{stem}");
  refused(folder.path(), {"convert", first, x, "-o", folder / "{stem}.json"}, "x.raw");
  // What only ends alike is another file.
  CHECK(run({"convert", first, "-o", folder / "b.nrrd"}).status == 0);
  if (hasItk()) {
    write(folder / "m.mhd");
    refused(folder.path(), {"convert", folder / "m.mhd", "-o", folder / "m.nhdr"}, "m.raw");
    refused(folder.path(), {"convert", folder / "m.mhd", first, "-o", folder / "{stem}.nhdr"}, "m.raw");
  }
}

TEST_CASE("a file that comes through the standard input is an input") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", err = folder / "err";
  write(in);
  const std::string before = readTextFile(in);
  CHECK(shell("sscope convert - -o " + in + " < " + in + " 2> " + err) == 2);
  CHECK(contains(readTextFile(err), "which is read"));
  CHECK(readTextFile(in) == before);
}

TEST_CASE("banks, taps and sessions are inputs as well") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", bank = folder / "bank.json", taps = folder / "taps.json",
                    session = folder / "session.json", out = folder / "out.nrrd";
  write(in);
  writeTextFile(bank, R"({"schema":"stencilscope.bank/1","filters":[{"type":"box"}]})");
  writeTextFile(taps, R"({"size":[3,1,1],"taps":[1,2,1]})");
  Session saved;
  saved.data.path = in;
  saved.bank.filters.push_back(parseFilterSpec("box"));
  writeSession(session, saved);
  refused(folder.path(), {"filter", in, "-o", bank, "--bank", bank}, "bank.json");
  refused(folder.path(), {"filter", in, "-o", out, "--bank", bank, "--json", bank}, "bank.json");
  refused(folder.path(), {"filter", in, "-o", taps, "--filter", "custom:file=" + taps}, "taps.json");
  refused(folder.path(), {"magic", "forward", in, "-o", taps, "--taps", taps}, "taps.json");
  refused(folder.path(), {"run", session, "-o", session}, "session.json");
  refused(folder.path(), {"run", session, "--json", session}, "session.json");
  refused(folder.path(), {"run", session, "-o", in}, "in.nrrd");
  refused(folder.path(), {"run", session, "--data", in, "--json", in}, "in.nrrd");
  refused(folder.path(), {"bench", "filter", "--param", "filter=custom:file=" + taps, "--json", taps}, "taps.json");
  refused(folder.path(), {"bench", "magic", "--param", "taps=" + taps, "--json", taps}, "taps.json");
}

TEST_CASE("two outputs do not replace each other") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nhdr";
  write(in);
  refused(folder.path(), {"filter", in, "-o", out, "--filter", "box", "--json", folder / "out.raw"}, "two outputs");
  refused(folder.path(), {"filter", in, "-o", out, "--filter", "box", "--json", out}, "two outputs");
  refused(folder.path(), {"dwt", "forward", in, "-o", folder / "c.json", "--json", folder / "c.json"}, "two outputs");
  refused(folder.path(),
          {"filter", in, "-o", folder / "{}.json", "--filter", "box:name=a", "--filter", "box:name=a.raw,size=5"},
          "two outputs");
  fs::create_directory(folder / "real");
  fs::create_directory_symlink("real", folder / "link");
  refused(folder.path(), {"bench", "filter", "--json", folder / "real/r.txt", "--csv", folder / "link/r.txt"},
          "two outputs");
}

TEST_CASE("other files are replaced and keep their mode") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nhdr", report = folder / "report.json";
  write(in);
  write(out);
  writeTextFile(report, "old");
  for (const std::string& file : {out, (folder / "out.raw").string(), report}) fs::permissions(file, fs::perms(0640));
  const std::string before = readTextFile(folder / "out.raw");
  REQUIRE(run({"filter", in, "-o", out, "--filter", "box", "--json", report}).status == 0);
  CHECK(readTextFile(folder / "out.raw") != before);
  CHECK(contains(readTextFile(report), "stencilscope.filter/1"));
  for (const std::string& file : {out, (folder / "out.raw").string(), report}) CHECK(modeOf(file) == 0640);
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd", "out.nhdr", "out.raw", "report.json"});
}

TEST_CASE("a session whose data moved runs where they are now") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  const std::string in = folder / "a" / "in.nrrd", session = folder / "a" / "s.json";
  write(in);
  Session saved;
  saved.data.path = in;
  saved.bank.filters.push_back(parseFilterSpec("box"));
  writeSession(session, saved);
  fs::rename(folder / "a", folder / "b");
  CHECK(run({"run", folder / "b/s.json"}).status == 0);
  fs::rename(folder / "b/in.nrrd", folder / "elsewhere.nrrd");
  const Outcome lost = run({"run", folder / "b/s.json"});
  CHECK(lost.status == 1);
  CHECK(lineCount(lost.err) == 1);
  CHECK(contains(lost.err, "in.nrrd"));
  CHECK(contains(lost.err, "--data FILE"));
  const Outcome found =
      run({"run", folder / "b/s.json", "--data", folder / "elsewhere.nrrd", "-o", folder / "out.nrrd"});
  INFO(found.err);
  CHECK(found.status == 0);
  CHECK(readVolume(folder / "out.nrrd").shape() == readVolume(folder / "elsewhere.nrrd").shape());
}

TEST_CASE("a data file is replaced with its own header only") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", header = folder / "v.nhdr";
  write(in);
  if (hasItk()) {
    REQUIRE(run({"convert", in, "-o", folder / "v.mhd"}).status == 0);
    refused(folder.path(), {"convert", in, "-o", header}, "v.raw, which does not belong to it");
    refused(folder.path(), {"sample", "foam", "--size", "8", "-o", header}, "v.raw, which does not belong to it");
    CHECK(run({"sample", "foam", "--size", "8", "-o", folder / "v.mhd"}).status == 0);
    fs::remove(folder / "v.mhd");
    fs::remove(folder / "v.raw");
  }
  REQUIRE(run({"convert", in, "-o", header}).status == 0);
  CHECK(run({"convert", in, "-o", header}).status == 0);
  // Named by itself, a data file is that of another header all the same.
  for (const Arguments& command : {Arguments{"convert", in}, Arguments{"filter", in, "--filter", "box"},
                                   Arguments{"sample", "foam", "--size", "8"}})
    refused(folder.path(), joined(command, {"-o", folder / "v.raw"}), "it exists already");
  // A header that is there, but names other voxels.
  REQUIRE(run({"convert", in, "-o", folder / "w.nhdr"}).status == 0);
  std::string text = readTextFile(folder / "v.nhdr");
  text.replace(text.find("v.raw"), 5, "w.raw");
  writeTextFile(folder / "v.nhdr", text);
  refused(folder.path(), {"convert", in, "-o", header}, "v.raw, which does not belong to it");
  writeTextFile(folder / "bank.json", "{}");
  refused(folder.path(), {"convert", in, "-o", folder / "bank.raw"}, "bank.json, which does not belong to it");
  refused(folder.path(), {"filter", in, "-o", folder / "{}.raw", "--filter", "box:name=bank"}, "does not belong to it");
}
