#include "core/measure/machine_load.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <utility>

namespace sscope {

namespace {

constexpr double kMicro = 1e-6, kKilobyte = 1024, kKilohertz = 1e-3;

std::optional<double> numberIn(const std::filesystem::path& file) {
  std::ifstream stream(file);
  double value = 0;
  if (!(stream >> value)) return {};
  return value;
}

std::string lineIn(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

// The sorted names in a folder; none if the folder does not exist.
std::vector<std::filesystem::path> entriesOf(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  std::ranges::sort(entries);
  return entries;
}

bool isCore(const std::filesystem::path& entry) {
  const std::string name = entry.filename().string();
  return name.size() > 3 && name.starts_with("cpu") &&
         std::all_of(name.begin() + 3, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

MachineLoadSampler::MachineLoadSampler(LoadFiles files) : files_(std::move(files)), cores_(files_.stat) {}

MachineLoad MachineLoadSampler::sample(std::chrono::steady_clock::time_point now) {
  MachineLoad load;
  load.cores = cores_.sample();
  readMemory(load);
  readClocks(load);
  readPower(load, now);
  before_ = now;
  return load;
}

void MachineLoadSampler::readMemory(MachineLoad& load) const {
  std::ifstream stream(files_.memory);
  std::optional<double> total, available;
  std::string name;
  double kilobytes = 0;
  for (std::string rest; stream >> name >> kilobytes; std::getline(stream, rest)) {
    if (name == "MemTotal:") total = kilobytes * kKilobyte;
    if (name == "MemAvailable:") available = kilobytes * kKilobyte;
  }
  load.memoryTotal = total.value_or(0);
  if (total && available)
    load.memoryBytes.value = std::max(0.0, *total - *available);
  else
    load.memoryBytes.unavailable = files_.memory.string() + " does not report it";
}

void MachineLoadSampler::readClocks(MachineLoad& load) const {
  double sum = 0;
  std::size_t count = 0;
  for (const std::filesystem::path& entry : entriesOf(files_.processors)) {
    if (!isCore(entry)) continue;
    const std::optional<double> kilohertz = numberIn(entry / "cpufreq/scaling_cur_freq");
    if (!kilohertz || !(*kilohertz > 0)) continue;
    const double megahertz = *kilohertz * kKilohertz;
    load.lowest = count == 0 ? megahertz : std::min(load.lowest, megahertz);
    load.highest = std::max(load.highest, megahertz);
    sum += megahertz;
    ++count;
  }
  if (count > 0)
    load.megahertz.value = sum / static_cast<double>(count);
  else
    load.megahertz.unavailable = "the system reports no clocks (no cpufreq in " + files_.processors.string() + ")";
}

// Counters of whole packages in microjoules; they wrap around at max_energy_range_uj.
void MachineLoadSampler::readPower(MachineLoad& load, std::chrono::steady_clock::time_point now) {
  const double seconds = std::chrono::duration<double>(now - before_).count();
  double watts = 0;
  std::size_t known = 0, packages = 0;
  std::filesystem::path unreadable;
  for (const std::filesystem::path& entry : entriesOf(files_.power)) {
    if (!lineIn(entry / "name").starts_with("package")) continue;
    ++packages;
    const std::optional<double> counter = numberIn(entry / "energy_uj");
    if (!counter) {
      unreadable = entry / "energy_uj";
      continue;
    }
    const double joules = *counter * kMicro;
    const auto before = joules_.find(entry);
    if (before != joules_.end() && seconds > 0) {
      double spent = joules - before->second;
      if (spent < 0) spent += numberIn(entry / "max_energy_range_uj").value_or(0) * kMicro;
      if (spent >= 0) {
        watts += spent / seconds;
        ++known;
      }
    }
    joules_[entry] = joules;
  }
  load.watts.value = watts;
  if (packages == 0)
    load.watts.unavailable = "the system reports no energy (no RAPL in " + files_.power.string() + ")";
  else if (!unreadable.empty())
    load.watts.unavailable = unreadable.string() + " cannot be read; on most systems only root may read it";
  else if (known < packages)
    load.watts.unavailable = "the first reading has nothing to compare with";
}

}  // namespace sscope
