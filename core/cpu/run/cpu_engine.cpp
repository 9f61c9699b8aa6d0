#include "core/cpu/run/cpu_engine.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "core/cpu/run/ceilings.h"
#include "core/cpu/run/threads.h"

namespace sscope::cpu {

namespace {

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "processor";
}

std::int64_t lanesOf(SimdLevel level) {
  switch (level) {
    case SimdLevel::Scalar: return 1;
    case SimdLevel::Sse4: return 4;
    case SimdLevel::Avx2: return 8;
    case SimdLevel::Avx512: break;
  }
  return 16;
}

}  // namespace

EngineInfo cpuEngineInfo(SimdLevel level) {
  EngineInfo info;
  info.id = "cpu:" + std::string(toString(level));
  info.kind = EngineKind::Cpu;
  info.name = processorName() + ", " + std::string(label(level)) + ", " + std::to_string(lanesOf(level)) + " x f32";
  info.computeUnits = threadCount(0);
  // Two vectors of multiply-adds at once, at 2.5 GHz; scalar code has no fused ones.
  const double each = level == SimdLevel::Scalar || level == SimdLevel::Sse4 ? 1 : 2;
  info.nominal.threads = info.computeUnits;
  info.nominal.gflopsF32 = 2 * each * static_cast<double>(lanesOf(level)) * 2.5 * info.computeUnits;
  info.nominal.gflopsF64 = info.nominal.gflopsF32 / (level == SimdLevel::Scalar ? 1 : 2);
  info.nominal.gbs = 10.0 * info.computeUnits;
  info.memoryBytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return info;
}

CpuEngine::CpuEngine(SimdLevel level) : info_(cpuEngineInfo(level)), kernels_(kernelTable(level)) {}

Ceilings CpuEngine::measureCeilings(int threads, const Control& control) {
  return cpu::measureCeilings(kernels_, threadCount(threads), control);
}

std::optional<ClockReading> CpuEngine::readClock() {
  const double megahertz = serialMegahertz();
  if (megahertz <= 0) return {};
  return ClockReading{megahertz, 0, {}};
}

}  // namespace sscope::cpu

namespace sscope {

void addCpuEngines(EngineSet& engines) {
  for (const cpu::SimdLevel level : cpu::kSimdLevels) {
    if (const std::string_view reason = cpu::absentReason(level); reason.empty()) {
      engines.add(std::make_unique<cpu::CpuEngine>(level));
    } else {
      EngineInfo info = cpu::cpuEngineInfo(level);
      info.absentReason = reason;
      engines.addAbsent(std::move(info));
    }
  }
}

}  // namespace sscope
