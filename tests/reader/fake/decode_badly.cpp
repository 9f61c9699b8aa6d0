// A decoder that does what the name of its "file" says: everything that decoders of damaged files have been seen to do,
// and what one would do that is in a file's hands.

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/io/process/protocol.h"
#include "core/io/reader/decode_input.h"
#include "tests/reader/fake/escapes.h"

namespace sscope::io {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kPage = 4096;
// Those that work do it for sixty steps, of which a caller notices each.
constexpr int kSteps = 60;

VolumeInfo infoOf(std::int64_t pages) {
  VolumeInfo info;
  info.shape = {kPage, pages, 1, 1};
  info.type = ElementType::u8;
  info.format = "fake";
  return info;
}

// Pages of bytes; `work` is done once there is memory for them.
using Work = std::function<void(std::span<std::byte> out, const Control& control)>;
LocatedVolume working(std::int64_t pages, Work work) {
  return decodedVolume("fake", infoOf(pages), Stored::u8,
                       [work = std::move(work)](std::int64_t, std::int64_t, std::span<std::byte> out,
                                                const Control& control) { work(out, control); });
}

void say(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t n = ::write(kReplyDescriptor, text.data() + sent, text.size() - sent);
    if (n < 0) std::_Exit(2);
    sent += static_cast<std::size_t>(n);
  }
}

void answer(const std::string& text) {
  say(text);
  std::_Exit(0);
}

[[noreturn]] void sleepForever() {
  for (;;) std::this_thread::sleep_for(1s);
}

[[noreturn]] void spin() {
  for (std::atomic<int> i = 0;; ++i) {
  }
}

LocatedVolume noticed(std::vector<std::string> notices) {
  LocatedVolume located = working(1, [](std::span<std::byte>, const Control&) {});
  located.info.notices = std::move(notices);
  return located;
}

// Page by page, as a slow disk would.
LocatedVolume decodeSlowly(std::int64_t pages, std::chrono::milliseconds step) {
  return working(pages, [step](std::span<std::byte> out, const Control&) {
    for (std::size_t done = 0; done < out.size(); done += kPage) {
      std::memset(out.data() + done, 7, kPage);
      std::this_thread::sleep_for(step);
    }
  });
}

// At work, but nothing of it is seen from outside, except that it says so.
LocatedVolume decodeInPlace(std::chrono::milliseconds step) {
  return working(1, [step](std::span<std::byte>, const Control& control) {
    const auto end = std::chrono::steady_clock::now() + kSteps * step;
    for (std::atomic<int> i = 0; std::chrono::steady_clock::now() < end; ++i)
      if (i % 1000 == 0) control.report(0.5, "checking");
  });
}

// Fills memory that is no voxel, as those do that unpack a whole file first.
LocatedVolume unpackFirst(std::chrono::milliseconds pause) {
  constexpr std::size_t kStep = 256 * kPage;  // the system counts pages by the dozen
  const auto own = std::make_unique_for_overwrite<char[]>(kSteps * kStep);
  for (int step = 0; step < kSteps; ++step) {
    std::memset(own.get() + static_cast<std::size_t>(step) * kStep, 7, kStep);
    std::this_thread::sleep_for(pause);
  }
  return working(
      1, [value = own[kStep]](std::span<std::byte> out, const Control&) { out[0] = static_cast<std::byte>(value); });
}

// Address space only: no page is touched.
[[noreturn]] void takeEverything() {
  std::vector<std::unique_ptr<char[]>> held;
  for (;;) held.emplace_back(new char[std::size_t{1} << 30]);
}

// Leaves a process behind that the reader's end does not end, in a group of its own.
bool isLeftBehind() {
  if (::fork() != 0) return false;
  ::setsid();
  return true;
}

// Takes the memory away from whoever adopts it.
LocatedVolume shrinkLater() {
  return working(64, [](std::span<std::byte> out, const Control&) {
    std::memset(out.data(), 7, out.size());
    if (!isLeftBehind()) return;
    ::close(kReplyDescriptor);
    for (int n = 0; n < 200; ++n) {
      std::this_thread::sleep_for(5ms);
      if (::ftruncate(kVoxelDescriptor, 0) == 0) break;
    }
    std::_Exit(0);
  });
}

// Behind the reader's back, with its pipe open, for a minute; then there is a file.
[[noreturn]] void daemonize(const std::filesystem::path& file) {
  if (isLeftBehind()) {
    std::this_thread::sleep_for(60s);
    std::ofstream(file) << "ended";
    std::_Exit(0);
  }
  answer("{\"shape\": [1, 1, ");
  std::_Exit(0);
}

[[noreturn]] void flood(const std::string& piece) {
  for (;;) say(piece);
}

}  // namespace

// What an unpacker can do to whoever takes its frames.
void continueElsewhere(const Request& request, const Input& /*input*/) {
  if (request.kind != kUnpackRequest) return;
  const std::string does = std::filesystem::path(request.path).filename().string();
  const auto frame = [](std::uint32_t size) { say(std::string(reinterpret_cast<const char*>(&size), sizeof size)); };
  if (does == "long-frame") frame(std::uint32_t{1} << 31), answer("more");
  if (does == "half-frame") frame(100), answer("ten bytes.");
  if (does == "half-number") answer("ab");
  if (does == "frame-and-sleep") frame(100), say("ten bytes."), sleepForever();
  if (does == "error-frame")
    frame(0), answer(encodeReply(Error(ErrorKind::Unsupported, "cannot read error-frame: it said so")));
  if (does == "error-babble") frame(0), answer("babble");
  if (does == "error-flood") frame(0), flood(std::string(1 << 16, 'x'));
}

LocatedVolume locateInput(const Input& input, const Control& /*control*/) {
  const std::string& path = input.name;
  std::string does = std::filesystem::path(path).filename().string();
  const std::string_view more = "-longer";  // works ten times as long
  const bool longer = does.ends_with(more);
  if (longer) does.resize(does.size() - more.size());
  const auto step = longer ? 200ms : 20ms;
  if (does == "sleep") sleepForever();
  if (does == "spin") spin();
  if (does == "allocate-and-sleep") return working(1, [](std::span<std::byte>, const Control&) { sleepForever(); });
  if (does == "abort") std::abort();
  if (does == "segfault") ::raise(SIGSEGV);
  if (does == "be-killed") ::raise(SIGKILL);
  if (does == "feel-keys")
    for (const int number : {SIGINT, SIGQUIT, SIGTSTP, SIGHUP}) ::raise(number);
  if (does == "leave") std::_Exit(0);
  if (does == "babble") answer("{\"shape\": [1, 1, ");
  if (does == "promise") answer(encodeReply(infoOf(10)));
  if (does == "negative")
    answer(R"({"protocol":)" + std::to_string(kProtocolVersion) +
           R"(,"shape":[-4,-4,1,1],"type":"u8","spacing":[1,1,1],"origin":[0,0,0],)"
           R"("direction":[1,0,0,0,1,0,0,0,1],"unit":"","format":"","notices":[]})");
  if (does == "another-version")
    answer(R"({"protocol":)" + std::to_string(kProtocolVersion + 1) + R"(,"shape":[4,4,1,1],"kind":"new"})");
  if (does == "no-version") answer(R"({"shape":[4,4,1,1],"type":"u8"})");
  if (does == "refuse") std::_Exit(2);
  if (does == "flood") flood(std::string(1 << 16, 'x'));
  if (does == "flood-of-life") flood(std::string(1 << 16, '\n'));
  if (does == "talk-for-long") answer("{\"error\": \"" + std::string(std::size_t{17} << 20, 'x') + "\"}");
  if (does == "fall-silent") ::close(kReplyDescriptor), sleepForever();
  if (does == "answer-and-stay")
    return working(1, [](std::span<std::byte>, const Control&) {
      say(encodeReply(infoOf(1)));
      ::close(kReplyDescriptor);
      sleepForever();
    });
  if (does == "daemonize") daemonize(std::filesystem::path(path).parent_path() / "ended");
  if (does == "shrink") return shrinkLater();
  if (does == "long-words") {
    LocatedVolume located = noticed(std::vector<std::string>(1000, std::string(1 << 16, 'n')));
    located.info.geometry.unit = std::string(1 << 20, 'u');
    return located;
  }
  if (does == "escape") return noticed(tryToEscape(path));
  if (does == "surroundings") {
    LocatedVolume located = noticed({});
    located.noteRead = [](VolumeInfo& info) { info.notices = surroundings(); };
    return located;
  }
  if (does == "take-everything") takeEverything();
  if (does == "claim-everything") return working(std::int64_t{1} << 40, {});
  if (does == "work-for-long") return decodeSlowly(6000, step);
  if (does == "work-in-place") return decodeInPlace(step);
  if (does == "answer-at-once")
    return working(1, [](std::span<std::byte> out, const Control&) { out[0] = std::byte(7); });
  if (does == "unpack-first") return unpackFirst(step);
  return decodeSlowly(kSteps, step);
}

}  // namespace sscope::io
