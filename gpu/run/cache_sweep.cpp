#include "gpu/run/cache_sweep.h"

#include <algorithm>
#include <vector>

#include "gpu/device/wait.h"
#include "gpu/run/device_engine.h"

namespace sscope {

namespace {

// Where the driver tells less: four times the last level of most.
constexpr std::int64_t kLeast = std::int64_t{256} << 20, kLeastOfProcessors = std::int64_t{96} << 20;
constexpr std::int64_t kWordsEach = 16;
// What the memory holds, and what no sum of so many of its words is.
constexpr std::byte kContent{1};
constexpr std::int32_t kNeverTheSum = -1;

}  // namespace

CacheSweep::CacheSweep(DeviceEngine& engine, const Control& control) : device_(engine.device()) {
  const DeviceProperties& p = device_.properties();
  const std::int64_t group = std::min<std::int64_t>(256, p.largestGroup);
  KernelSource source{"cache_sweep", {}, Precision::f32, 1, {group, 1}, {}};
  source.define("WORDS", kWordsEach);
  kernel_ = ProgramCache::wait(engine.programs().start(source, {kNoBuffer, std::int32_t{0}, kNeverTheSum}), control);
  const std::int64_t piece = 4 * kWordsEach * group;
  const std::int64_t bytes = std::min({std::max(p.cpu ? kLeastOfProcessors : kLeast, 4 * p.lastCacheBytes),
                                       p.memoryBytes / 8, engine.largestBuffer()}) /
                             piece * piece;
  memory_ = device_.allocate(bytes);
  shape_ = {{bytes / piece, 1}, {group, 1}, 0};
  // Memory that was never written may be one page of zeros behind the scenes.
  const std::vector<std::byte> some(static_cast<std::size_t>(std::min<std::int64_t>(bytes, 16 << 20)), kContent);
  for (std::int64_t at = 0; at < bytes; at += std::ssize(some))
    waitFor(*device_.write(*memory_, at,
                           std::span(some).first(std::min(some.size(), static_cast<std::size_t>(bytes - at)))),
            control);
}

void CacheSweep::run(const Control& control) {
  const std::int64_t items = shape_.groups.x * shape_.group.x;
  const auto event =
      device_.launch(*kernel_->kernel, shape_, std::vector<KernelArgument>{memory_.get(), int32(items), kNeverTheSum});
  waitFor(*event, control);
}

}  // namespace sscope
