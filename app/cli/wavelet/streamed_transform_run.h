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
  // The maximum bytes of memory of the transform if it is not streamed.
  std::function<double(const VolumeInfo& info)> bytesHeld;
  TransformRecipe recipe;
  // Throws Error(Unsupported) if slabs cannot be computed independently. May add to the report and the recipe.
  std::function<std::unique_ptr<SlabTransform>(const VolumeInfo& info)> make;
};

// Transforms `in` slab by slab into `out` and prints the outcome, if the transform needs more than options.memory, by
// default two thirds of the free memory. False: nothing was done, because the data fit, or can only be read as a whole
// and fit into the free memory. Throws Error(Memory) with the reason if neither is possible, and as planStream,
// runStreamed and VolumeIo::openSink.
[[nodiscard]] bool transformBySlabs(Program& program, Workshop& workshop, const TransformOptions& options,
                                    const std::string& in, const std::string& out, const SlabbedTransform& transform,
                                    const nlohmann::json& report);

}  // namespace sscope::cli
