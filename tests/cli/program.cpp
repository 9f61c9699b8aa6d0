#include "tests/cli/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <utility>

#include "core/base/paths.h"
#include "core/io/volume_io.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/processes.h"
#include "tests/support/programs.h"

namespace sscope::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCacheName = "stencilscope";
fs::path ownCache;

// Whether this thread leaves the signal to another, as all do in a program that awaits it.
bool blocks(const fs::path& thread, int number) {
  std::ifstream status(thread / "status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("SigBlk:")) return (std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1) != 0;
  return false;
}

bool awaits(pid_t process, int number) { return blocks(folderOf(process), number); }

// Whether one of the process' descriptors is this file.
bool holds(pid_t process, const fs::path& file) {
  return std::ranges::any_of(readableEntries(folderOf(process) / "fd"), [&](const fs::path& one) {
    std::error_code code;
    return fs::read_symlink(one, code) == file;
  });
}

}  // namespace

Running::Running(const Arguments& arguments) : Running(programUnderTest(), arguments) {}

void useTestCache() {
  const fs::path cache = ownCache.empty() ? keptCache() : ownCache;
  fs::create_directories(cache);
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
}

OwnCache::OwnCache(bool withCeilings) {
  ownCache = folder_.path();
  if (!withCeilings) return;
  const fs::path kept = keptCache() / kCacheName / "ceilings.json", own = ownCache / kCacheName;
  fs::create_directory(own);
  fs::permissions(own, fs::perms::owner_all);  // others' folders are not used
  std::error_code none;
  fs::copy_file(kept, own / kept.filename(), none);
}

OwnCache::~OwnCache() { ownCache.clear(); }

Running::Running(std::string program, const Arguments& arguments, const fs::path& workingFolder) {
  useTestCache();
  std::vector<std::string> all{std::move(program)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const std::string out = folder_ / "out", err = folder_ / "err";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!workingFolder.empty()) posix_spawn_file_actions_addchdir_np(&actions, workingFolder.c_str());
  const int code = posix_spawn(&process_, all[0].c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) process_ = -1;
}

Running::~Running() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
}

void Running::signal(int number) const { ::kill(process_, number); }

void Running::waitUntilBusy() const {
  await([&] {
    clockid_t clock{};
    timespec used{};
    return awaits(process_, SIGINT) && clock_getcpuclockid(process_, &clock) == 0 && clock_gettime(clock, &used) == 0 &&
           (used.tv_sec > 0 || used.tv_nsec > 500'000'000);
  });
}

std::ptrdiff_t Running::threadsThatHear(int number) const {
  return std::ranges::count_if(readableEntries(folderOf(process_) / "task"), [&](const fs::path& one) {
    std::error_code code;
    return !blocks(one, number) && fs::exists(one, code);
  });
}

void Running::waitUntilOpen(const fs::path& file) const {
  const fs::path real = fs::canonical(file);
  await([&] { return awaits(process_, SIGINT) && holds(process_, real); });
}

void Running::waitUntilThere(const fs::path& file) const {
  await([&] { return fs::exists(file); });
}

void Running::await(const std::function<bool()>& condition) const {
  static_cast<void>(eventually([&] { return hasEnded() || condition(); }, std::chrono::minutes(1)));
}

bool Running::hasEnded() const {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid != 0;
}

Outcome Running::finish() {
  Outcome outcome;
  int status = 0;
  if (process_ > 0 && ::waitpid(process_, &status, 0) == process_)
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  process_ = -1;
  outcome.out = readTextFile(folder_ / "out");
  outcome.err = readTextFile(folder_ / "err");
  return outcome;
}

void expectCanceled(Running& running, int number) {
  running.waitUntilBusy();
  running.signal(number);
  const Outcome outcome = running.finish();
  INFO(outcome.err);
  CHECK(outcome.status == 128 + number);
  CHECK(outcome.err == "error: canceled\n");
  CHECK(outcome.out.empty());
}

void expectNothingLeft(Running& running, const fs::path& folder) {
  running.waitUntilBusy();
  running.await([&] { return filesIn(folder).size() == 2; });
  CHECK(filesIn(folder).size() == 2);  // one is under way
  expectCanceled(running);
  CHECK(filesIn(folder) == std::vector<std::string>{"in.nrrd"});
}

Arguments joined(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Outcome run(const Arguments& arguments) { return Running(arguments).finish(); }
Outcome runOther(const std::string& program, const Arguments& arguments) {
  return Running(program, arguments).finish();
}

nlohmann::json reportOf(const Arguments& arguments) {
  const Outcome outcome = run(joined(arguments, {"--json", "-"}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return nlohmann::json::parse(outcome.out);
}

Arguments words(const std::string& line) {
  Arguments all;
  bool quoted = false, inWord = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
      if (!inWord) all.emplace_back();
      inWord = true;
    } else if (c == ' ' && !quoted) {
      inWord = false;
    } else {
      if (!inWord) all.emplace_back();
      inWord = true;
      all.back() += c;
    }
  }
  return all;
}

void expectRefusal(const Arguments& arguments, int status, const std::string& part) {
  CAPTURE(arguments);
  expectRefusal(run(arguments), status, part);
}

void expectRefusal(const Outcome& outcome, int status, const std::string& part) {
  INFO(outcome.err);
  CHECK(outcome.status == status);
  CHECK(outcome.err.starts_with("error: "));
  CHECK(lineCount(outcome.err) == 1);
  CHECK(contains(outcome.err, part));
  CHECK(outcome.out == "");
}

Outcome Scene::ok(const std::string& line) const {
  Outcome outcome = run(line);
  INFO(line << '\n' << outcome.err);
  REQUIRE(outcome.status == 0);
  return outcome;
}

nlohmann::json Scene::report(const std::string& line) const {
  return nlohmann::json::parse(ok(line + " --json -").out);
}

void Scene::refuse(const std::string& line, int status, const std::string& part) const {
  // Names of all files, with the content of those that are not large.
  const auto contents = [&] {
    std::vector<std::pair<fs::path, std::string>> all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_.path()))
      all.emplace_back(entry.path(),
                       entry.is_regular_file() && entry.file_size() < (1 << 20) ? contentOf(entry.path()) : "");
    std::ranges::sort(all);
    return all;
  };
  INFO(line);
  const auto before = contents();
  expectRefusal(run(line), status, part);
  CHECK((contents() == before));
}

void Scene::refuse(int status, const std::vector<Refusal>& rows) const {
  for (const Refusal& row : rows) refuse(row.line, status, row.part);
}

Outcome Scene::shell(const std::string& command) const {
  const std::string programs = fs::path(builtProgram("sscope")).parent_path();
  return Running("/bin/sh", {"-c", "PATH=" + programs + ":$PATH; " + command}, folder_.path()).finish();
}

Running Scene::start(const std::string& line) const { return {programUnderTest(), words(line), folder_.path()}; }

std::vector<std::string> Scene::files() const { return filesIn(folder_.path()); }
Volume Scene::volume(const std::string& name) const { return readVolume(path(name)); }
std::string Scene::text(const std::string& name) const { return contentOf(path(name)); }
void Scene::write(const std::string& name, const Volume& volume) const { writeNrrd(path(name), volume); }
void Scene::write(const std::string& name, const std::string& text) const { writeTextFile(path(name), text); }

void writeNrrd(const fs::path& file, const Volume& volume) {
  const VolumeShape& shape = volume.shape();
  const Geometry& g = volume.geometry();
  const char* type = volume.type() == ElementType::f64   ? "double"
                     : volume.type() == ElementType::f32 ? "float"
                     : volume.type() == ElementType::i32 ? "int"
                     : volume.type() == ElementType::u32 ? "unsigned int"
                     : volume.type() == ElementType::u16 ? "unsigned short"
                                                         : "unsigned char";
  std::ofstream stream(file, std::ios::binary);
  stream.precision(17);
  stream << "NRRD0004\ntype: " << type << "\ndimension: 3\nspace: left-posterior-superior\nsizes: " << shape.nx << ' '
         << shape.ny << ' ' << shape.nz << "\nspace directions:";
  for (std::size_t axis = 0; axis < 3; ++axis)
    stream << " (" << g.direction[axis] * g.spacing[axis] << ',' << g.direction[3 + axis] * g.spacing[axis] << ','
           << g.direction[6 + axis] * g.spacing[axis] << ')';
  stream << "\nspace units: \"mm\" \"mm\" \"mm\"\nendian: little\nencoding: raw\nspace origin: (" << g.origin[0] << ','
         << g.origin[1] << ',' << g.origin[2] << ")\n\n";
  stream.write(reinterpret_cast<const char*>(volume.data()), volume.bytes());
}

Volume readVolume(const fs::path& file) { return makeVolumeIo()->read(file.string(), {}).volume; }

std::string contentButVerified(const std::filesystem::path& file) {
  std::string content = contentOf(file);
  const std::size_t begin = std::min(content.find("\"verified\":{"), content.find("\"verified\": {"));
  if (begin != std::string::npos)
    content.erase(begin, content.find('"', content.find("},", begin)) - begin);  // and blanks, of indented text
  // The blanks that make up for it.
  const std::size_t end = content.find("\"version\":");
  const std::size_t blank = end == std::string::npos ? end : content.find(' ', end);
  if (blank != std::string::npos) content.erase(blank, content.find_first_not_of(' ', blank) - blank);
  return content;
}

std::vector<std::string> filesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::size_t lineCount(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double largestDifference(const Volume& a, const Volume& b) {
  if (!(a.shape() == b.shape())) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::int64_t z = 0; z < a.shape().nz; ++z)
    for (std::int64_t y = 0; y < a.shape().ny; ++y)
      for (std::int64_t x = 0; x < a.shape().nx; ++x)
        for (int c = 0; c < a.shape().components; ++c)
          largest = larger(largest, std::abs(a.value(x, y, z, c) - b.value(x, y, z, c)));
  return largest;
}

}  // namespace sscope::test
