#include "core/io/stream/reader_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/process/child.h"
#include "core/io/process/protocol.h"
#include "core/io/process/stop_signal.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr int kPollMilliseconds = 20;
// The time in which a reader must end after it has answered or closed the pipe.
constexpr double kSecondsToEnd = 2;

struct Received {
  bool anything = false, closed = false;
};

// Reads what is in the pipe now, without the signs of life before the reply. Never waits, and never reads for long.
Received drain(const Child& child, std::string& reply) {
  constexpr int kMostReads = 64;
  std::array<char, 65536> buffer{};
  Received received;
  for (int n = 0; n < kMostReads && reply.size() <= kMaximumReply; ++n) {
    const ssize_t got = ::read(child.reply(), buffer.data(), buffer.size());
    received.closed = got == 0;
    if (got <= 0) break;
    received.anything = true;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    reply += reply.empty() ? text.substr(std::min(text.find_first_not_of('\n'), text.size())) : text;
  }
  return received;
}

// The reply, whole or not: until the pipe is closed or the reader has ended.
std::string collectReply(Child& child, const std::string& path, Watch watch, const StopSignal& stop,
                         const Control& control) {
  std::string reply;
  for (;;) {
    control.check();
    stop.wait(child.reply(), kPollMilliseconds);
    control.check();
    const bool ended = child.ended().has_value();  // checked first: all that it wrote is then in the pipe
    const Received received = drain(child, reply);
    if (reply.size() > kMaximumReply) throw damaged(path, "the file is damaged (its decoder never stops replying)");
    if (ended || received.closed) return reply;
    watch.look(child, received.anything, control);
  }
}

// Its status, or nothing when it does not end although it has closed the pipe.
std::optional<int> awaitEnd(Child& child, const StopSignal& stop, const Control& control) {
  const Stopwatch since;
  while (!child.ended() && since.seconds() < kSecondsToEnd) {
    control.check();
    stop.wait(-1, 1);
  }
  return child.ended();
}

// The first `bytes` of the memory, which no process can shrink or replace any more: otherwise a malicious reader that
// is still running could crash this program.
std::shared_ptr<std::byte> adopt(double bytes, const std::string& path, Descriptor& memory) {
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status {};
  if (::fcntl(memory.get(), F_ADD_SEALS, kSeals) != 0 || ::fstat(memory.get(), &status) != 0 || bytes < 1 ||
      bytes > static_cast<double>(status.st_size))
    throw damaged(path, "the file is damaged (the decoder gave too few voxels)");
  const auto size = static_cast<std::size_t>(bytes);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
  if (mapped == MAP_FAILED)
    throw cannotRead(ErrorKind::Memory, path, "its " + bytesText(bytes) + " do not fit in memory", "close other data");
  memory.reset();  // the mapping keeps the memory alive
  return {static_cast<std::byte*>(mapped), [size](std::byte* p) { ::munmap(p, size); }};
}

}  // namespace

struct ReaderAnswer::State {
  State(const fs::path& program, const Request& request) : child(program, argumentsOf(request)), path(request.path) {}
  Child child;
  std::string path;
  std::optional<int> status;
};

ReaderAnswer::ReaderAnswer(const fs::path& program, const Request& request, const ReaderLimits& limits,
                           const Control& control) {
  control.check();
  if (request.path.find('\0') != std::string::npos)
    throw cannotRead(ErrorKind::NotFound, request.path.c_str(), "no such file", "check the name");
  state_ = std::make_unique<State>(program, request);
  const StopSignal stop(control);
  text_ = collectReply(state_->child, request.path, Watch(request.path, limits), stop, control);
  state_->status = awaitEnd(state_->child, stop, control);
}

ReaderAnswer::~ReaderAnswer() = default;

Error ReaderAnswer::crashed() const {
  constexpr int kNotUnderstood = 2;  // exit status for a request that it does not know
  const bool refused =
      text_.empty() && state_->status && WIFEXITED(*state_->status) && WEXITSTATUS(*state_->status) == kNotUnderstood;
  if (refused || ofAnotherVersion(text_))
    return cannotRead(ErrorKind::Unsupported, state_->path,
                      "the program that decodes files, sscope-reader, is of another build of Stencilscope",
                      "install Stencilscope again, all its programs together");
  if (state_->status && WIFSIGNALED(*state_->status) && WTERMSIG(*state_->status) == SIGKILL)
    return cannotRead(ErrorKind::Memory, state_->path, "the system stopped its decoder, which had used up the memory",
                      "close other data or get a smaller file");
  return damaged(state_->path, "the file is damaged or of a kind that cannot be decoded (the decoder crashed)");
}

std::shared_ptr<std::byte> ReaderAnswer::memory(double bytes) {
  return adopt(bytes, state_->path, state_->child.voxels());
}

fs::path defaultReaderProgram() {
  std::error_code code;
  const fs::path self = fs::read_symlink("/proc/self/exe", code);
  return self.parent_path() / "sscope-reader";
}

namespace {

// The reply, which is of one of the wanted types. Throws the error that it reports.
template <class... Wanted>
VolumeReply replyOf(const ReaderAnswer& answer) {
  VolumeReply reply = decodeReply(answer.text());
  if (const auto* error = std::get_if<Error>(&reply)) throw *error;
  if (!(std::holds_alternative<Wanted>(reply) || ...)) throw answer.crashed();
  return reply;
}

Volume voxelsOf(ReaderAnswer& answer, const VolumeInfo& info) {
  return {info.shape, info.type, info.geometry, answer.memory(claimedBytes(info))};
}

}  // namespace

LoadedVolume readInProcess(const fs::path& program, const std::string& path, bool headerOnly,
                           const ReaderLimits& limits, const Control& control) {
  ReaderAnswer answer(program, {std::string(headerOnly ? kHeaderRequest : kVoxelsRequest), path, {}}, limits, control);
  LoadedVolume loaded{{}, std::get<VolumeInfo>(replyOf<VolumeInfo>(answer))};
  if (!headerOnly) loaded.volume = voxelsOf(answer, loaded.info);
  control.report(1, "reading");
  return loaded;
}

std::variant<LoadedVolume, LocatedVolume> sourceInProcess(const fs::path& program, const std::string& path,
                                                          const ReaderLimits& limits, const Control& control) {
  ReaderAnswer answer(program, {std::string(kSourceRequest), path, {}}, limits, control);
  VolumeReply reply = replyOf<VolumeInfo, LocatedVolume>(answer);
  if (auto* located = std::get_if<LocatedVolume>(&reply)) {
    if (!isPlain(*located)) throw answer.crashed();
    return std::move(*located);
  }
  LoadedVolume loaded{{}, std::move(std::get<VolumeInfo>(reply))};
  loaded.volume = voxelsOf(answer, loaded.info);
  control.report(1, "reading");
  return loaded;
}

LocatedVolume locateInProcess(const fs::path& program, const std::string& path, const ReaderLimits& limits,
                              const Control& control) {
  const ReaderAnswer answer(program, {std::string(kPlaceRequest), path, {}}, limits, control);
  return std::get<LocatedVolume>(replyOf<LocatedVolume>(answer));
}

std::vector<FilePart> partsInProcess(const fs::path& program, const std::string& path, const ReaderLimits& limits,
                                     const Control& control) {
  const ReaderAnswer answer(program, {std::string(kPartsRequest), path, {}}, limits, control);
  return std::get<std::vector<FilePart>>(replyOf<std::vector<FilePart>>(answer));
}

}  // namespace sscope::io
