// A decoder that does what the name of its "file" says: everything that decoders of damaged files have been seen to do.

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "core/io/process/protocol.h"
#include "core/io/reader/decode_input.h"

namespace sscope::io {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kPage = 4096;

VolumeInfo infoOf(std::int64_t pages) {
  VolumeInfo info;
  info.shape = {kPage, pages, 1, 1};
  info.type = ElementType::u8;
  info.format = "fake";
  return info;
}

void answer(const std::string& text) {
  if (::write(kReplyDescriptor, text.data(), text.size()) < 0) std::_Exit(2);
  std::_Exit(0);
}

// Page by page, as a slow disk would.
VolumeInfo decodeSlowly(std::int64_t pages, const AllocateVoxels& allocate) {
  const VolumeInfo info = infoOf(pages);
  std::byte* voxels = allocate(info);
  for (std::int64_t page = 0; page < pages; ++page) {
    std::memset(voxels + page * kPage, 7, kPage);
    std::this_thread::sleep_for(50ms);
  }
  return info;
}

// Address space only: no page is touched.
[[noreturn]] void takeEverything() {
  std::vector<std::unique_ptr<char[]>> held;
  for (;;) held.emplace_back(new char[std::size_t{1} << 30]);
}

}  // namespace

VolumeInfo decodeInput(const std::string& path, bool /*headerOnly*/, const AllocateVoxels& allocate) {
  const std::string_view does = path;
  if (does == "sleep")
    for (;;) std::this_thread::sleep_for(1s);
  if (does == "spin")
    for (std::atomic<int> i = 0;; ++i) {
    }
  if (does == "abort") std::abort();
  if (does == "segfault") ::raise(SIGSEGV);
  if (does == "be-killed") ::raise(SIGKILL);
  if (does == "leave") std::_Exit(0);
  if (does == "babble") answer("{\"shape\": [1, 1, ");
  if (does == "promise") answer(encodeReply(infoOf(10)));
  if (does == "take-everything") takeEverything();
  if (does == "claim-everything") return allocate(infoOf(std::int64_t{1} << 40)), infoOf(1);
  if (does == "work-for-long") return decodeSlowly(2400, allocate);
  return decodeSlowly(30, allocate);
}

}  // namespace sscope::io
