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
#include "core/io/stream/plain_volume.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

constexpr int kPollMilliseconds = 20;
// So long a reader may take to end once it has answered or fallen silent; it has nothing to do any more.
constexpr double kSecondsToEnd = 2;

struct Heard {
  bool anything = false, closed = false;
};

// What is in the pipe now, but for signs of life before the reply. Never waits, and never reads for long.
Heard drain(const Child& child, std::string& reply) {
  constexpr int kMostReads = 64;
  std::array<char, 65536> buffer{};
  Heard heard;
  for (int n = 0; n < kMostReads && reply.size() <= kMaximumReply; ++n) {
    const ssize_t got = ::read(child.reply(), buffer.data(), buffer.size());
    heard.closed = got == 0;
    if (got <= 0) break;
    heard.anything = true;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    reply += reply.empty() ? text.substr(std::min(text.find_first_not_of('\n'), text.size())) : text;
  }
  return heard;
}

// The reply, whole or not: until the pipe is closed or the reader has ended.
std::string collectReply(Child& child, const std::string& path, Watch watch, const StopSignal& stop,
                         const Control& control) {
  std::string reply;
  for (;;) {
    control.check();
    stop.wait(child.reply(), kPollMilliseconds);
    control.check();
    const bool ended = child.ended().has_value();  // asked first: all that it wrote is then in the pipe
    const Heard heard = drain(child, reply);
    if (reply.size() > kMaximumReply) throw damaged(path, "the file is damaged (its decoder never stops replying)");
    if (ended || heard.closed) return reply;
    watch.look(child, heard.anything, control);
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

// The first `bytes` of the memory, which nobody can shrink or replace any more: a reader that outlived its end by a
// trick would otherwise take this program down with it.
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
  constexpr int kNotUnderstood = 2;  // how it ends for a request that it does not know
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

// With the voxels, unless only the header was asked for or they are to be read as they are.
LoadedVolume ask(const fs::path& program, const std::string& path, std::string_view kind, const ReaderLimits& limits,
                 const Control& control) {
  ReaderAnswer answer(program, {std::string(kind), path, {}}, limits, control);
  auto reply = decodeReply(answer.text());
  if (auto* error = std::get_if<Error>(&reply)) throw *error;
  auto* info = std::get_if<VolumeInfo>(&reply);
  if (info == nullptr) throw answer.crashed();
  LoadedVolume loaded;
  loaded.info = std::move(*info);
  if (kind != kSourceRequest) loaded.info.plain.reset();
  if (kind != kHeaderRequest && !loaded.info.plain)
    loaded.volume =
        Volume(loaded.info.shape, loaded.info.type, loaded.info.geometry, answer.memory(claimedBytes(loaded.info)));
  control.report(1, "reading");
  return loaded;
}

}  // namespace

LoadedVolume readInProcess(const fs::path& program, const std::string& path, bool headerOnly,
                           const ReaderLimits& limits, const Control& control) {
  return ask(program, path, headerOnly ? kHeaderRequest : kVoxelsRequest, limits, control);
}

namespace {

// The reply to a request that is of this type.
template <class Wanted, class Decode>
Wanted askFor(const fs::path& program, const Request& request, Decode decode, const ReaderLimits& limits,
              const Control& control) {
  const ReaderAnswer answer(program, request, limits, control);
  auto reply = decode(answer.text());
  if (auto* error = std::get_if<Error>(&reply)) throw *error;
  auto* wanted = std::get_if<Wanted>(&reply);
  if (wanted == nullptr) throw answer.crashed();
  return std::move(*wanted);
}

}  // namespace

LocatedVolume locateInProcess(const fs::path& program, const std::string& path, const ReaderLimits& limits,
                              const Control& control) {
  return askFor<LocatedVolume>(program, {std::string(kPlaceRequest), path, {}}, decodePlace, limits, control);
}

std::vector<FilePart> partsInProcess(const fs::path& program, const std::string& path, const ReaderLimits& limits,
                                     const Control& control) {
  return askFor<std::vector<FilePart>>(program, {std::string(kPartsRequest), path, {}}, decodeParts, limits, control);
}

std::unique_ptr<ArrivingVolume> openInProcess(const fs::path& program, const std::string& path,
                                              const ReaderLimits& limits, const Control& control) {
  LoadedVolume loaded = ask(program, path, kSourceRequest, limits, control);
  if (!loaded.info.plain) return std::make_unique<ArrivedVolume>(std::move(loaded));
  if (auto arriving = openPlain(path, std::move(loaded.info))) return arriving;
  return std::make_unique<ArrivedVolume>(readInProcess(program, path, false, limits, control));
}

}  // namespace sscope::io
