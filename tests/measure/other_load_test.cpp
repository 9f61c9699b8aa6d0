#include <unistd.h>

#include <fstream>

#include "core/measure/cpu_time.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

TEST_CASE("work of other programs and time that a hypervisor took are told apart from our own") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "stat";
  const auto write = [&](const char* line) { std::ofstream(path) << line << '\n'; };
  double own = 10, now = 100;
  write("cpu 1000 0 500 9000 0 0 0 0 0 0");
  OtherLoadWatch watch(
      path, [&] { return own; }, [&] { return now; });
  watch.start();
  now += 0.9 * OtherLoadWatch::kShortest;
  CHECK_FALSE(watch.sinceStart().known);  // too little time
  now += OtherLoadWatch::kShortest;
  SECTION("our own work disturbs nothing") {
    write("cpu 1100 0 500 9000 0 0 0 0 0 0");
    own += 1;
    const OtherLoad load = watch.sinceStart();
    REQUIRE(load.known);
    CHECK(load.otherCores < 0.01);
    CHECK_FALSE(load.disturbs());
  }
  SECTION("others do") {
    write("cpu 1100 0 500 9000 0 0 0 0 0 0");
    const OtherLoad load = watch.sinceStart();
    CHECK(load.otherCores * load.seconds == Approx(100.0 / static_cast<double>(sysconf(_SC_CLK_TCK))));
  }
  SECTION("stolen time does") {
    write("cpu 1000 0 500 9000 0 0 0 900 0 0");
    const OtherLoad load = watch.sinceStart();
    CHECK(load.otherCores == 0);
    CHECK(load.stolenCores > 0);
    CHECK(load.disturbs());
  }
  SECTION("nothing is known without the system's word") {
    write("nothing");
    CHECK_FALSE(watch.sinceStart().known);
  }
}
