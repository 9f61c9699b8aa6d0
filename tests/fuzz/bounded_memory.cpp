// operator new with an end: the sanitizers' own reports every lack of memory as a fault, where the program's throws and
// is heard. What malloc gives is watched as before.

#include <cstdlib>
#include <new>

#include "tests/fuzz/targets.h"

namespace {

void* bounded(std::size_t size) {
  void* memory = size > sscope::test::kMostBytes ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* boundedOrNull(std::size_t size) noexcept {
  return size > sscope::test::kMostBytes ? nullptr : std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) { return bounded(size); }
void* operator new[](std::size_t size) { return bounded(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return boundedOrNull(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return boundedOrNull(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
