#include "core/parts/spread_array.h"

#include <sys/mman.h>

#include <string>

#include "core/base/error.h"
#include "core/volume/volume.h"

namespace sscope::reach {

SpreadArray::SpreadArray(const ArraySpec& spec) : spec_(spec) {
  const auto bytes = static_cast<std::size_t>(spec_.bytes());
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    throw Error(ErrorKind::Memory, "the system gives no addresses for " + std::to_string(spec_.bytes()) + " bytes",
                "allow this program more (ulimit -v), or choose a smaller shape");
  ::madvise(data, bytes, MADV_HUGEPAGE);
  data_ = static_cast<std::byte*>(data);
}

SpreadArray::~SpreadArray() { ::munmap(data_, static_cast<std::size_t>(spec_.bytes())); }

ArrayView SpreadArray::view() const { return denseView(spec_, data_); }

}  // namespace sscope::reach
