#pragma once
// A place to compute.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/control.h"
#include "core/engine/plan.h"
#include "core/options/option.h"
#include "core/workload/workload.h"

namespace sscope {

enum class EngineKind : std::uint8_t { Cpu, OpenCl, Cuda, Peer };
[[nodiscard]] std::string_view toString(EngineKind kind);
// What follows from it, for all who do not make plans: kinds and ids are for the table of variants and for people.
// Has memory of its own: kernels are compiled, data are uploaded and downloaded.
[[nodiscard]] constexpr bool isDevice(EngineKind kind) {
  return kind == EngineKind::OpenCl || kind == EngineKind::Cuda;
}
// Another library, to compare with: nobody's default, and the processor's limits are its own.
[[nodiscard]] constexpr bool isPeer(EngineKind kind) { return kind == EngineKind::Peer; }
// Computes on as many of the processor's threads as are asked for, at once, and is charged with all it does.
[[nodiscard]] constexpr bool hasThreads(EngineKind kind) { return kind == EngineKind::Cpu; }
// Tells by a clock of its own what the work itself took (Phases::kernel).
[[nodiscard]] constexpr bool hasOwnClock(EngineKind kind) { return kind != EngineKind::Cpu; }

struct EngineInfo {
  std::string id;  // "cpu:avx512", "opencl:0"
  EngineKind kind = EngineKind::Cpu;
  std::string name;          // "Intel Xeon, AVX-512, 16 x f32"
  std::string driver;        // driver and version, "" on CPUs
  std::string absentReason;  // not empty: the engine is not there, and why
  bool fp64 = true;
  int computeUnits = 1;                // cores or multiprocessors
  std::int64_t memoryBytes = 0;        // of the device; of the machine on CPUs
  std::int64_t largestAllocation = 0;  // 0: as memoryBytes
  // Devices only.
  std::int64_t localBytes = 0;    // local (shared) memory of a work-group
  std::int64_t largestGroup = 0;  // work items
  std::int64_t largestImage = 0;  // width and height of an image; 0: it has none

  [[nodiscard]] bool available() const { return absentReason.empty(); }
  [[nodiscard]] bool isDevice() const { return sscope::isDevice(kind); }
  [[nodiscard]] bool isPeer() const { return sscope::isPeer(kind); }
  [[nodiscard]] bool hasThreads() const { return sscope::hasThreads(kind); }
  [[nodiscard]] bool hasOwnClock() const { return sscope::hasOwnClock(kind); }
};

// Measured on this machine, never taken from a datasheet.
struct Ceilings {
  double gflopsF32 = 0, gflopsF64 = 0;  // register-only multiply-add loop
  double gbs = 0;                       // copy far larger than the last cache level, read + written bytes
  int threads = 1;                      // CPU threads in use, 1 on devices
  std::string date;                     // ISO 8601
  [[nodiscard]] double gflops(Precision p) const { return p == Precision::f32 ? gflopsF32 : gflopsF64; }
};

class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual const EngineInfo& info() const = 0;
  // Takes about a second. threads: CPU threads, 0 for all; ignored by devices.
  [[nodiscard]] virtual Ceilings measureCeilings(int threads, const Control& control) = 0;
};

struct PrepareOptions {
  int threads = 0;                     // CPU engines: 0 for all cores
  std::int64_t deviceMemoryLimit = 0;  // devices: use at most this many bytes; 0 for what is there
  // Of the variant (Variant::options): those that differ from the defaults; complete when a variant's prepare sees it.
  OptionValues values{};
};

// The engines of this machine, absent ones included with their reason.
class EngineSet {
 public:
  void add(std::unique_ptr<Engine> engine);
  void addAbsent(EngineInfo info);

  [[nodiscard]] const std::vector<EngineInfo>& infos() const { return infos_; }
  // Available engines in order.
  [[nodiscard]] std::vector<Engine*> available() const;
  // Throws Error(NotFound) when the id is unknown (listing the known ones) or absent (with the reason).
  [[nodiscard]] Engine& at(std::string_view id) const;
  // The engine for those who do not choose: the widest CPU level.
  [[nodiscard]] Engine& preferred() const;

 private:
  std::vector<EngineInfo> infos_;
  std::vector<std::unique_ptr<Engine>> engines_;  // null where absent; parallel to infos_
};

}  // namespace sscope
