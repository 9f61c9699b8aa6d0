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
// Checks that it ends with this status and one line on stderr, which holds `part`, and says nothing on stdout.
void expectRefusal(const Arguments& arguments, int status, const std::string& part);

// A running sscope or other program, to be interrupted.
class Running {
 public:
  explicit Running(const Arguments& arguments);
  Running(std::string program, const Arguments& arguments);
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

// Sends Ctrl-C to a run that makes a file beside in.nrrd of the folder, once that is under way: nothing else stays.
void expectNothingLeft(Running& running, const std::filesystem::path& folder);

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

}  // namespace sscope::test
