#include "core/volume/not_finite.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace sscope {

namespace {

constexpr std::string_view kEnd = " not finite (NaN or infinite)";

// Those with all bits of the exponent set. Compared as integers, which compilers do with whole vectors.
template <class Bits>
std::int64_t countWithExponent(std::span<const std::byte> elements, Bits exponent) {
  constexpr std::size_t kBlock = std::size_t{1} << 16;  // so that counts fit into lanes
  std::int64_t count = 0;
  const std::size_t all = elements.size() / sizeof(Bits);
  for (std::size_t begin = 0; begin < all; begin += kBlock) {
    const std::byte* const from = elements.data() + begin * sizeof(Bits);
    const std::size_t end = std::min(kBlock, all - begin);
    Bits found = 0;
    for (std::size_t i = 0; i < end; ++i) {
      Bits bits;
      std::memcpy(&bits, from + i * sizeof(Bits), sizeof(Bits));
      found += (bits & exponent) == exponent ? Bits{1} : Bits{0};
    }
    count += static_cast<std::int64_t>(found);
  }
  return count;
}

}  // namespace

std::int64_t countNonFinite(ElementType type, std::span<const std::byte> elements) {
  if (type == ElementType::f32) return countWithExponent<std::uint32_t>(elements, 0x7f800000U);
  if (type == ElementType::f64) return countWithExponent<std::uint64_t>(elements, 0x7ff0000000000000U);
  return 0;
}

std::int64_t countNonFinite(const Volume& volume, const Control& control) {
  if (isInteger(volume.type())) return 0;
  constexpr std::int64_t kChunk = std::int64_t{4} << 20;
  std::int64_t count = 0;
  for (std::int64_t start = 0; start < volume.bytes(); start += kChunk) {
    control.check();
    const std::int64_t end = std::min(start + kChunk, volume.bytes());
    count += countNonFinite(volume.type(), {volume.data() + start, volume.data() + end});
  }
  return count;
}

void noteNonFinite(VolumeInfo& info, std::int64_t count) {
  std::erase_if(info.notices, [](const std::string& notice) { return notice.ends_with(kEnd); });
  if (count > 0)
    info.notices.push_back(std::to_string(count) + (count == 1 ? " value is" : " values are") + std::string(kEnd));
}

void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control) {
  const auto bytes = static_cast<std::size_t>(info.shape.elements()) * bytesOf(info.type);
  constexpr std::size_t kChunk = std::size_t{4} << 20;
  std::int64_t count = 0;
  for (std::size_t start = 0; !isInteger(info.type) && start < bytes; start += kChunk) {
    control.check();
    control.report(static_cast<double>(start) / static_cast<double>(bytes), "checking");
    count += countNonFinite(info.type, {voxels + start, std::min(kChunk, bytes - start)});
  }
  noteNonFinite(info, count);
}

}  // namespace sscope
