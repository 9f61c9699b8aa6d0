#include "core/cpu/cpu_engines.h"

#include "core/cpu/run/cpu_engine.h"

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
