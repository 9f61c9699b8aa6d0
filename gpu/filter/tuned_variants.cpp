#include <limits>

#include "core/engine/typed_row.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/candidates.h"
#include "gpu/filter/tuned_plan.h"

namespace sscope {

namespace {

using Candidates = std::vector<OptionValues> (*)(const FilterWorkload&);
using Make = std::unique_ptr<Plan> (*)(DeviceEngine&, const FilterWorkload&, const PrepareOptions&, const Control&);

std::string tunedUnsupported(const EngineInfo& engine, const FilterWorkload& filter) {
  const ArraySpec& input = filter.input();
  if (filter.precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which rounding to integers exactly needs";
  if (input.extent[3] != 1) return "the ladders compute on one component";
  // It copies the boundary in f32, the type of its images; a constant beyond that asks for double precision.
  if (filter.name() == "conv2d" && filter.precision() == Precision::f64) return "the constant outside is no float32";
  // Rows, columns and slices are counted in 32 bits, with room for halo and blocks that stick out.
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max() / 4;
  if (input.extent[0] > kLimit || input.extent[1] * input.extent[2] > kLimit) return "there are too many rows";
  return {};
}

// `kernels`: the files of all that it launches, the one to show first.
void addRow(VariantTable& variants, EngineKind kind, const char* workload, std::vector<std::string_view> kernels,
            Make make, std::vector<Option> parameters, Candidates candidates) {
  Variant row;
  row.workload = workload;
  row.name = "tuned";
  row.kind = kind;
  row.source = "Stencilscope";
  row.kernelFile = std::string(kernels.front()) + ".kernel";
  row.code = kernelCode(kernelFiles(), kernels);
  row.unsupported = unsupportedFor<FilterWorkload>(tunedUnsupported);
  row.options = std::move(parameters);
  row.candidates = candidatesFor<FilterWorkload>(
      [candidates](const EngineInfo&, const FilterWorkload& of) { return candidates(of); });
  row.prepare = prepareFor<DeviceEngine, FilterWorkload>(make);
  variants.add(std::move(row));
}

}  // namespace

void addTunedVariants(VariantTable& variants, EngineKind kind) {
  addRow(variants, kind, "bank", {"tuned_tile", "tuned_march", "filter_gather"}, makeTunedBank,
         {integerOption("together", "Filters a launch", 0, 0, 8,
                        "filters that the tuned kernel computes at once; 0: as many as fit")},
         tunedBankCandidates);
  addRow(variants, kind, "conv2d", {"tuned_march", "tuned_tile"}, makeTunedConv2d,
         {choiceOption("method", "Method", {"auto", "walk", "tile"}, "of the tuned kernels: walks, tiles, or by size"),
          integerOption("walk", "Walk", 0, 0, 4096, "rows of outputs a work item walks down; 0: by the model")},
         tunedConv2dCandidates);
  addRow(variants, kind, "soup", {"tuned_soup"}, makeTunedSoup,
         {integerOption("rows", "Rows", 2, 1, 16, "rows of outputs a work item computes"),
          choiceOption("columns", "Columns", {"8", "4", "16"}, "columns of outputs a work item computes")},
         tunedSoupCandidates);
}

}  // namespace sscope
