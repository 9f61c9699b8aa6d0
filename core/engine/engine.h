#pragma once
// An engine is a place to compute: an instruction set of the processor, a device, or another library. What a device
// reports of itself at a moment, its clock and its load, is here, too.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/plan.h"
#include "core/options/option.h"
#include "core/workload/workload.h"

namespace sscope {

struct ClockReading {
  double megahertz = 0;
  double memoryMegahertz = 0;       // 0: unknown
  std::vector<std::string> limits;  // what keeps the clock down, as the driver says: "power cap"; empty: nothing known
};

// Of one row of a benchmark: read while its runs are under way, once in each turn.
struct RowClock {
  double first = 0, last = 0, lowest = 0;  // MHz
  double highest = 0;                      // of all rows on this engine that took turns
  double memory = 0;                       // MHz, at the end; 0: unknown
  std::vector<std::string> limits;         // of all readings
  // By more than what readings vary by: the row's times are too long, or other rows' too short to compare.
  [[nodiscard]] bool fell() const { return lowest < 0.95 * highest; }
};

// Empty without readings; `highest` is that of these.
[[nodiscard]] std::optional<RowClock> rowClock(const std::vector<ClockReading>& readings);

// How busy a device is at a moment, as its driver tells of all programs together.

struct DeviceLoad {
  std::optional<double> busy;  // percent of the last moments in which a kernel ran, 0..100
  std::optional<double> memoryBytes, memoryTotal;
  std::optional<double> megahertz;  // of the multiprocessors
  std::optional<double> watts;
  std::string unavailable{};  // not empty: why nothing is known
};

// An engine is a place to compute: an instruction set of the processor, a device, or another library.

enum class EngineKind : std::uint8_t { Cpu, OpenCl, Cuda, Peer };
[[nodiscard]] std::string_view toString(EngineKind kind);
// Properties of a kind. Only the table of variants and texts for people look at kinds and ids; all other code asks for
// these properties.
// Has memory of its own: kernels are compiled, data are uploaded and downloaded.
[[nodiscard]] constexpr bool isDevice(EngineKind kind) {
  return kind == EngineKind::OpenCl || kind == EngineKind::Cuda;
}
// Another library, only for comparison: never a default. The processor's ceilings apply to it.
[[nodiscard]] constexpr bool isPeer(EngineKind kind) { return kind == EngineKind::Peer; }
// Runs on a given number of CPU threads.
[[nodiscard]] constexpr bool hasThreads(EngineKind kind) { return kind == EngineKind::Cpu; }
// Measures the time of the computation itself with a clock of its own (Phases::kernel).
[[nodiscard]] constexpr bool hasOwnClock(EngineKind kind) { return kind != EngineKind::Cpu; }

// The highest rates an engine can reach. Reported ceilings are measured on this machine, never taken from a datasheet.
struct Ceilings {
  double gflopsF32 = 0, gflopsF64 = 0;  // GFLOP/s of multiply-adds in registers
  double gbs = 0;                       // GB/s, read + written, of a copy far larger than the last-level cache
  int threads = 1;                      // CPU threads used, 1 on devices
  std::string date;                     // of the measurement, ISO 8601
  // What the first three leave out: rows are not measured by these, but told of them (core/measure/measurement.h). 0:
  // not measured, or the engine has no such thing.
  double gflopsLoaded =
      0;  // GFLOP/s of f32 multiply-adds that load from local memory (devices) or the first-level cache
  double gopsInteger = 0;  // thousand million operations a second of multiply-adds of integers in registers
  double gbsCache = 0;     // GB/s of the second-level cache: copied (processors), read (devices)
  double gbsLocal = 0;     // GB/s read from local memory; devices only
  [[nodiscard]] double gflops(Precision p) const { return p == Precision::f32 ? gflopsF32 : gflopsF64; }
};

struct EngineInfo {
  std::string id;  // "cpu:avx512", "opencl:0"
  EngineKind kind = EngineKind::Cpu;
  std::string name;          // "Intel Xeon, AVX-512, 16 x f32"
  std::string driver;        // driver and version, "" on CPUs
  std::string absentReason;  // why the engine is absent; empty if it is available
  bool fp64 = true;
  int computeUnits = 1;                // cores or multiprocessors
  std::int64_t memoryBytes = 0;        // of the device, or of the machine on CPUs
  std::int64_t largestAllocation = 0;  // bytes; 0: memoryBytes
  // Devices only.
  std::int64_t localBytes = 0;    // local (shared) memory of a work-group
  std::int64_t largestGroup = 0;  // work items of a work-group
  std::int64_t largestImage = 0;  // largest width and height of an image, in pixels; 0: no images
  bool isProcessor = false;       // the device is this machine's processor and shares its memory
  // For predictions (core/engine/cost_model.h) until ceilings are measured, never for reports: ceilings of all threads
  // from core counts and clock rates, accurate to a factor of three; 0: unknown.
  Ceilings nominal{};
  double attained = 0.6;      // 0..1: the share of the multiply-add ceiling that dense sums reach
  std::string searchRefused;  // why candidates must not be compiled to find the fastest; empty if they may be

  [[nodiscard]] bool available() const { return absentReason.empty(); }
  [[nodiscard]] bool isDevice() const { return sscope::isDevice(kind); }
  [[nodiscard]] bool isPeer() const { return sscope::isPeer(kind); }
  [[nodiscard]] bool hasThreads() const { return sscope::hasThreads(kind); }
  [[nodiscard]] bool hasOwnClock() const { return sscope::hasOwnClock(kind); }
};

// What an engine holds of the memory of its device, in bytes. An engine that computes in the host's memory holds none.
struct HeldMemory {
  std::int64_t results = 0;  // that stay there, and what is kept for the next ones
  std::int64_t buffers = 0;  // the data, and what plans need while they run
  std::int64_t budget = 0;   // what it takes at most; 0: it has no device
  [[nodiscard]] std::int64_t all() const { return results + buffers; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const EngineInfo& info() const = 0;
  // Takes about one second. threads: CPU threads, 0 for all; devices ignore it.
  [[nodiscard]] virtual Ceilings measureCeilings(int threads, const Control& control) = 0;
  // How fast its clock runs now, soon after work that the reading is to tell of; empty where nobody tells. Takes less
  // than a millisecond, but for the first time, which may open a library.
  [[nodiscard]] virtual std::optional<ClockReading> readClock() { return {}; }
  // Writes this byte all over the memory that the engine keeps from run to run, so that what a run leaves unwritten
  // shows; inputs that stayed are forgotten, results that somebody holds remain. Nothing where there is no such memory.
  // Throws Canceled, Error(Device).
  virtual void poison(std::uint8_t /*byte*/, const Control& /*control*/) {}
  // From any thread, without waiting for what runs.
  [[nodiscard]] virtual HeldMemory heldMemory() const { return {}; }
  // Keeps nothing for later runs any more; results that somebody holds stay. Waits for what runs. Throws Canceled.
  virtual void giveBack(const Control& /*control*/) {}
};

class RunTrace;

struct PrepareOptions {
  int threads = 0;                     // CPU engines: 0 for all cores
  std::int64_t deviceMemoryLimit = 0;  // devices: use at most this many bytes; 0 for all that is free
  // The variant's options (Variant::options) that differ from their defaults. Variant::prepare receives all of them.
  OptionValues values{};
  std::optional<Ceilings> ceilings{};  // as measured, for predictions
  // Somebody is waiting for each result, and others follow: where a fast kernel has to be compiled first, the plan uses
  // slower ones that are there, while the compiler works for later plans.
  bool impatient = false;
  // Devices: kernels find nothing of their data in the device's caches, as the first one after other work would. For
  // timing: each run then reads a few hundred MB in between, which RunReport::emptying tells.
  bool emptyCaches = false;
  // Not null: records what runs do when.
  std::shared_ptr<RunTrace> trace{};
};

// The engines of this machine, including absent ones with the reason.
class EngineSet {
 public:
  void add(std::unique_ptr<Engine> engine);
  void addAbsent(EngineInfo info);

  [[nodiscard]] const std::vector<EngineInfo>& infos() const { return infos_; }
  // Available engines, in order.
  [[nodiscard]] std::vector<Engine*> available() const;
  // Throws Error(NotFound) if the id is unknown (listing the known ones) or the engine is absent (with the reason).
  [[nodiscard]] Engine& at(std::string_view id) const;
  // Null if the id is unknown. Finds absent engines, too.
  [[nodiscard]] const EngineInfo* find(std::string_view id) const;
  // The default engine: the CPU level with the widest vectors.
  [[nodiscard]] Engine& preferred() const;

 private:
  std::vector<EngineInfo> infos_;
  std::vector<std::unique_ptr<Engine>> engines_;  // null where absent; parallel to infos_
};

}  // namespace sscope
