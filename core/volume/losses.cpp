#include "core/volume/losses.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/words.h"
#include "core/volume/change.h"
#include "core/volume/element_type.h"

namespace sscope {

namespace {

constexpr std::size_t kBetweenChecks = std::size_t{4} << 20;  // bytes between two checks for cancellation

// A few values below f32's smallest are numerical noise; more than a hundredth of all are data.
bool isUnderflow(std::int64_t vanished, std::int64_t nonzero) { return vanished > nonzero / 100; }

std::string nameOf(ElementType type) { return std::string(toString(type)); }

std::string share(std::int64_t some, std::int64_t all, const char* what) {
  return std::to_string(some) + " of " + counted(all, what);
}

std::string overflowNotice(const ResultLosses& losses) {
  const bool one = losses.nonFinite == 1;
  return std::to_string(losses.nonFinite) + (one ? " value of the result is" : " values of the result are") +
         " infinite or NaN, though all that was read are finite: " + (one ? "it" : "they") + " left the range of " +
         nameOf(losses.to) +
         (losses.to == ElementType::f32 && losses.from == ElementType::f64 ? ", which f64 may hold" : "") +
         (!losses.formulas
              ? ""
              : std::string(", or a formula made ") + (one ? "it" : "them") + ", as sqrt(-1) or 1/0 would");
}

std::string saturationNotice(const ResultLosses& losses) {
  const bool one = losses.saturated == 1, notNumbers = losses.input.nonFinite > 0 || losses.formulas;
  return counted(losses.saturated, "value") + " of the result left the range of " + nameOf(losses.to) +
         " and became its nearest end" +
         (!notNumbers ? ""
          : one       ? ", or was NaN and became 0"
                      : ", or were NaN and became 0");
}

}  // namespace

void addLosses(ElementType from, ElementType to, std::span<const std::byte> elements, InputLosses& losses) {
  losses.nonFinite += countNonFinite(from, elements);
  if (to != ElementType::f32) return;
  dispatch(from, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (sizeof(T) >= sizeof(float) && !std::is_same_v<T, float>) {
      for (std::size_t at = 0; at + sizeof(T) <= elements.size(); at += sizeof(T)) {
        T value{};
        std::memcpy(&value, elements.data() + at, sizeof value);
        const float narrow = narrowed<float>(static_cast<double>(value));
        if constexpr (std::is_integral_v<T>) {
          losses.rounded += static_cast<double>(narrow) != static_cast<double>(value) ? 1 : 0;
        } else {
          losses.nonzero += value != 0 ? 1 : 0;
          losses.vanished += value != 0 && narrow == 0 ? 1 : 0;
        }
      }
    }
  });
}

InputLosses inputLosses(const Volume& volume, ElementType to, const Control& control) {
  InputLosses losses;
  const std::span<const std::byte> all(volume.data(), static_cast<std::size_t>(volume.bytes()));
  for (std::size_t begin = 0; begin < all.size(); begin += kBetweenChecks) {
    control.check();
    addLosses(volume.type(), to, all.subspan(begin, std::min(kBetweenChecks, all.size() - begin)), losses);
  }
  return losses;
}

std::vector<std::string> lossNotices(const ResultLosses& losses) {
  std::vector<std::string> notices;
  const InputLosses& input = losses.input;
  if (losses.saturated > 0) notices.push_back(saturationNotice(losses));
  if (losses.nonFinite > 0 && input.nonFinite == 0) notices.push_back(overflowNotice(losses));
  if (losses.nonFinite > 0 && input.nonFinite > 0 && losses.transform)
    notices.push_back(std::to_string(losses.nonFinite) +
                      (losses.nonFinite == 1 ? " value of the result is" : " values of the result are") +
                      " NaN or infinite: all that read such a value of the input");
  if (isUnderflow(input.vanished, input.nonzero))
    notices.push_back(share(input.vanished, input.nonzero, "nonzero input value") +
                      " are too small for f32, the type of the results, and count as 0; results of type f64 keep them");
  if (input.rounded > 0)
    notices.push_back(counted(input.rounded, "input value") + (input.rounded == 1 ? " has" : " have") +
                      " more digits than f32, the type of the results, holds; results of type f64 keep them");
  return notices;
}

std::vector<std::string> lossNotices(const ConvertedVolume& converted, ElementType type) {
  const bool whole = isInteger(type);
  const auto one = [](std::int64_t count, const char* singular, const char* plural) {
    return counted(count, "value") + (count == 1 ? singular : plural);
  };
  std::vector<std::string> notices;
  if (converted.rounded > 0)
    notices.push_back(one(converted.rounded, " was rounded to ", " were rounded to ") +
                      (whole ? "whole numbers" : "what " + nameOf(type) + " holds"));
  if (converted.saturated > 0)
    notices.push_back(counted(converted.saturated, "value") + " left the range of " + nameOf(type) +
                      (whole ? " and became its nearest end" : " and became infinite"));
  if (converted.notNumbers > 0)
    notices.push_back(one(converted.notNumbers, " is NaN and became 0", " are NaN and became 0"));
  if (isUnderflow(converted.vanished, converted.nonzero))
    notices.push_back(share(converted.vanished, converted.nonzero, "nonzero value") +
                      " are too small for f32 and became 0");
  return notices;
}

namespace {

constexpr std::string_view kEnd = " not finite (NaN or infinite)";

// Non-finite values have all bits of the exponent set. They are compared as integers, which compilers vectorize.
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
