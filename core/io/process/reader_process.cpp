#include "core/io/process/reader_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "core/base/stopwatch.h"
#include "core/io/decoder.h"
#include "core/io/file_error.h"
#include "core/io/process/descriptor.h"
#include "core/io/process/protocol.h"

extern char** environ;

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr int kPollMilliseconds = 20;
constexpr std::size_t kMaximumReply = std::size_t{16} << 20;

Error cannotStart(const fs::path& program, int errnoValue) {
  return {ErrorKind::Io, "cannot start the reader program " + program.string() + " (" + std::strerror(errnoValue) + ")",
          "install Stencilscope again"};
}

// A running reader. Ends with it: the destructor kills and reaps.
class Child {
 public:
  Child(const fs::path& program, const std::string& path, bool headerOnly) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw cannotStart(program, errno);
    reply_ = Descriptor(ends[0]);
    const Descriptor theirs(ends[1]);
    voxels_ = Descriptor(::memfd_create("sscope-voxels", MFD_CLOEXEC));
    if (!voxels_.valid()) throw cannotStart(program, errno);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    // Numbers above the targets first, so that no dup2 overwrites what a later one needs.
    constexpr int kSafe = 100;
    posix_spawn_file_actions_adddup2(&actions, theirs.get(), kSafe);
    posix_spawn_file_actions_adddup2(&actions, voxels_.get(), kSafe + 1);
    posix_spawn_file_actions_adddup2(&actions, kSafe, kReplyDescriptor);
    posix_spawn_file_actions_adddup2(&actions, kSafe + 1, kVoxelDescriptor);
    posix_spawn_file_actions_addclose(&actions, kSafe);
    posix_spawn_file_actions_addclose(&actions, kSafe + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // Ctrl-C in a terminal goes to the caller, which then ends the reader itself.
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);

    std::string name = program.string(), mode = headerOnly ? "probe" : "read", file = path;
    std::array<char*, 4> arguments = {name.data(), mode.data(), file.data(), nullptr};
    const int failure = ::posix_spawn(&pid_, name.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
      pid_ = -1;
      throw cannotStart(program, failure);
    }
  }

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ~Child() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    // The kernel takes a while to free gigabytes of pages; the caller need not wait for that.
    std::thread([pid = pid_, voxels = std::move(voxels_)] {
      int status = 0;
      while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
      }
    }).detach();
  }

  [[nodiscard]] int replyDescriptor() const { return reply_.get(); }
  [[nodiscard]] Descriptor& voxels() { return voxels_; }

  // Exit status once the reply pipe is closed.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

  // Bytes of voxel memory written so far and its size.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> voxelsWritten() const {
    struct stat status {};
    if (::fstat(voxels_.get(), &status) != 0) return {0, 0};
    return {static_cast<std::int64_t>(status.st_blocks) * 512, static_cast<std::int64_t>(status.st_size)};
  }

  // Bytes the reader has read so far, from any file.
  [[nodiscard]] std::int64_t bytesRead() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/io");
    std::string key;
    std::int64_t value = 0;
    if (file >> key >> value) return value;
    return 0;
  }

 private:
  pid_t pid_ = -1;
  Descriptor reply_, voxels_;
};

// Progress as the larger of "voxel pages written" and "file bytes read": whichever way a decoder works, one of the two
// moves. No movement at all is a hang.
class Watch {
 public:
  Watch(const std::string& path, const ReaderLimits& limits) : path_(path), limits_(limits) {
    std::error_code code;
    const auto size = fs::file_size(path, code);
    if (!code) fileBytes_ = static_cast<std::int64_t>(size);
  }

  void look(const Child& child, const Control& control) {
    const auto [written, total] = child.voxelsWritten();
    const std::int64_t read = child.bytesRead();
    if (written != lastWritten_ || read != lastRead_) idle_.restart();
    lastWritten_ = written;
    lastRead_ = read;
    if (idle_.seconds() > limits_.idleSeconds) {
      throw cannotRead(
          ErrorKind::BadData, path_,
          "its decoder made no progress for " + std::to_string(static_cast<int>(limits_.idleSeconds)) + " s",
          "the file is probably damaged; get another copy of it");
    }
    if (total <= 0) return;
    const double byVoxels = static_cast<double>(written) / static_cast<double>(total);
    const double byFile = fileBytes_ > 0 ? static_cast<double>(read) / static_cast<double>(fileBytes_) : 0;
    best_ = std::max(best_, std::min(0.99, std::max(byVoxels, byFile)));
    control.report(best_, "reading");
  }

 private:
  const std::string& path_;
  const ReaderLimits& limits_;
  std::int64_t fileBytes_ = 0, lastWritten_ = -1, lastRead_ = -1;
  double best_ = 0;
  Stopwatch idle_;
};

std::string collectReply(Child& child, Watch& watch, const Control& control) {
  std::string reply;
  std::array<char, 4096> buffer{};
  for (;;) {
    control.check();
    pollfd waiting{child.replyDescriptor(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kPollMilliseconds);
    if (ready == 0) {
      watch.look(child, control);
      continue;
    }
    const ssize_t got = ::read(child.replyDescriptor(), buffer.data(), buffer.size());
    if (got == 0 || reply.size() > kMaximumReply) return reply;
    if (got > 0) reply.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

Error crashed(const std::string& path, int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
    return cannotRead(ErrorKind::Memory, path, "the system stopped its decoder, which had used up the memory",
                      "close other data or get a smaller file");
  return damaged(path, "the file is damaged (the decoder crashed)");
}

Volume adopt(const VolumeInfo& info, const std::string& path, Descriptor& voxels) {
  struct stat status {};
  const double bytes = claimedBytes(info);
  if (::fstat(voxels.get(), &status) != 0 || bytes < 1 || bytes > static_cast<double>(status.st_size))
    throw damaged(path, "the file is damaged (the decoder gave too few voxels)");
  const auto size = static_cast<std::size_t>(status.st_size);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, voxels.get(), 0);
  if (memory == MAP_FAILED)
    throw cannotRead(ErrorKind::Memory, path, "its " + bytesText(bytes) + " do not fit into memory",
                     "close other data");
  voxels.reset();  // the mapping keeps the memory alive
  std::shared_ptr<std::byte> owner(static_cast<std::byte*>(memory), [size](std::byte* p) { ::munmap(p, size); });
  return Volume(info.shape, info.type, info.geometry, std::move(owner));
}

}  // namespace

fs::path defaultReaderProgram() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  return self.parent_path() / "sscope-reader";
}

LoadedVolume readInProcess(const fs::path& program, const std::string& path, bool headerOnly,
                           const ReaderLimits& limits, const Control& control) {
  control.check();
  if (path.find('\0') != std::string::npos)
    throw cannotRead(ErrorKind::NotFound, path.c_str(), "no such file", "check the name");
  Child child(program, path, headerOnly);
  Watch watch(path, limits);
  const std::string text = collectReply(child, watch, control);
  const int status = child.wait();
  auto reply = decodeReply(text);
  if (auto* error = std::get_if<Error>(&reply)) throw *error;
  auto* info = std::get_if<VolumeInfo>(&reply);
  if (info == nullptr) throw crashed(path, status);
  LoadedVolume loaded;
  loaded.info = std::move(*info);
  if (!headerOnly) loaded.volume = adopt(loaded.info, path, child.voxels());
  control.report(1, "reading");
  return loaded;
}

}  // namespace sscope::io
