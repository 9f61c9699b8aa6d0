#include "core/filter/families/filter_files.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/recipe.h"
#include "core/filter/stencil.h"

namespace sscope {

FilterBank readBankFile(const std::string& path) {
  const std::string text = readTextFile(path);
  try {
    return bankFromJson(parseJson(text));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it is not JSON, or a number in it is too large",
                "see docs/manual/file-formats.md for the format");
  } catch (const Error& error) {
    throw Error(error.kind() == ErrorKind::Usage ? ErrorKind::BadData : error.kind(),
                "cannot read " + path + ": " + error.what());
  }
}

std::string tapsFileOf(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos || spec.substr(0, colon) != "custom") return {};
  std::string file;
  for (std::string_view rest = spec.substr(colon + 1); !rest.empty();) {
    const std::size_t comma = rest.find(',');
    const std::string_view pair = rest.substr(0, comma);
    if (pair.starts_with("file=")) file = pair.substr(5);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return file;
}

DenseTaps readTapsFile(const std::string& path) {
  const std::string text = readTextFile(path);
  try {
    return tapsFromJson(parseJson(text));
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot read " + path + ": " + error.what());
  } catch (const nlohmann::json::exception&) {  // also for numbers that exceed the range of double
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it is not JSON, or a number in it is too large",
                "write {\"size\":[nx,ny,nz],\"taps\":[...]}");
  }
}

std::string tapsFileText(const DenseTaps& taps) {
  return nlohmann::json{{"size", taps.size}, {"anchor", taps.anchor}, {"taps", taps.weights}}.dump() + "\n";
}

void requireTaps(const std::string& name, const VolumeShape& shape) {
  if (shape.components != 1)
    throw Error(ErrorKind::Unsupported,
                name + " has " + std::to_string(shape.components) + " components, and a tap is one number",
                "convert it to gray values first");
  if (std::max({shape.nx, shape.ny, shape.nz}) > kMaximumAxisTaps || shape.voxels() > kMostImportedTaps)
    throw Error(ErrorKind::Unsupported, name + " has " + shape.text() + " voxels",
                "taps can be " + std::to_string(kMaximumAxisTaps) + " along an axis and " +
                    std::to_string(kMostImportedTaps) + " in all; import a smaller image");
}

DenseTaps tapsFromVolume(const std::string& name, const Volume& volume) {
  const VolumeShape& shape = volume.shape();
  requireTaps(name, shape);
  DenseTaps taps = boxOfTaps({shape.nx, shape.ny, shape.nz});
  auto to = taps.weights.begin();
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x) {
        const double value = volume.value(x, y, z);
        if (!std::isfinite(value))
          throw Error(ErrorKind::BadData, name + " holds NaN or infinity, which taps cannot be",
                      "replace these values first");
        *to++ = value;
      }
  return taps;
}

}  // namespace sscope
