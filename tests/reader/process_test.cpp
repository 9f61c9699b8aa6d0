// What a decoder can do to its reader program, and what the caller is told.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/io/process/protocol.h"
#include "core/io/stream/reader_process.h"
#include "core/io/stream/unpacked_bytes.h"
#include "tests/support/catch.h"
#include "tests/support/processes.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

// Small limits on waiting and computing without progress for those that hang.
constexpr io::ReaderLimits kImpatient{0.3, 0.3};

LoadedVolume read(const std::string& does, const io::ReaderLimits& limits = {}, const Control& control = {},
                  const std::string& program = test::builtProgram("fake_reader")) {
  return io::readInProcess(program, does, false, limits, control);
}

void requireError(const std::string& does, ErrorKind kind, const std::string& part, const io::ReaderLimits& limits = {},
                  const std::string& program = test::builtProgram("fake_reader")) {
  CAPTURE(does);
  try {
    static_cast<void>(read(does, limits, {}, program));
    FAIL("reading should have failed");
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK_THAT(error.what(), ContainsSubstring(part) && ContainsSubstring(does));
    CHECK_THAT(error.what(), !ContainsSubstring("\n"));
  }
}

// Killed readers are reaped beside the caller.
bool noChildLeft() {
  return test::eventually([] {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD;
  });
}

// Of a decoder that works three times as long as it may be idle, and shows it. A busy machine may keep it from working
// for so long all the same: then once more, with ten times the patience and the work.
LoadedVolume readWorking(
    const std::string& does, const std::function<Control()>& control = [] { return Control(); }) {
  try {
    return read(does, {0.4, 0.4}, control());
  } catch (const Error&) {
    return read(does + "-longer", {4, 4}, control());
  }
}

}  // namespace

TEST_CASE("a decoder that works slowly is left to work and reports progress") {
  std::atomic<int> reports{0};
  double last = 0;
  const LoadedVolume loaded = readWorking("work", [&] {
    reports = 0;
    last = 0;
    return Control{{}, [&](double fraction, std::string_view) {
                     CHECK(fraction >= last);
                     last = fraction;
                     ++reports;
                   }};
  });
  CHECK(loaded.volume.shape() == VolumeShape{4096, 60, 1, 1});
  CHECK(loaded.volume.value(4095, 59, 0) == 7);
  CHECK(reports > 2);
  CHECK(last == 1);
}

TEST_CASE("a decoder that hangs is ended and told") {
  requireError("sleep", ErrorKind::BadData, "no progress", kImpatient);
  requireError("spin", ErrorKind::BadData, "no progress", kImpatient);
  // One that computes is told apart from one that waits.
  requireError("spin", ErrorKind::BadData, "no progress", {60, 0.3});
  requireError("sleep", ErrorKind::BadData, "no progress", {0.3, 60});
  CHECK(noChildLeft());
}

TEST_CASE("keys in the terminal do not end or stop the reader itself") {
  CHECK(read("feel-keys").volume.shape().voxels() == 60 * 4096);
}

TEST_CASE("a decoder that crashes is told as a damaged file") {
  for (const char* does : {"abort", "segfault", "leave", "babble"})
    requireError(does, ErrorKind::BadData, "cannot be decoded (the decoder crashed)");
  requireError("promise", ErrorKind::BadData, "too few voxels");
  CHECK(noChildLeft());
}

TEST_CASE("a reader of another build is told as such, not as a damaged file") {
  for (const char* does : {"another-version", "no-version", "refuse"})
    requireError(does, ErrorKind::Unsupported, "sscope-reader, is of another build of Stencilscope");
  CHECK(noChildLeft());
}

TEST_CASE("a decoder that wants more memory than there is is told so") {
  requireError("be-killed", ErrorKind::Memory, "used up the memory");
  requireError("claim-everything", ErrorKind::Memory, "4503599627370496 bytes");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SSCOPE_SKIP("the sanitizers need all the address space");
#else
  requireError("take-everything", ErrorKind::Memory, "needs more memory than");
#endif
  CHECK(noChildLeft());
}

TEST_CASE("a stop request ends a read in the middle") {
  std::stop_source source;
  Control control{source.get_token(), [&](double fraction, std::string_view) {
                    if (fraction > 0) source.request_stop();  // the decoder is at work
                  }};
  const Stopwatch watch;
  CHECK_THROWS_AS(read("work-for-long", {}, control), Canceled);
  CHECK(watch.seconds() < 60);  // it would work for two minutes
  CHECK(noChildLeft());
}

TEST_CASE("a stop request from another thread ends a read that hangs") {
  std::stop_source source;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  CHECK_THROWS_AS(read("sleep", {}, {source.get_token(), {}}), Canceled);
  CHECK(noChildLeft());
}

TEST_CASE("a stop request ends a read whatever the reader does, and soon") {
  for (const char* does : {"sleep", "spin", "flood-of-life", "fall-silent", "answer-and-stay", "work-for-long"}) {
    CAPTURE(does);
    std::stop_source source;
    Stopwatch sinceStop;
    std::jthread other([&] {
      // Any moment is right; most of those that do something do it by now.
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      sinceStop.restart();
      source.request_stop();
    });
    CHECK_THROWS_AS(read(does, {}, {source.get_token(), {}}), Canceled);
    other.join();
    // 20 ms by the clock of an idle machine; none of them would end by itself within this bound.
    CHECK(sinceStop.seconds() < 20);
  }
  CHECK(noChildLeft());
}

TEST_CASE("a decoder that works where nobody sees it is left to work") {
  CHECK(readWorking("work-in-place").volume.shape().voxels() == 4096);
  CHECK(readWorking("unpack-first").volume.shape().voxels() == 4096);
}

TEST_CASE("time in which the caller itself stood still is not counted as hanging") {
  // As after Ctrl-Z, or where a machine froze: what lies between two looks says little about the reader. If all of it
  // counted, it would be given up at the second look. Looks before it has begun count, too, if the machine is busy:
  // then once more.
  const auto looksInAll = [] {
    int looks = 0;
    const Control sleepy{{}, [&](double, std::string_view) {
                           ++looks;
                           std::this_thread::sleep_for(std::chrono::milliseconds(400));
                         }};
    CHECK_THROWS_AS(read("allocate-and-sleep", {0.35, 0.35}, sleepy), Error);
    return looks;
  };
  CHECK(test::eventually([&] { return looksInAll() >= 3; }));
}

TEST_CASE("a decoder that answers without end or not at all does not hold the caller") {
  requireError("flood", ErrorKind::BadData, "never stops replying");
  requireError("talk-for-long", ErrorKind::BadData, "never stops replying");
  requireError("fall-silent", ErrorKind::BadData, "the decoder crashed");
  CHECK(read("answer-and-stay").volume.shape().voxels() == 4096);
  CHECK(noChildLeft());
}

TEST_CASE_METHOD(test::InFolder, "what a decoder leaves behind does not hold the caller") {
  requireError((folder / "daemonize").string(), ErrorKind::BadData, "the decoder crashed", {},
               test::builtProgram("free_reader"));
  CHECK_FALSE(std::filesystem::exists(folder / "ended"));  // it is still there
  CHECK(noChildLeft());
}

TEST_CASE("voxels cannot be taken away from the volume that has them") {
  // Memory that is cut off before it is sealed is refused; a slow machine, or a sanitizer, leaves time for that.
  std::optional<LoadedVolume> adopted;
  for (int tries = 0; tries < 20 && !adopted; ++tries) {
    try {
      adopted = read("shrink", {}, {}, test::builtProgram("free_reader"));
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::BadData);
      REQUIRE_THAT(error.what(), ContainsSubstring("the file is damaged"));
    }
  }
  if (!adopted) SSCOPE_SKIP("the memory was cut off too early, every time");
  const LoadedVolume& loaded = *adopted;
  // Somebody tries for a second to cut the memory off: reading it would then end this program.
  const Stopwatch watch;
  while (watch.seconds() < 1.5) {
    REQUIRE(loaded.volume.value(4095, 63, 0) == 7);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST_CASE("what a decoder answers is checked and kept short") {
  requireError("negative", ErrorKind::BadData, "the decoder crashed");
  const VolumeInfo info = read("long-words").info;
  CHECK(info.geometry.unit.size() < 100);
  CHECK(info.notices.size() <= 64);
  for (const std::string& notice : info.notices) CHECK(notice.size() < 5000);
}

TEST_CASE("an answer whose extents are not whole numbers is none") {
  VolumeInfo info;
  info.shape = {4, 3, 2, 1};
  const std::string whole = io::encodeReply(info);
  const std::size_t at = whole.find("[4,3,2,1]");
  REQUIRE(at != std::string::npos);
  CHECK(std::holds_alternative<VolumeInfo>(io::decodeReply(whole)));
  for (const char* extents : {"[4.5,3,2,1]", "[4e30,3,2,1]", "[4,3,2,18446744073709551615]", "[4,3,2]", "4", "{}"}) {
    CAPTURE(extents);
    CHECK(std::holds_alternative<std::monostate>(io::decodeReply(std::string(whole).replace(at, 9, extents))));
  }
}

TEST_CASE_METHOD(test::InFolder, "what an unpacker sends is checked, and it is not waited for without end") {
  struct Row {
    const char* does;
    ErrorKind kind;
    const char* says;
  };
  for (const Row& row : {Row{"long-frame", ErrorKind::BadData, "the decoder crashed"},
                         {"half-frame", ErrorKind::BadData, "the decoder crashed"},
                         {"half-number", ErrorKind::BadData, "the decoder crashed"},
                         {"frame-and-sleep", ErrorKind::BadData, "no progress"},
                         {"error-frame", ErrorKind::Unsupported, "it said so"},
                         {"error-babble", ErrorKind::BadData, "the decoder crashed"},
                         {"error-flood", ErrorKind::BadData, "the decoder crashed"}}) {
    CAPTURE(row.does);
    const std::string path = (folder / row.does).string();
    std::ofstream(path) << "packed";
    io::StoredVoxels voxels;
    voxels.file = path;
    voxels.packing = io::Packing::Deflate;
    voxels.layout = {100, 1, 1, 1};
    // The others are given the time that they take.
    const io::ReaderLimits limits = row.does == std::string("frame-and-sleep") ? kImpatient : io::ReaderLimits{};
    const auto bytes = io::unpackedBytes(test::builtProgram("fake_reader"), path, voxels, limits);
    std::vector<std::byte> out(100);
    try {
      bytes->read(0, out, {});
      FAIL("it was read");
    } catch (const Error& error) {
      CHECK(error.kind() == row.kind);
      CHECK_THAT(error.what(), ContainsSubstring(row.says));
      CHECK_THAT(error.what(), !ContainsSubstring("\n"));
    }
  }
  CHECK(noChildLeft());
}

TEST_CASE("a place that cannot be is none") {
  io::LocatedVolume located;
  located.info.shape = {4, 3, 2, 6};
  located.info.type = ElementType::u16;
  located.voxels.file = "a.nii";
  located.voxels.offset = 352;
  located.voxels.type = io::Stored::u16;
  located.voxels.layout = {24, 3, 2, 3};
  located.voxels.chosen = {0, 6, 1};
  located.voxels.runBytes = 12;
  located.voxels.gapBytes = 8;
  const std::string whole = io::encodeReply(located);
  const auto decoded = io::decodeReply(whole);
  REQUIRE(std::holds_alternative<io::LocatedVolume>(decoded));
  const io::StoredVoxels& voxels = std::get<io::LocatedVolume>(decoded).voxels;
  CHECK(voxels.file == "a.nii");
  CHECK(voxels.offset == 352);
  CHECK(voxels.bytes() == located.voxels.bytes());
  CHECK(voxels.span() == located.voxels.span());
  CHECK(voxels.firstComponentOf(1) == located.voxels.firstComponentOf(1));
  const std::pair<const char*, const char*> changes[] = {
      {R"("offset":352)", R"("offset":-2)"},
      {R"("offset":352)", R"("offset":9223372036854775807)"},
      {R"("offset":352)", R"("offset":1.5)"},
      {R"("packing":0)", R"("packing":2)"},
      {R"("type":2)", R"("type":11)"},
      {R"("type":2)", R"("type":-1)"},
      {R"("frames":3)", R"("frames":0)"},
      {R"("frames":3)", R"("frames":16777216)"},
      {R"("times":3)", R"("times":2)"},
      {R"("components":2)", R"("components":16777217)"},
      {R"("chosen":[0,6,1])", R"("chosen":[1,6,1])"},
      {R"("chosen":[0,6,1])", R"("chosen":[0,6,2])"},
      {R"("chosen":[0,6,1])", R"("chosen":[0,5,1])"},
      {R"("chosen":[0,6,1])", R"("chosen":[-1,6,1])"},
      {R"("chosen":[0,6,1])", R"("chosen":[0,6])"},
      {R"("run":12)", R"("run":0)"},
      {R"("run":12)", R"("run":7)"},
      {R"("gap":8)", R"("gap":-8)"},
      {R"("gap":8)", R"("gap":1152921504606846976)"},
      {R"("skip":0)", R"("skip":-1)"},
      {R"("swapped":false)", R"("swapped":0)"},
      {R"("file":"a.nii")", R"("file":3)"},
  };
  for (const auto& [from, to] : changes) {
    CAPTURE(from, to);
    const std::size_t at = whole.find(from);
    REQUIRE(at != std::string::npos);
    CHECK(std::holds_alternative<std::monostate>(
        io::decodeReply(std::string(whole).replace(at, std::string(from).size(), to))));
  }
}

TEST_CASE("the reader starts whatever descriptors are open") {
  // Up to each of these the numbers are taken; what the reader is given lies right behind, at and above what it
  // expects.
  for (const int taken : {2, 3, 4, 5, 9, 10, 97, 98, 99, 100, 101, 120}) {
    CAPTURE(taken);
    std::vector<int> opened;
    for (int file = ::open("/dev/null", O_RDONLY); file >= 0; file = ::open("/dev/null", O_RDONLY)) {
      if (file <= taken) opened.push_back(file);
      if (file > taken) {
        ::close(file);
        break;
      }
    }
    CHECK(read("answer-at-once").volume.value(0, 0, 0) == 7);
    for (const int file : opened) ::close(file);
  }
}

TEST_CASE("a reader program that is not there is told") {
  try {
    static_cast<void>(io::readInProcess("/no/such/reader", "a.nrrd", false, {}, {}));
    FAIL("it was started");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Io);
    CHECK_THAT(error.what(), ContainsSubstring("/no/such/reader"));
  }
}

}  // namespace sscope
