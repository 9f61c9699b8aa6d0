#pragma once
// `sscope magic` and `sscope dwt denoise` on data that, with their results, do not fit into the memory that they may
// use.

#include <functional>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "app/cli/wavelet/transform_command.h"
#include "core/wavelet/slabs/slab_transform.h"

namespace sscope::cli {

struct SlabbedTransform {
  // Bytes that the transform of such data holds in memory at most, where it is not streamed.
  std::function<double(const VolumeInfo& info)> bytesHeld;
  TransformRecipe recipe;
  // Throws Error(Unsupported) where slabs cannot be computed by themselves. May add to the report and
  // the recipe.
  std::function<std::unique_ptr<SlabTransform>(const VolumeInfo& info)> make;
};

// Transforms `in` slab by slab into `out` and tells of it, where that takes more than options.memory, or by default
// than two thirds of what is free. False: nothing was done, as the data fit, or can only be read as a whole and fit
// into what is free. Throws Error(Memory), saying why nothing can be done about it, and as planStream, runStreamed and
// VolumeIo::openSink.
[[nodiscard]] bool transformBySlabs(Program& program, Workshop& workshop, const TransformOptions& options,
                                    const std::string& in, const std::string& out, const SlabbedTransform& transform,
                                    const nlohmann::json& report);

}  // namespace sscope::cli
