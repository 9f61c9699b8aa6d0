#include "core/wavelet/job/original_extents.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace sscope {

namespace {

constexpr const char* kKey = "stencilscope.extents";

}  // namespace

void noteExtents(Metadata& metadata, const VolumeShape& original) {
  std::erase_if(metadata.fields, [](const auto& field) { return field.first == kKey; });
  metadata.fields.emplace_back(
      kKey, std::to_string(original.nx) + " " + std::to_string(original.ny) + " " + std::to_string(original.nz));
}

std::optional<std::array<std::int64_t, 3>> takeExtents(Metadata& metadata, const VolumeShape& coefficients) {
  const auto found = std::ranges::find(metadata.fields, kKey, &std::pair<std::string, std::string>::first);
  if (found == metadata.fields.end()) return std::nullopt;
  std::istringstream text(found->second);
  metadata.fields.erase(found);
  std::array<std::int64_t, 3> extents{};
  const std::array<std::int64_t, 3> most{coefficients.nx, coefficients.ny, coefficients.nz};
  for (std::size_t a = 0; a < 3; ++a)
    if (!(text >> extents[a]) || extents[a] < 1 || extents[a] > most[a]) return std::nullopt;
  return extents;
}

}  // namespace sscope
