#include "app/cli/wavelet/dwt_crop.h"

#include "core/base/error.h"

namespace sscope::cli {

std::optional<std::array<std::int64_t, 3>> cropOf(const std::vector<std::int64_t>& size, const VolumeShape& shape) {
  if (size.empty()) return {};
  if ((size.size() < 2 && shape.ny > 1) || (size.size() < 3 && shape.nz > 1))
    throw Error(ErrorKind::Usage, "--size leaves an axis away that the data of " + shape.text() + " have",
                shape.nz > 1 ? "give X,Y,Z" : "give X,Y");
  return std::array{size[0], size.size() > 1 ? size[1] : 1, size.size() > 2 ? size[2] : 1};
}

}  // namespace sscope::cli
