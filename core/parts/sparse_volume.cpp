#include "core/parts/sparse_volume.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <memory>

#include "core/base/error.h"

namespace sscope::reach {

namespace {

std::shared_ptr<std::byte> addresses(std::int64_t bytes, SparseVolume::Pages pages) {
  const auto size = static_cast<std::size_t>(bytes);
  void* const mapped =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throw Error(ErrorKind::Memory,
                "the system gives this program no addresses for the " + std::to_string(bytes) + " bytes of the volume",
                "raise its limit, as with `ulimit -v unlimited`");
  // A hint, where the system offers large ones.
  static_cast<void>(::madvise(mapped, size, pages == SparseVolume::Pages::Large ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
  return {static_cast<std::byte*>(mapped), [size](std::byte* p) { ::munmap(p, size); }};
}

}  // namespace

SparseVolume::SparseVolume(const VolumeOutline& outline, Pages pages)
    : volume_(outline.shape, outline.type, outline.geometry, addresses(outline.bytes(), pages)),
      axis_(slowestAxis(volume_.spec().extent)),
      planes_(volume_.spec().extent[axis_]) {}

SparseVolume::SparseVolume(const ArraySpec& spec)
    : SparseVolume(VolumeOutline{
          {spec.extent[0], spec.extent[1], spec.extent[2], static_cast<int>(spec.extent[3])}, spec.type, {}}) {}

std::span<std::byte> SparseVolume::planesFrom(std::int64_t begin, std::int64_t end) {
  return {plane(begin), static_cast<std::size_t>((end - begin) * planeBytes())};
}

void SparseVolume::drop(std::int64_t begin, std::int64_t end) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::span<std::byte> dropped = planesFrom(begin, end);
  const auto from = reinterpret_cast<std::uintptr_t>(dropped.data());
  const std::uintptr_t first = (from + page - 1) / page * page, last = (from + dropped.size()) / page * page;
  if (first < last) static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED));
}

}  // namespace sscope::reach
