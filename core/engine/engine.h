#pragma once
// An engine is a place to compute: an instruction set of the processor, a device, or another library.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/clock_reading.h"
#include "core/engine/plan.h"
#include "core/options/option.h"
#include "core/workload/workload.h"

namespace sscope {

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
  // What the first three leave out: rows are not measured by these, but told of them (core/measure/surpassed.h). 0: not
  // measured, or the engine has no such thing.
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

// An engine as the type that a row of the table of variants runs on; null if it is another one.
template <class E>
[[nodiscard]] E* engineIf(Engine& engine) {
  return dynamic_cast<E*>(&engine);
}
template <class E>
[[nodiscard]] const E* engineIf(const Engine& engine) {
  return dynamic_cast<const E*>(&engine);
}

// The refusal of an engine that is none of `engines`, such as "CPU engines".
[[noreturn]] void throwOtherEngine(const Engine& engine, std::string_view engines);

// The same where it has to be of this type, which names its engines as E::kEngines. Throws Error(Usage).
template <class E>
[[nodiscard]] E& engineAs(Engine& engine) {
  E* own = engineIf<E>(engine);
  if (own == nullptr) throwOtherEngine(engine, E::kEngines);
  return *own;
}
template <class E>
[[nodiscard]] const E& engineAs(const Engine& engine) {
  const E* own = engineIf<E>(engine);
  if (own == nullptr) throwOtherEngine(engine, E::kEngines);
  return *own;
}

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
