#include "gpu/run/memory_need.h"

#include "core/base/error.h"

namespace sscope {

void requireFits(const DeviceEngine& engine, const MemoryNeed& need, std::int64_t budget, const std::string& needs,
                 const std::string& advice) {
  const std::int64_t allowed = engine.largestBuffer();
  if (need.total <= budget && need.largest <= allowed) return;
  const auto megabytes = [](std::int64_t n) { return std::to_string((n + (1 << 20) - 1) >> 20) + " MiB"; };
  throw Error(ErrorKind::Memory,
              needs + " " + megabytes(need.total) + " on " + engine.info().id + ", " + megabytes(need.largest) +
                  " of it in one buffer; " + megabytes(budget) + " and " + megabytes(allowed) + " are available",
              advice);
}

}  // namespace sscope
