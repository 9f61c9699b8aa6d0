#include "core/cpu/filter/tile_step.h"

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
    throw Error(ErrorKind::Memory, "there is no memory for the tiles of the filter", "close other programs");
  }
}

void Scratch::Release::operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }

}  // namespace sscope::cpu
