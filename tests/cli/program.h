#pragma once
// Runs sscope as a separate process.

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/volume/volume.h"
#include "core/volume/volume_io.h"
#include "tests/support/support.h"

namespace sscope::test {

struct Outcome {
  int status = -1;  // exit status; 128 + signal when a signal ended it
  std::string out, err;
};

using Arguments = std::vector<std::string>;

// The first ones, then `more`.
[[nodiscard]] Arguments joined(Arguments arguments, const Arguments& more);
// Programs that are started from now on have one cache for all cases: ceilings are measured once.
void useTestCache();
// For as long as it lives their cache is another one, in which nothing is, or the ceilings that the other one has.
class OwnCache {
 public:
  explicit OwnCache(bool withCeilings);
  ~OwnCache();
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  OwnCache(const OwnCache&) = delete;
  OwnCache& operator=(const OwnCache&) = delete;

 private:
  TemporaryFolder folder_;
};
// The program that run() starts: sscope; in tests/mpi, mpirun (empty where there is none).
[[nodiscard]] std::string programUnderTest();
// That program with these arguments, to its end.
[[nodiscard]] Outcome run(const Arguments& arguments);
// The same with another program.
[[nodiscard]] Outcome runOther(const std::string& program, const Arguments& arguments);
// What it writes to --json -; fails the test unless it succeeds.
[[nodiscard]] nlohmann::json reportOf(const Arguments& arguments);
// Checks that it ends with this status and one line on stderr, which holds `part`, and prints nothing on stdout.
void expectRefusal(const Arguments& arguments, int status, const std::string& part);
void expectRefusal(const Outcome& outcome, int status, const std::string& part);
// The words of a command line: blanks separate them, '...' keeps blanks together.
[[nodiscard]] Arguments words(const std::string& line);

// A running sscope or other program, to be interrupted.
class Running {
 public:
  explicit Running(const Arguments& arguments);
  Running(std::string program, const Arguments& arguments, const std::filesystem::path& workingFolder = {});
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  void signal(int number) const;
  // Waits for something of it; at most a minute, or until it has ended.
  void await(const std::function<bool()>& condition) const;
  // Waits until it would hear SIGINT and has computed for a while, however slow the machine is; at most a minute, or
  // until it has ended.
  void waitUntilBusy() const;
  // Waits until there is such a file; at most a minute, or until it has ended.
  void waitUntilThere(const std::filesystem::path& file) const;
  // Waits until it would hear SIGINT and has the file open; at most a minute, or until it has ended.
  void waitUntilOpen(const std::filesystem::path& file) const;
  // Threads that do not block this signal. One is waiting for it (sigwait unblocks it meanwhile); others would run
  // whatever handler a library has put there.
  [[nodiscard]] std::ptrdiff_t threadsThatHear(int number) const;
  // Waits for the end.
  [[nodiscard]] Outcome finish();

 private:
  [[nodiscard]] bool hasEnded() const;
  TemporaryFolder folder_;
  pid_t process_ = -1;
};

// Sends the signal once the run is busy: it ends as canceled, in one line.
void expectCanceled(Running& running, int number = 2);  // SIGINT
// Sends Ctrl-C to a run that makes a file beside in.nrrd of the folder, once that is under way: nothing else stays.
void expectNothingLeft(Running& running, const std::filesystem::path& folder);

// A folder in which commands run, so that a command names its files without a path.
class Scene {
 public:
  struct Empty {};
  explicit Scene(Empty /*no file in it*/) {}
  // in.nrrd holds these voxels.
  explicit Scene(const Volume& in = randomVolume({8, 8, 8, 1}, ElementType::f32, 1)) { write("in.nrrd", in); }

  [[nodiscard]] Outcome run(const std::string& line) const { return start(line).finish(); }
  // The same; fails the test unless it succeeds.
  Outcome ok(const std::string& line) const;
  // What it writes to --json -; fails the test unless it succeeds.
  [[nodiscard]] nlohmann::json report(const std::string& line) const;
  // As expectRefusal(), and no file of the folder changes.
  void refuse(const std::string& line, int status, const std::string& part) const;
  struct Refusal {
    std::string line, part;
  };
  void refuse(int status, const std::vector<Refusal>& rows) const;
  // A command of a shell with sscope in its PATH.
  [[nodiscard]] Outcome shell(const std::string& command) const;
  [[nodiscard]] Running start(const std::string& line) const;

  [[nodiscard]] std::filesystem::path folder() const { return folder_.path(); }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(path(name)); }
  [[nodiscard]] std::vector<std::string> files() const;
  [[nodiscard]] Volume volume(const std::string& name = "out.nrrd") const;
  [[nodiscard]] std::string text(const std::string& name) const;
  [[nodiscard]] nlohmann::json document(const std::string& name) const { return nlohmann::json::parse(text(name)); }
  void write(const std::string& name, const Volume& volume) const;
  void write(const std::string& name, const std::string& text) const;

 private:
  TemporaryFolder folder_;
};

// Writes f64, f32, i32, u16 or u8 as NRRD, byte by byte and independent of the program's own writer.
void writeNrrd(const std::filesystem::path& file, const Volume& volume);
[[nodiscard]] Volume readVolume(const std::filesystem::path& file);
// The content of a file but for what it says of its verification, which another run may have found otherwise.
[[nodiscard]] std::string contentButVerified(const std::filesystem::path& file);
// Names of all files in a folder, hidden ones included, sorted.
[[nodiscard]] std::vector<std::string> filesIn(const std::filesystem::path& folder);
// The number of lines that a text has.
[[nodiscard]] std::size_t lineCount(const std::string& text);
[[nodiscard]] bool contains(const std::string& text, const std::string& part);
// The largest difference of two volumes; infinite where their shapes differ, NaN where one holds NaN.
[[nodiscard]] double largestDifference(const Volume& a, const Volume& b);

}  // namespace sscope::test
