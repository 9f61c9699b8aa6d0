#include "gpu/cuda/nvml.h"

#include "gpu/run/device_engine.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("a card is named by its place and its limits by words", "[clock]") {
  CHECK(pciName(0, 0x3b, 0) == "00000000:3b:00.0");
  CHECK(clockLimits(0).empty());
  CHECK(clockLimits(0x1 | 0x2 | 0x100).empty());  // idle, or as fast as asked for
  CHECK(clockLimits(0x4 | 0x20) == std::vector<std::string>{"power cap", "heat"});
  CHECK_FALSE(readNvidiaClock(""));
  CHECK_FALSE(readNvidiaClock("ffffffff:ff:1f.0"));
}

TEST_CASE("every device tells its clock or nothing", "[clock]") {
  SSCOPE_EACH_DEVICE(engine);
  const auto reading = engine->readClock();
  INFO(engine->info().id);
  if (engine->info().isProcessor) CHECK(reading.has_value());
  if (reading) CHECK(reading->megahertz > 100);
  if (reading) CHECK(reading->megahertz < 10000);
}

TEST_CASE("every graphics processor tells its load, or why it does not", "[clock]") {
  SSCOPE_EACH_DEVICE(engine);
  const auto load = deviceLoadOf(*engine);
  INFO(engine->info().id);
  CHECK(load.has_value() == !engine->info().isProcessor);
  if (!load) return;
  INFO(load->unavailable);
  CHECK(load->unavailable.empty() == (load->busy || load->memoryBytes || load->megahertz || load->watts));
  if (load->busy) CHECK((*load->busy >= 0 && *load->busy <= 100));
  if (load->memoryBytes) CHECK(*load->memoryBytes <= *load->memoryTotal);
  if (load->watts) CHECK((*load->watts > 0 && *load->watts < 2000));
}

TEST_CASE("a card that nobody knows has a load with a reason", "[clock]") {
  CHECK_FALSE(readNvidiaLoad("").unavailable.empty());
  CHECK_FALSE(readNvidiaLoad("ffffffff:ff:1f.0").unavailable.empty());
}

}  // namespace sscope::test
