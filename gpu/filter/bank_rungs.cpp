#include "core/engine/typed_row.h"
#include "gpu/filter/rows.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/filter/workload/bank_workload.h"
#include "core/workload/workload_options.h"
#include "gpu/filter/ladder_plan.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

enum class BankRung : std::uint8_t { NaiveArray, NaiveVector, Unrolled };

constexpr std::int64_t kLongestLine = 41;  // kernsize + CONV_UNROLL < 42: the macros go no further

std::int64_t realBytes(const Workload& workload) { return workload.precision() == Precision::f64 ? 8 : 4; }

// All filters, the filter fastest, then x, y, z.
std::vector<double> interleavedTaps(const BankWorkload& bank) {
  const std::size_t filters = bank.operators().size();
  const auto taps = static_cast<std::size_t>(bank.stencil(0).dense.count());
  std::vector<double> all(filters * taps);
  for (std::size_t i = 0; i < filters; ++i)
    for (std::size_t t = 0; t < taps; ++t) all[t * filters + i] = bank.stencil(i).dense.weights[t];
  return all;
}

LadderDesign designOf(BankRung rung, const BankWorkload& bank, const OptionValues& values) {
  const auto [nx, ny, nz, nc] = bank.outputs().front().extent;
  const auto filters = static_cast<std::int64_t>(bank.operators().size());
  LadderDesign design;
  design.source.precision = bank.precision();
  design.source.group = {integerOf(values, "group_x"), integerOf(values, "group_y")};
  design.channels = filters;
  design.columns = design.outPitch = nx;
  design.rows = ny * nz;
  design.taps = interleavedTaps(bank);
  defineLadder(design, bank);
  switch (rung) {
    case BankRung::NaiveArray:
      design.variant = "naive-array";
      design.source.entry = "bank_naive_array";
      break;
    case BankRung::NaiveVector:
      design.variant = "naive-vector";
      design.source.entry = "bank_naive_vector";
      design.source.vector = static_cast<int>(filters);
      design.source.define("PARTS", 1);
      design.source.extra.emplace_back("bank_store.h");
      break;
    case BankRung::Unrolled: {
      const std::int64_t unroll = integerOf(values, "unroll"), size = bank.stencil(0).dense.size[0];
      if (size + unroll > kLongestLine)
        throw Error(ErrorKind::Unsupported,
                    "unroll=" + std::to_string(unroll) + " is too much for kernels of size " + std::to_string(size),
                    "the paper's macros want size + unroll < 42");
      design.variant = "unrolled";
      design.source.entry = "bank_unrolled";
      design.source.vector = static_cast<int>(std::min<std::int64_t>(filters, 16));
      design.source.define("PARTS", filters / design.source.vector);
      design.source.define("CONV_UNROLL", unroll);
      design.source.extra.emplace_back("bank_store.h");
      // The last work item of a row computes and writes whole.
      design.outPitch = roundUp(nx, unroll);
      design.after[0] = design.outPitch - nx;
      design.columns = design.outPitch / unroll;
      design.launch["unroll"] = static_cast<double>(unroll);
      break;
    }
  }
  return design;
}

std::string unsupported(BankRung rung, const EngineInfo& engine, const BankWorkload& bank) {
  if (std::string reason = ladderUnsupported(engine, bank); !reason.empty() || rung == BankRung::NaiveArray)
    return reason;
  const auto filters = static_cast<std::int64_t>(bank.operators().size());
  std::vector<std::int64_t> known{1, 2, 4, 8, 16};
  known.push_back(rung == BankRung::NaiveVector ? 3 : 32);
  if (std::find(known.begin(), known.end(), filters) == known.end())
    return rung == BankRung::NaiveVector ? "the paper has vector types for 1, 2, 3, 4, 8 and 16 filters only"
                                         : "the paper has vector types for 1, 2, 4, 8, 16 and 32 filters only";
  // A vector of three takes the room of four in OpenCL.
  const std::int64_t bytes = bank.stencil(0).dense.count() * (filters == 3 ? 4 : filters) * realBytes(bank);
  if (bytes > engine.localBytes)
    return "the filters take " + std::to_string(bytes) + " bytes of local memory, and there are " +
           std::to_string(engine.localBytes);
  return {};
}

Variant rowOf(BankRung rung, EngineKind kind, const char* name, const char* kernel, const char* source) {
  Variant row;
  row.workload = "bank";
  row.name = name;
  row.kind = kind;
  row.source = std::string("A. Hast, Efficient convolution on multi-dimensional data (part 2), 2012, ") + source;
  row.kernelFile = kernel;
  row.options = {integerOption("group_x", "Group along x", 16, 1, 1024, "work items of a work-group along x"),
                 integerOption("group_y", "Group along y", 16, 1, 1024, "work items of a work-group along y")};
  if (rung == BankRung::Unrolled)
    row.options.insert(row.options.begin(),
                       integerOption("unroll", "Unroll", 16, 1, 40, "neighbors along x that a work item computes"));
  row.unsupported = unsupportedFor<BankWorkload>(
      [rung](const EngineInfo& engine, const BankWorkload& workload) { return unsupported(rung, engine, workload); });
  row.prepare = prepareFor<DeviceEngine, BankWorkload>(
      [rung](DeviceEngine& engine, const BankWorkload& bank, const PrepareOptions& options, const Control& control) {
        return makeLadderPlan(engine, bank, designOf(rung, bank, options.values), options, control);
      });
  return row;
}

}  // namespace

void addBankRungs(VariantTable& variants, EngineKind kind) {
  variants.add(
      rowOf(BankRung::NaiveArray, kind, "naive-array", "bank_naive_array.kernel", "The first naive implementation"));
  variants.add(rowOf(BankRung::NaiveVector, kind, "naive-vector", "bank_naive_vector.kernel",
                     "The second naive implementation"));
  variants.add(rowOf(BankRung::Unrolled, kind, "unrolled", "bank_unrolled.kernel",
                     "Reordering the memory operations for efficiency"));
}

}  // namespace sscope
