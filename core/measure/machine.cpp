#include "core/measure/machine.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <thread>

namespace sscope {

namespace {

// The value of the first line that starts with `key`, without separators and quotes; empty if there is none.
std::string lineValue(const std::string& file, const std::string& key, char separator) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(key, 0) != 0) continue;
    std::string value = line.substr(std::min(line.size(), line.find(separator) + 1));
    std::erase(value, '"');
    const std::size_t start = value.find_first_not_of(" \t");
    return start == std::string::npos ? std::string() : value.substr(start);
  }
  return {};
}

// Uses the affinity mask, not the number of cores, because containers and taskset limit it.
int usableThreads() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

std::int64_t lastCacheBytes() {
  std::int64_t largest = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
    std::int64_t size = 0;
    char unit = ' ';
    if (!(file >> size)) continue;
    file >> unit;
    largest = std::max(largest, unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size);
  }
  return largest;
}

}  // namespace

Machine thisMachine() {
  Machine machine;
  utsname system{};
  uname(&system);
  machine.host = system.nodename;
  machine.cpu = lineValue("/proc/cpuinfo", "model name", ':');
  if (machine.cpu.empty()) machine.cpu = "unknown (" + std::string(system.machine) + ")";
  machine.threads = usableThreads();
  const std::string name = lineValue("/etc/os-release", "PRETTY_NAME", '=');
  machine.os = (name.empty() ? "" : name + ", ") + system.sysname + " " + system.release;
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGESIZE);
  machine.memoryBytes = pages > 0 && pageBytes > 0 ? pages * pageBytes : 0;
  machine.lastCacheBytes = lastCacheBytes();
  return machine;
}

std::string isoTime() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace sscope
