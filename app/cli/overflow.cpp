#include "app/cli/overflow.h"

#include <algorithm>
#include <cmath>

namespace sscope::cli {

std::int64_t notFinite(const Volume& volume, const Control& control) {
  if (isInteger(volume.type())) return 0;
  constexpr std::size_t kPiece = std::size_t{1} << 20;  // between two looks at a stop request
  std::int64_t count = 0;
  dispatch(volume.type(), [&](auto tag) {
    const auto all = volume.elements<decltype(tag)>();
    for (std::size_t begin = 0; begin < all.size(); begin += kPiece) {
      control.check();
      for (const auto value : all.subspan(begin, std::min(kPiece, all.size() - begin)))
        count += std::isfinite(static_cast<double>(value)) ? 0 : 1;
    }
  });
  return count;
}

std::string overflowNotice(std::int64_t count, ElementType input, ElementType result) {
  return std::to_string(count) + " values of the result are infinite or NaN, though all that was read are finite: " +
         "they left the range of " + std::string(toString(result)) +
         (result == ElementType::f32 && input == ElementType::f64 ? ", which f64 may hold" : "");
}

}  // namespace sscope::cli
