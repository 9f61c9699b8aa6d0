// How soon a stop request ends the loading of a file: 200 requests at random times of a read.
// benches "[read-latency]"; SSCOPE_LATENCY_FILE names another file than the one that is made.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/io/volume_io.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

constexpr int kRequests = 200;

// Seconds from the request to the end of the read; negative where the read was done before.
double latency(VolumeIo& io, const std::string& file, double after) {
  std::stop_source source;
  Stopwatch sinceRequest;
  std::jthread other([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(after));
    sinceRequest.restart();
    source.request_stop();
  });
  bool canceled = false;
  double seconds = 0;
  try {
    static_cast<void>(io.read(file, {source.get_token(), {}}));
  } catch (const Canceled&) {
    seconds = sinceRequest.seconds();
    canceled = true;
  }
  return canceled ? seconds : -1;
}

}  // namespace

TEST_CASE("a stop request ends loading soon", "[read-latency]") {
  const test::TemporaryFolder folder;
  const auto io = makeVolumeIo();
  std::string file = (folder / "large.nii.gz").string();
  if (const char* given = std::getenv("SSCOPE_LATENCY_FILE")) {
    file = given;
  } else {
    io->write(file, test::randomVolume({320, 320, 320, 1}, ElementType::u8, 1), {});
  }
  Stopwatch whole;
  static_cast<void>(io->read(file, {}));
  const double seconds = whole.seconds();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> anyTime(0, seconds);
  std::vector<double> latencies;
  int finished = 0;
  while (latencies.size() < kRequests && finished < 10 * kRequests) {
    const double one = latency(*io, file, anyTime(random));
    if (one >= 0) latencies.push_back(one);
    if (one < 0) ++finished;
  }
  REQUIRE(latencies.size() == kRequests);
  std::sort(latencies.begin(), latencies.end());
  const auto milliseconds = [&](double share) {
    return 1e3 * latencies[static_cast<std::size_t>(share * (kRequests - 1))];
  };
  std::cout << "loading takes " << seconds << " s; " << kRequests << " stop requests at random times of it, "
            << finished << " more came too late\nuntil the end: median " << milliseconds(0.5) << " ms, p90 "
            << milliseconds(0.9) << " ms, p99 " << milliseconds(0.99) << " ms, longest " << milliseconds(1) << " ms\n";
}

}  // namespace sscope
