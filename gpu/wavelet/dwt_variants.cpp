#include "core/engine/typed_row.h"
#include "gpu/wavelet/rows.h"

#include <array>
#include <limits>
#include <string_view>

#include "gpu/device/kernel_source.h"
#include "gpu/wavelet/dwt_plan.h"

namespace sscope {

namespace {

constexpr std::array<std::string_view, 2> kTunedKernels{"dwt_rows", "dwt_columns"};

std::string unsupported(const EngineInfo& engine, const DwtWorkload& workload) {
  if (workload.precision() == Precision::f64 && !engine.fp64) return "this device has no double precision";
  const auto& n = workload.pyramid().extent;
  constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max() / 4;
  if (n[0] > kLimit || n[1] > kLimit / n[2]) return "its kernels count rows in 32 bits, and this has too many";
  return {};
}

void addRow(VariantTable& variants, EngineKind kind, DwtRung rung, std::string name, std::string kernel,
            std::string source) {
  Variant row;
  row.workload = "dwt";
  row.name = std::move(name);
  row.kind = kind;
  row.source = std::move(source);
  row.kernelFile = std::move(kernel);
  row.unsupported = unsupportedFor<DwtWorkload>(unsupported);
  if (rung == DwtRung::Tuned) {
    row.options = {choiceOption("block", "Block", {"auto", "2", "4", "8", "16"},
                                "pairs a work item computes one after the other along y and z")};
    row.code = kernelCode(kernelFiles(), kTunedKernels);
    row.candidates = [](const EngineInfo&, const Workload&) {
      return std::vector<OptionValues>{{},
                                       {{"block", std::string("2")}},
                                       {{"block", std::string("4")}},
                                       {{"block", std::string("8")}},
                                       {{"block", std::string("16")}}};
    };
  }
  row.prepare = prepareFor<DeviceEngine, DwtWorkload>(
      [rung](DeviceEngine& engine, const DwtWorkload& workload, const PrepareOptions& options, const Control& control) {
        return makeDwtPlan(engine, workload, rung, options, control);
      });
  variants.add(std::move(row));
}

}  // namespace

void addDwtVariants(VariantTable& variants, EngineKind kind) {
  addRow(variants, kind, DwtRung::Tuned, "tuned", "dwt_columns.kernel", "Stencilscope");
  addRow(variants, kind, DwtRung::Naive, "naive", "dwt_naive.kernel",
         "S. Mallat, A theory for multiresolution signal decomposition, 1989");
}

}  // namespace sscope
