#include "core/cpu/run/scratch.h"

#include <unistd.h>

#include <new>

#include "core/base/error.h"

namespace sscope::cpu {

namespace {
constexpr std::align_val_t kAlignment{64};
}

Scratch::Scratch(std::int64_t bytes) {
  try {
    data_.reset(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(bytes), kAlignment)));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::Memory, "there is no memory for the tiles", "close other programs");
  }
}

void Scratch::Release::operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }

TileLimits tileLimits(int threads) {
  TileLimits limits;
  limits.threads = threads;
  const long cache = ::sysconf(_SC_LEVEL2_CACHE_SIZE);
  limits.largestBytes = kScratchBudget / threads;
  if (cache > 0) limits.cacheBytes = cache;
  return limits;
}

}  // namespace sscope::cpu
