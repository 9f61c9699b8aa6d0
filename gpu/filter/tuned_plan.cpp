#include "gpu/filter/tuned_plan.h"

#include <cstdint>
#include <limits>
#include <string>

#include "core/engine/typed_row.h"
#include "gpu/device/kernel_source.h"

namespace sscope {

TunedPlan::TunedPlan(DeviceEngine& engine, const FilterWorkload& workload, const PrepareOptions& options)
    : DevicePlan(engine, workload, options),
      workload_(workload),
      extent_(workload.outputs().front().extent),
      input_(workload) {
  askInput(input_.bytes());
  report_.variant = "tuned";
  report_.writtenOut = true;
  const Work work = workload_.workAs(true);
  report_.operations = work.operations;
  report_.bytes = work.bytes;
  report_.saturated.assign(workload_.operators().size(), 0);
}

std::vector<std::int32_t> TunedPlan::places(std::size_t axis, std::int64_t extra) const {
  return input_.places(axis, {0, extent()[axis]}, extra);
}

void defineTunedRows(KernelSource& source, const FilterWorkload& workload, std::int64_t tx) {
  defineStore(source, workload.outputType(), false, false);
  source.extra.emplace_back("tile_store.h");
  source.extra.emplace_back("tuned_rows.h");
  const DenseTaps& box = workload.stencil(0).dense;
  source.define("SIZE_X", box.size[0]);
  source.define("ANCHOR", box.anchor[0]);
  source.define("TX", tx);
  source.define("HAS_OUTSIDE", workload.boundary() == Boundary::constant ? 1 : 0);
}

namespace {

// Walks along larger filters keep too many sums to be worth compiling.
constexpr std::int64_t kWalkTaps = 121, kWalkRows = 11;

}  // namespace

std::vector<OptionValues> tunedBankCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  const auto filters = static_cast<std::int64_t>(workload.operators().size());
  const std::int64_t most = workload.precision() == Precision::f32 ? 8 : 4;
  for (const std::int64_t together : {4, 2, 3, 6, 1, 5})
    if (together < filters && together < most) list.push_back({{"together", together}});
  return list;
}

std::vector<OptionValues> tunedConv2dCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  const DenseTaps& box = workload.stencil(0).dense;
  if (box.count() > kWalkTaps || box.size[1] > kWalkRows) return list;
  const auto add = [&](std::int64_t walk) {
    if (walk <= workload.input().extent[1]) list.push_back({{"method", std::string("walk")}, {"walk", walk}});
  };
  for (const std::int64_t walk : {32, 24}) add(walk);
  list.push_back({{"method", std::string("tile")}});
  for (const std::int64_t walk : {48, 16, 64, 29, 43, 8}) add(walk);
  return list;
}

std::vector<OptionValues> tunedSoupCandidates(const FilterWorkload& workload) {
  std::vector<OptionValues> list{{}};
  // The default is 2 rows of 8; blocks wider than the rows' divisors would be narrowed to these anyway.
  const auto add = [&](std::int64_t rows, std::int64_t columns) {
    if (columns == 4 || workload.input().extent[0] % columns == 0)
      list.push_back({{"rows", rows}, {"columns", std::to_string(columns)}});
  };
  for (const std::int64_t rows : {1, 4, 3}) add(rows, 8);
  for (const std::int64_t columns : {16, 4})
    for (const std::int64_t rows : {2, 1, 4, 3}) add(rows, columns);
  return list;
}

namespace {

using Candidates = std::vector<OptionValues> (*)(const FilterWorkload&);
using Make = std::unique_ptr<Plan> (*)(DeviceEngine&, const FilterWorkload&, const PrepareOptions&, const Control&);

std::string tunedUnsupported(const EngineInfo& engine, const FilterWorkload& filter) {
  const ArraySpec& input = filter.input();
  if (filter.precision() == Precision::f64 && !engine.fp64)
    return "this device has no double precision, which rounding to integers exactly needs";
  if (input.extent[3] != 1) return "the ladders compute on one component";
  // It copies the boundary in f32, the type of its images; a constant beyond that needs double precision.
  if (filter.name() == "conv2d" && filter.precision() == Precision::f64) return "the constant outside is not a float32";
  // Rows, columns and slices are counted in 32 bits, with room for the halo and for blocks that exceed the array.
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max() / 4;
  if (input.extent[0] > kLimit || input.extent[1] * input.extent[2] > kLimit) return "there are too many rows";
  return {};
}

// `kernels`: the files of all kernels that it launches, the shown one first.
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
