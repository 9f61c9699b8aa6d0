// sscope-reader: decodes one file in a process of its own. Started by sscope and stencilscope, see
// core/io/process/reader_process.h; answers on descriptor 3 and puts the voxels into the memory behind descriptor 4.

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "core/io/decoder.h"
#include "core/io/file_error.h"
#include "core/io/process/protocol.h"
#include "core/io/reader/decode_input.h"
#include "core/io/reader/limits.h"

namespace {

using namespace sscope;
using namespace sscope::io;

std::byte* allocateShared(const std::string& path, const VolumeInfo& info) {
  const double bytes = claimedBytes(info);
  requireMemory(path, bytes, memoryAllowance());
  const auto size = static_cast<std::size_t>(bytes);
  if (::ftruncate(kVoxelDescriptor, static_cast<off_t>(size)) != 0) requireMemory(path, bytes, 1);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, kVoxelDescriptor, 0);
  if (memory == MAP_FAILED) requireMemory(path, bytes, 1);
  return static_cast<std::byte*>(memory);
}

std::string reply(const std::string& path, bool headerOnly) {
  try {
    const std::byte* voxels = nullptr;
    const AllocateVoxels allocate = [&](const VolumeInfo& info) -> std::byte* {
      if (headerOnly) {
        requireMemory(path, claimedBytes(info), 0);
        return nullptr;
      }
      std::byte* memory = allocateShared(path, info);
      voxels = memory;
      return memory;
    };
    VolumeInfo info = decodeInput(path, headerOnly, allocate);
    if (voxels != nullptr) noteNonFinite(info, voxels, {});
    return encodeReply(info);
  } catch (const Error& error) {
    return encodeReply(error);
  } catch (const std::bad_alloc&) {
    return encodeReply(
        cannotRead(ErrorKind::Memory, path,
                   "decoding it needs more memory than the " + bytesText(memoryAllowance()) + " that are free",
                   "close other data, or get another copy if the file should be small"));
  } catch (const std::exception& error) {
    return encodeReply(damaged(path, error.what()));
  }
}

bool sendAll(const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t n = ::write(kReplyDescriptor, text.data() + sent, text.size() - sent);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("sscope-reader is started by sscope and stencilscope to decode one file\n", stderr);
    return 2;
  }
  limitThisProcess();
  const bool sent = sendAll(reply(argv[2], std::strcmp(argv[1], "probe") == 0));
  // The decoders' own cleanup has nothing left to do and might stumble over damaged state.
  std::_Exit(sent ? 0 : 1);
}
