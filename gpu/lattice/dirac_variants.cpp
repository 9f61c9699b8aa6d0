#include "gpu/lattice/dirac_variants.h"

#include <array>
#include <functional>
#include <string_view>

#include "core/base/error.h"
#include "core/engine/typed_row.h"
#include "core/lattice/workload/lattice_precision.h"
#include "core/workload/workload_options.h"
#include "gpu/device/kernel_source.h"
#include "gpu/lattice/dirac_plan.h"
#include "gpu/lattice/joined_dirac_plan.h"
#include "gpu/run/sizes.h"

namespace sscope {

namespace {

constexpr const char* kPaper = "A. Cassagne et al., Portage d'un code de lattice QCD sur GPU, 2013, ";
constexpr std::int64_t kCoarseGroup = 256, kElementGroup = 192, kSiteGroup = 128;
constexpr std::int64_t kMultiple = 16;
// 144 numbers a site of links are counted in 32 bits.
constexpr std::int64_t kMostSites = 14'000'000;

// Operations a site that are executed: a dense product with a spin matrix is 12 x 4 complex multiply-adds, a sparse one
// 12 x 1 and an addition; with a link 12 x 3.
constexpr double kDense = 8 * (12 * 4 + 12 * 3) * 8, kSparse = 8 * (12 * 1 * 8 + 12 * 2 + 12 * 3 * 8);

struct Fine {
  bool sparse = false, table = true;
  int buffers = 1;
  bool linksLocal = true, regrouped = false;
};

std::int64_t sliceOf(const DiracWorkload& workload) { return workload.field().lattice().spatialVolume(); }

// What numbers are stored as, and computed in.
struct Numbers {
  Precision stored = Precision::f64, computed = Precision::f64;
};

DiracStep stepOf(const DiracWorkload& workload, std::string entry, std::int64_t group, std::int64_t itemsPerSite,
                 bool neighborTable, Numbers numbers = {}) {
  DiracStep step;
  step.source.entry = std::move(entry);
  step.source.precision = numbers.computed;
  step.source.group = {group, 1};
  step.columns = roundUp(itemsPerSite * sliceOf(workload), group);
  step.operationsPerSite = kDense;
  defineDirac(step.source, workload, neighborTable, numbers.stored);
  return step;
}

DiracDesign coarse(const DiracWorkload& workload, const OptionValues&) {
  DiracDesign design;
  design.neighborTable = true;
  design.steps.push_back(stepOf(workload, "dirac_coarse", kCoarseGroup, 1, true));
  defineSpin(design.steps[0].source, workload, false);
  design.executedPerSite = kDense;
  design.description = "a work item a site";
  return design;
}

DiracDesign fine(const DiracWorkload& workload, std::int64_t sites, const Fine& what) {
  DiracDesign design;
  design.neighborTable = what.table;
  design.links = what.regrouped ? LinkOrder::Regrouped : LinkOrder::SiteDirections;
  DiracStep step = stepOf(workload, "dirac_fine", 12 * sites, 12, what.table);
  defineSpin(step.source, workload, what.sparse);
  step.source.define("SITES", sites);
  step.source.define("BUFFERS", std::int64_t{what.buffers});
  step.source.define("LINKS_LOCAL", what.linksLocal ? 1 : 0);
  step.source.define("REGROUPED", what.regrouped ? 1 : 0);
  design.steps.push_back(std::move(step));
  design.sitesBeyond = sites * workload.field().lattice().extent(3);
  design.executedPerSite = what.sparse ? kSparse : kDense;
  design.description = "twelve work items a site, " + std::to_string(sites) + " sites a group";
  return design;
}

std::function<DiracDesign(const DiracWorkload&, const OptionValues&)> grouped(Fine what) {
  return [what](const DiracWorkload& workload, const OptionValues& values) {
    return fine(workload, integerOf(values, "multiple"), what);
  };
}

DiracDesign productByProduct(const DiracWorkload& workload, const OptionValues&) {
  DiracDesign design;
  for (std::int32_t direction = 0; direction < 8; ++direction) {
    DiracStep spin = stepOf(workload, "dirac_spin_product", kElementGroup, 12, false);
    defineSpin(spin.source, workload, true);
    spin.direction = direction;
    spin.to = DiracArray::First;
    spin.operationsPerSite = kSparse / 16;
    design.steps.push_back(std::move(spin));
    DiracStep color = stepOf(workload, "dirac_color_product", kElementGroup, 12, false);
    color.direction = direction;
    color.from = DiracArray::First;
    color.operationsPerSite = kSparse / 16;
    design.steps.push_back(std::move(color));
  }
  design.executedPerSite = kSparse;
  design.description = "sixteen launches, a product each, with a whole field between them";
  return design;
}

DiracDesign tuned(const DiracWorkload& workload, bool twoRows, Numbers numbers = {}) {
  DiracDesign design;
  design.stored = numbers.stored;
  design.links = twoRows ? LinkOrder::PlanesTwoRows : LinkOrder::Planes;
  DiracStep in = stepOf(workload, "dirac_planes", kSiteGroup, 1, false, numbers);
  DiracStep out = in;
  in.source.define("TO_PLANES", 1);
  in.to = DiracArray::First;
  in.phase = DiracPhase::Upload;
  DiracStep main = stepOf(workload, "dirac_tuned", kSiteGroup, 1, false, numbers);
  main.source.extra.emplace_back("dirac_hops.h");
  main.source.define("ROWS", std::int64_t{twoRows ? 2 : 3});
  main.from = DiracArray::First;
  main.to = DiracArray::Second;
  out.source.define("TO_PLANES", 0);
  out.from = DiracArray::Second;
  out.phase = DiracPhase::Download;
  design.steps = {in, main, out};
  design.executedPerSite = lattice::kDiracOperations + (twoRows ? 8 * 3 * 14 : 0);
  design.description =
      std::string("a work item a site, half spinors, four links of ") + (twoRows ? "two" : "three") + " rows";
  if (numbers.stored == Precision::f32)
    design.description += numbers.computed == Precision::f32 ? ", float32" : ", stored in float32, computed in float64";
  return design;
}

// Of the rungs whose groups are several sites.
constexpr std::array<std::string_view, 3> kMultipleKernels{"dirac_fine", "dirac_spin_product", "dirac_color_product"};

}  // namespace

const std::vector<DiracRung>& diracRungs() {
  static const std::vector<DiracRung> all{
      {"tuned",
       "Stencilscope",
       "dirac_tuned",
       false,
       [](const DiracWorkload& w, const OptionValues&) { return tuned(w, w.thirdRowsFollow()); },
       {},
       true},
      {"tuned-three-rows",
       "Stencilscope",
       "dirac_tuned",
       false,
       [](const DiracWorkload& w, const OptionValues&) { return tuned(w, false); },
       {},
       true},
      {"v1.0", "section IV.4.B", "dirac_coarse", false, coarse},
      {"v1.1", "section IV.4.C", "dirac_fine", false,
       [](const DiracWorkload& w, const OptionValues&) { return fine(w, 1, {}); }},
      {"v1.2", "section IV.4.D", "dirac_fine", true, grouped({})},
      {"v1.3", "section IV.4.E", "dirac_fine", true, grouped({.sparse = true})},
      {"v1.4", "section IV.4.F", "dirac_fine", true, grouped({.sparse = true, .table = false})},
      {"v1.5", "section IV.4.G", "dirac_fine", true, grouped({.sparse = true, .table = false, .buffers = 2})},
      {"v1.6", "section IV.4.H", "dirac_fine", true,
       grouped({.sparse = true, .table = false, .buffers = 2, .regrouped = true})},
      {"v1.6.1", "section IV.4.H", "dirac_fine", true,
       grouped({.sparse = true, .table = false, .buffers = 2, .linksLocal = false, .regrouped = true})},
      {"v2.0", "section IV.4.I", "dirac_color_product", false, productByProduct},
      {"tuned-f32", "Stencilscope", "dirac_tuned", false,
       [](const DiracWorkload& w, const OptionValues&) {
         return tuned(w, w.thirdRowsFollow(), {Precision::f32, Precision::f32});
       },
       diracComputedInF32(), true},
      {"tuned-mixed", "Stencilscope", "dirac_tuned", false,
       [](const DiracWorkload& w, const OptionValues&) {
         return tuned(w, w.thirdRowsFollow(), {Precision::f32, Precision::f64});
       },
       diracStoredInF32(), true},
  };
  return all;
}

std::string diracUnsupported(const EngineInfo& engine, const lattice::Lattice& lattice) {
  if (!engine.fp64) return "this device has no double precision";
  if (lattice.volume() > kMostSites) return "the lattice has more than " + std::to_string(kMostSites) + " sites";
  return {};
}

Variant diracRow(const DiracRung& rung, EngineKind kind) {
  Variant row;
  row.workload = "dirac";
  row.name = rung.name;
  row.kind = kind;
  row.source = rung.source == std::string("Stencilscope") ? rung.source : std::string(kPaper) + rung.source;
  row.kernelFile = std::string(rung.kernelFile) + ".kernel";
  row.lower = rung.lower;
  if (rung.choosesMultiple) {
    row.options.push_back(integerOption("multiple", "Sites a group", kMultiple, 1, 64, "twelve work items each"));
    row.code = kernelCode(kernelFiles(), kMultipleKernels);
    row.candidates = [](const EngineInfo&, const Workload&) {
      return std::vector<OptionValues>{{}, {{"multiple", std::int64_t{8}}}, {{"multiple", std::int64_t{64}}}};
    };
  }
  return row;
}

void addDiracVariants(VariantTable& variants, EngineKind kind) {
  for (const DiracRung& rung : diracRungs()) {
    Variant row = diracRow(rung, kind);
    row.unsupported = unsupportedFor<DiracWorkload>([](const EngineInfo& engine, const DiracWorkload& workload) {
      return diracUnsupported(engine, workload.field().lattice());
    });
    row.prepare =
        prepareFor<DeviceEngine, DiracWorkload>([&rung](DeviceEngine& engine, const DiracWorkload& workload,
                                                        const PrepareOptions& options, const Control& control) {
          DiracDesign design = rung.design(workload, options.values);
          design.variant = rung.name;
          return makeDiracPlan(engine, workload, std::move(design), options, control);
        });
    if (rung.planes)
      row.prepareTogether = [&rung](std::span<Engine* const> engines, const Workload& workload,
                                    std::span<const double> weights, const PrepareOptions& options,
                                    const Control& control) {
        return prepareDiracOnDevices(engines, rung, workloadAs<DiracWorkload>(workload), weights, options, control);
      };
    variants.add(std::move(row));
  }
}

}  // namespace sscope
