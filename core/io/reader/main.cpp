// sscope-reader: decodes one file in a process of its own. Started by sscope and stencilscope, see
// core/io/stream/reader_process.h; answers on descriptor 3 and puts the voxels into the memory behind descriptor 4.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>

#include "core/base/stopwatch.h"
#include "core/io/any/locate.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/planes/read_planes.h"
#include "core/io/process/protocol.h"
#include "core/io/reader/decode_input.h"
#include "core/io/reader/other_requests.h"
#include "core/io/reader/sandbox.h"
#include "core/volume/losses.h"

namespace {

using namespace sscope;
using namespace sscope::io;

std::byte* allocateShared(const std::string& path, double bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  void* memory = MAP_FAILED;
  if (::ftruncate(kVoxelDescriptor, static_cast<off_t>(size)) == 0)
    memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kVoxelDescriptor, 0);
  if (memory == MAP_FAILED && errno == EFBIG)
    throw cannotRead(ErrorKind::Memory, path, "its " + bytesText(bytes) + " are more than the limit on file sizes here",
                     "raise the limit, as with `ulimit -f unlimited`");
  if (memory == MAP_FAILED)
    throw cannotRead(ErrorKind::Memory, path, "there is no room for its " + bytesText(bytes), "close other data");
  forbidLargerFiles();
  return static_cast<std::byte*>(memory);
}

// Our own decoders report their progress; some of the reports are passed to the caller as signs of life.
Control signsOfLife() {
  Control control;
  control.progress = [since = Stopwatch()](double, std::string_view) mutable {
    constexpr double kSeconds = 0.2;
    if (since.seconds() < kSeconds) return;
    since.restart();
    static_cast<void>(!::write(kReplyDescriptor, "\n", 1));
  };
  return control;
}

std::string replyOfVolume(const Request& request, LocatedVolume located, const Control& control) {
  const std::string& path = request.path;
  const bool headerOnly = request.kind == kHeaderRequest;
  if (request.kind == kSourceRequest && isPlain(located)) {
    requireMemory(path, claimedBytes(located.info), memoryAllowance());
    return encodeReply(located);
  }
  const std::byte* voxels = nullptr;
  const AllocateVoxels allocate = [&](const VolumeInfo& info) -> std::byte* {
    requireMemory(path, claimedBytes(info), headerOnly ? 0 : memoryAllowance());
    if (headerOnly) return nullptr;
    std::byte* memory = allocateShared(path, claimedBytes(info));
    voxels = memory;
    return memory;
  };
  VolumeInfo info = readWhole(std::move(located), parseSelection(path).path, allocate, control);
  if (voxels != nullptr) noteNonFinite(info, voxels, control);
  return encodeReply(info);
}

std::string replyOfPlace(const Request& request, LocatedVolume located, const Control& control) {
  requirePlanes(located, request.path);
  settleType(located, request.path, control);
  requireMemory(request.path, claimedBytes(located.info), 0);
  return encodeReply(located);
}

bool sendAll(std::span<const std::byte> bytes) {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t n = ::write(kReplyDescriptor, bytes.data() + sent, bytes.size() - sent);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool sendFrame(std::span<const std::byte> bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  return sendAll(std::as_bytes(std::span(&size, 1))) && sendAll(bytes);
}

// Sends the voxels; only an error is left to reply, behind an empty frame.
std::string replyOfUnpacking(const Request& request, const Input& input) {
  try {
    const LocatedVolume located = locateInput(input, {});
    const UnpackedPlanes planes = unpackedPlanesOf(request).value_or(UnpackedPlanes());
    if (planes.all > 0 && (!located.decode || planes.all != located.voxels.bytes() / located.voxels.runBytes))
      throw cannotRead(ErrorKind::BadData, request.path, "its files changed while they were read",
                       "wait until they are complete and start again");
    const auto send = [](std::span<const std::byte> piece) {
      if (!sendFrame(piece)) std::_Exit(1);  // the caller has closed the pipe
    };
    sendVoxels(located, request.path, planes.first, kLongestFrame, send, {});
    return {};
  } catch (...) {
    static_cast<void>(sendFrame({}));
    throw;
  }
}

std::string replyOfOther(const Request& request, const Control& control) {
  const AllocateShared allocate = [&](std::int64_t bytes, std::int64_t held) {
    requireMemory(request.path, static_cast<double>(held), memoryAllowance());
    return std::span(allocateShared(request.path, static_cast<double>(bytes)), static_cast<std::size_t>(bytes));
  };
  return otherRequest(request.kind)(request, allocate, control);
}

std::string replyAboutVolume(const Request& request) {
  const Input input = openInput(request.path);
  continueElsewhere(request, input);
  confine(neededFor(input));
  if (request.kind == kUnpackRequest) return replyOfUnpacking(request, input);
  const Control control = signsOfLife();
  if (request.kind == kPartsRequest) return encodeReply(partsOf(input, control));
  LocatedVolume located = locateInput(input, control);
  if (request.kind == kPlaceRequest) return replyOfPlace(request, std::move(located), control);
  return replyOfVolume(request, std::move(located), control);
}

std::string replyTo(const Request& request) {
  try {
    if (request.ofVolume()) return replyAboutVolume(request);
    confine({request.path});
    return replyOfOther(request, signsOfLife());
  } catch (const Error& error) {
    return encodeReply(error);
  } catch (const std::bad_alloc&) {
    return encodeReply(
        cannotRead(ErrorKind::Memory, request.path,
                   "decoding it needs more memory than the " + bytesText(memoryAllowance()) + " that are free",
                   "close other data, or get another copy if the file should be small"));
  } catch (const std::exception& error) {
    return encodeReply(damaged(request.path, error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  // How it ends here is known to its caller (core/io/stream/reader_process.cpp).
  const auto request = requestOf({argv + std::min(argc, 1), argv + argc});
  if (!request || (!request->ofVolume() && otherRequest(request->kind) == nullptr)) {
    std::fputs("sscope-reader is started by sscope and stencilscope to decode one file\n", stderr);
    return 2;
  }
  limitThisProcess(request->path);
  const std::string reply = replyTo(*request);
  const bool sent = sendAll(std::as_bytes(std::span(reply)));
  // The decoders' own cleanup has nothing left to do and might stumble over damaged state.
  std::_Exit(sent ? 0 : 1);
}
