#include "app/cli/overflow.h"

#include <algorithm>
#include <cstring>

namespace sscope::cli {

namespace {

constexpr std::size_t kBetweenChecks = std::size_t{1} << 20;  // between two checks for cancellation

}  // namespace

void addSmallValues(std::span<const std::byte> elements, SmallValues& values) {
  for (std::size_t at = 0; at + sizeof(double) <= elements.size(); at += sizeof(double)) {
    double value = 0;
    std::memcpy(&value, elements.data() + at, sizeof value);
    values.nonzero += value != 0 ? 1 : 0;
    values.tooSmall += value != 0 && static_cast<float>(value) == 0 ? 1 : 0;
  }
}

SmallValues tooSmallForF32(const Volume& volume, const Control& control) {
  SmallValues values;
  if (volume.type() != ElementType::f64) return values;
  const auto all = volume.elements<double>();
  for (std::size_t begin = 0; begin < all.size(); begin += kBetweenChecks) {
    control.check();
    addSmallValues(std::as_bytes(all.subspan(begin, std::min(kBetweenChecks, all.size() - begin))), values);
  }
  return values;
}

bool isUnderflow(std::int64_t tooSmall, std::int64_t nonzero) { return tooSmall > nonzero / 100; }

std::string overflowNotice(std::int64_t count, ElementType input, ElementType result, bool formulas) {
  const bool one = count == 1;
  return std::to_string(count) + (one ? " value of the result is" : " values of the result are") +
         " infinite or NaN, though all that was read are finite: " + (one ? "it" : "they") + " left the range of " +
         std::string(toString(result)) +
         (result == ElementType::f32 && input == ElementType::f64 ? ", which f64 may hold" : "") +
         (!formulas ? "" : std::string(", or a formula made ") + (one ? "it" : "them") + ", as sqrt(-1) or 1/0 would");
}

std::string saturationNotice(std::int64_t count, ElementType result, bool notNumbers) {
  return std::to_string(count) + (count == 1 ? " value" : " values") + " of the result left the range of " +
         std::string(toString(result)) + " and became its nearest end" +
         (!notNumbers  ? ""
          : count == 1 ? ", or was NaN and became 0"
                       : ", or were NaN and became 0");
}

}  // namespace sscope::cli
