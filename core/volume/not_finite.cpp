#include "core/volume/not_finite.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace sscope {

namespace {

constexpr std::string_view kEnd = " not finite (NaN or infinite)";

}  // namespace

void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control) {
  std::erase_if(info.notices, [](const std::string& notice) { return notice.ends_with(kEnd); });
  if (isInteger(info.type)) return;
  dispatch(info.type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_floating_point_v<T>) {
      const std::span<const T> all(reinterpret_cast<const T*>(voxels), static_cast<std::size_t>(info.shape.elements()));
      constexpr std::size_t kChunk = std::size_t{1} << 20;
      std::size_t count = 0;
      for (std::size_t start = 0; start < all.size(); start += kChunk) {
        control.check();
        control.report(static_cast<double>(start) / static_cast<double>(all.size()), "checking");
        for (const T value : all.subspan(start, std::min(kChunk, all.size() - start)))
          count += std::isfinite(value) ? 0U : 1U;
      }
      if (count > 0)
        info.notices.push_back(std::to_string(count) + (count == 1 ? " value is" : " values are") + std::string(kEnd));
    }
  });
}

}  // namespace sscope
