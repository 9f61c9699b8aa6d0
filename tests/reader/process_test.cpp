// What a decoder can do to its reader program, and what the caller is told.

#include <catch2/catch.hpp>

#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/io/process/reader_process.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

LoadedVolume read(const std::string& does, double idleSeconds = 60, const Control& control = {}) {
  return io::readInProcess(SSCOPE_FAKE_READER, does, false, {idleSeconds}, control);
}

void requireError(const std::string& does, ErrorKind kind, const std::string& part, double idleSeconds = 60) {
  CAPTURE(does);
  try {
    static_cast<void>(read(does, idleSeconds));
    FAIL("reading should have failed");
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK_THAT(error.what(), Catch::Contains(part) && Catch::Contains(does));
    CHECK_THAT(error.what(), !Catch::Contains("\n"));
  }
}

// Killed readers are reaped beside the caller; a while is enough.
bool noChildLeft() {
  for (int n = 0; n < 500; ++n) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == -1 && errno == ECHILD) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("a decoder that works slowly is left to work and reports progress") {
  std::atomic<int> reports{0};
  double last = 0;
  Control control;
  control.progress = [&](double fraction, std::string_view) {
    CHECK(fraction >= last);
    last = fraction;
    ++reports;
  };
  // Thirty pages take three times as long as the reader may be idle.
  const LoadedVolume loaded = read("work", 0.5, control);
  CHECK(loaded.volume.shape() == VolumeShape{4096, 30, 1, 1});
  CHECK(loaded.volume.value(4095, 29, 0) == 7);
  CHECK(reports > 2);
  CHECK(last == 1);
}

TEST_CASE("a decoder that hangs is ended and told") {
  requireError("sleep", ErrorKind::BadData, "no progress", 0.3);
  requireError("spin", ErrorKind::BadData, "no progress", 0.3);
  CHECK(noChildLeft());
}

TEST_CASE("a decoder that crashes is told as a damaged file") {
  for (const char* does : {"abort", "segfault", "leave", "babble"})
    requireError(does, ErrorKind::BadData, "the file is damaged (the decoder crashed)");
  requireError("promise", ErrorKind::BadData, "too few voxels");
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
  CHECK_THROWS_AS(read("work-for-long", 60, control), Canceled);
  CHECK(watch.seconds() < 60);  // it would work for two minutes
  CHECK(noChildLeft());
}

TEST_CASE("a stop request from another thread ends a read that hangs") {
  std::stop_source source;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  CHECK_THROWS_AS(read("sleep", 60, {source.get_token(), {}}), Canceled);
  CHECK(noChildLeft());
}

TEST_CASE("a reader program that is not there is told") {
  try {
    static_cast<void>(io::readInProcess("/no/such/reader", "a.nrrd", false, {}, {}));
    FAIL("it was started");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::Io);
    CHECK_THAT(error.what(), Catch::Contains("/no/such/reader"));
  }
}

}  // namespace sscope
