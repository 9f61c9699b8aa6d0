#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE_METHOD(test::InFolder, "relative data paths are relative to the session file") {
  Session session;
  session.data.path = "scans/brain.nii.gz";
  LatticeSettings lattice;
  lattice.configuration.path = "../l8.nersc";
  session.put(lattice);
  writeSession((folder / "s.json").string(), session);
  CHECK(readSession((folder / "s.json").string()).data.path == (folder / "scans/brain.nii.gz").string());
  CHECK(readSession((folder / "s.json").string()).get<LatticeSettings>().configuration.path ==
        (folder.path().parent_path() / "l8.nersc").string());
}

TEST_CASE_METHOD(test::InFolder, "a session finds its data where they stayed and where they moved with it") {
  namespace fs = std::filesystem;
  fs::create_directories(folder / "work" / "scans");
  const fs::path session = folder / "work" / "s.json";
  const std::string brain = folder / "work" / "scans" / "brain.nii", taps = folder / "work" / "taps.txt",
                    links = folder / "l8.nersc", slices = folder / "work" / "scans" / "cut_%03d.png";
  for (const std::string& file : {brain, taps, links, (folder / "work" / "scans" / "cut_007.png").string()})
    writeTextFile(file, "x");
  Session saved;
  saved.data.path = GENERATE(0, 1) == 0 ? brain : slices;
  WaveletSettings wavelet;
  wavelet.taps = taps;
  saved.put(wavelet);
  LatticeSettings lattice;
  lattice.configuration.path = links;
  saved.put(lattice);
  writeSession(session.string(), saved);
  CHECK(readSession(session.string()) == saved);
  SECTION("the session moves alone") {
    fs::create_directory(folder / "other");
    fs::rename(session, folder / "other" / "s.json");
    CHECK(readSession((folder / "other" / "s.json").string()) == saved);
  }
  SECTION("it moves with its data") {
    fs::create_directory(folder / "new");
    fs::rename(folder / "work", folder / "new" / "project");
    fs::rename(folder / "l8.nersc", folder / "new" / "l8.nersc");
    const fs::path moved = folder / "new" / "project";
    const Session found = readSession((moved / "s.json").string());
    CHECK(found.data.path == (moved / "scans" / fs::path(saved.data.path).filename()).string());
    CHECK(found.get<WaveletSettings>().taps == (moved / "taps.txt").string());
    CHECK(found.get<LatticeSettings>().configuration.path == (folder / "new" / "l8.nersc").string());
  }
  SECTION("the data are gone: where they were is not forgotten") {
    fs::remove_all(folder / "work" / "scans");
    CHECK(readSession(session.string()) == saved);
  }
}

TEST_CASE_METHOD(test::InFolder, "whatever stands where a relative path should, the session is read") {
  for (const char* wrong : {"3", "null", "[]", "{}", "\"\"", "\"../../..\""}) {
    writeTextFile(folder / "s.json",
                  std::string(R"({"schema":"stencilscope.session/1","data":{"path":"/none/x.nii","relativePath":)") +
                      wrong + R"(},"bank":{"schema":"stencilscope.bank/1","filters":[]}})");
    CHECK_NOTHROW(readSession((folder / "s.json").string()));
  }
}

TEST_CASE_METHOD(test::InFolder, "unreadable sessions name the file") {
  CHECK_THROWS_WITH(readSession((folder / "none.json").string()),
                    ContainsSubstring("none.json") && ContainsSubstring("no such file"));
  writeTextFile(folder / "bad.json", "{\"schema\":");
  CHECK_THROWS_WITH(readSession((folder / "bad.json").string()),
                    ContainsSubstring("bad.json") && ContainsSubstring("not JSON"));
  writeTextFile(folder / "bad.json", R"({"schema": "stencilscope.session/1", "threads": 1e999})");
  CHECK_THROWS_AS(readSession((folder / "bad.json").string()), Error);
  CHECK_THROWS_WITH(readSession((folder / "bad.json").string()),
                    ContainsSubstring("bad.json") && ContainsSubstring("too large"));
  writeTextFile(folder / "other.json", "{}");
  CHECK_THROWS_WITH(readSession((folder / "other.json").string()),
                    ContainsSubstring("other.json") && ContainsSubstring("schema"));
}

TEST_CASE_METHOD(test::InFolder, "a file behind a symbolic link is written, and the link stays") {
  namespace fs = std::filesystem;
  fs::create_directory(folder / "there");
  writeTextFile(folder / "there" / "a.txt", "one");
  fs::create_symlink(fs::path("there") / "a.txt", folder / "link.txt");
  fs::path seen;
  writeAtomically(folder / "link.txt", [&](const fs::path& temporary) {
    seen = temporary;
    std::ofstream(temporary) << "two";
  });
  CHECK(fs::is_symlink(folder / "link.txt"));
  CHECK(readTextFile(folder / "there" / "a.txt") == "two");
  CHECK(fs::equivalent(seen.parent_path(), folder / "there"));  // a rename does not leave the file's disk
  CHECK(seen.string().ends_with("link.txt"));
  // What a link stands for is judged as if it had been named.
  fs::create_symlink("/dev/null", folder / "device");
  fs::create_symlink("there", folder / "place");
  CHECK_THROWS_WITH(writeTextFile(folder / "device", "x"), ContainsSubstring("not a regular file"));
  CHECK_THROWS_WITH(writeTextFile(folder / "place", "x"), ContainsSubstring("folder"));
  CHECK(fs::is_symlink(folder / "device"));
}

TEST_CASE_METHOD(test::InFolder, "text files are written whole or not at all") {
  CHECK_THROWS_AS(writeTextFile(folder / "missing/a.txt", "x"), Error);
  CHECK_THROWS_AS(writeTextFile(folder.path(), "x"), Error);
  writeTextFile(folder / "a.txt", "one");
  CHECK_THROWS_AS(writeAtomically(folder / "a.txt",
                                  [](const std::filesystem::path& temporary) {
                                    writeTextFile(temporary, "half");
                                    throw Canceled();
                                  }),
                  Canceled);
  CHECK(readTextFile(folder / "a.txt") == "one");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  CHECK(files == 1);
}
