// The kernels are single source: everything a plan would compile on a CUDA device compiles under NVRTC, which needs no
// device. Of each kernel a run compiles what the seed draws (tests/gpu/cuda_sources.h).

#include <array>

#include "core/volume/volume.h"
#include "core/wavelet/threshold.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/workload/catalog.h"
#include "gpu/filter/filter_plan.h"
#include "gpu/filter/formula_plan.h"
#include "gpu/run/device_engine.h"
#include "gpu/wavelet/dwt_plan.h"
#include "tests/gpu/cuda_sources.h"
#include "tests/gpu/device_test_kernels.h"
#include "tests/gpu/gpu_support.h"
#include "tests/support/catch.h"

namespace sscope::test {

TEST_CASE("every kernel compiles under NVRTC for sm_80 and sm_90 with every element type", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  const Stencil lines = separableFilter({{3, 5, 3}, {3, 0, 0}, {0, 3, 0}});
  const Stencil dense = faintFilter({3, 4, 2}, {1, 1, 1});
  for (const ElementType type : kElementTypes) {
    const ArraySpec input{type, {32, 16, 8, 2}};
    const FilterWorkload reads({lines, dense}, Boundary::constant, 1, input, ElementType::f32);
    const FilterWorkload writes({lines, dense}, Boundary::constant, 1, {ElementType::f32, {32, 16, 8, 2}}, type);
    for (const FilterWorkload& workload : {reads, writes}) {
      (void)makeFilterPlan(engine, workload, {}, {}, {});
      (void)makeFilterPlan(engine, workload, MethodKind::Separable, {}, {});
      (void)makeFilterPlan(engine, workload, MethodKind::Dense, {}, {});
      (void)makeFilterPlan(engine, workload, MethodKind::DenseBaked, {}, {});
    }
    const FilterWorkload bank({lines, separableFilter({{3, 4, 2}})}, Boundary::constant, 1, input, ElementType::f32);
    (void)makeFilterPlan(engine, bank, MethodKind::FusedBank, {}, {});
    (void)makeFilterPlan(engine, reads, MethodKind::Fft, {}, {});
    const FilterWorkload flat({faintFilter({27, 14, 1}, {1, 1, 0})}, Boundary::constant, 1, input, ElementType::f32);
    (void)makeFilterPlan(engine, flat, MethodKind::Fft, {}, {});
  }
  CHECK(sources.asked() > 50);
  const int before = sources.asked();
  (void)engine.measureCeilings(0, {});
  // Multiply-adds and integers of two kinds each, a copy, local memory and the cache.
  CHECK(sources.asked() == before + 7);
  engine.emptyCaches({});
  CHECK(sources.asked() == before + 8);
  sources.requireCompile(*nvrtc);
}

// From capability 9 on, one instruction compares the keys of two outputs.
TEST_CASE("order statistics compile under NVRTC for sm_80 and sm_90 with every element type", "[nvrtc]") {
  SSCOPE_FIND_NVRTC(nvrtc);
  for (const int capability : {8, 9}) {
    CudaSources sources;
    DeviceEngine engine("cuda:0", EngineKind::Cuda, sources.device(capability));
    for (const ElementType type : kElementTypes) {
      const ArraySpec input{type, {32, 16, 8, 1}};
      std::vector<Operator> windows{medianWindow(WindowShape::Box, 3, 3)};
      if (capability == 8)
        for (const Operator& window : std::initializer_list<Operator>{
                 medianWindow(WindowShape::Ball, 3, 3), percentileWindow(WindowShape::Box, 3, 3, 20),
                 minimumWindow(WindowShape::Box, 4, 3), maximumWindow(WindowShape::Ball, 5, 3)})
          windows.push_back(window);
      for (const ElementType output : {ElementType::f32, type}) {
        INFO(toString(type) << " to " << toString(output));
        const FilterWorkload workload(windows, Boundary::constant, 1, input, output);
        CHECK_NOTHROW(makeFilterPlan(engine, workload, {}, {}, {}));
      }
      const FilterWorkload image({medianWindow(WindowShape::Box, 5, 2)}, Boundary::nearest, 0, {type, {32, 16, 1, 1}},
                                 type);
      CHECK_NOTHROW(makeFilterPlan(engine, image, MethodKind::Merging, {}, {}));
    }
    CHECK(sources.asked() > 30);
    sources.requireCompile(*nvrtc);
  }
}

TEST_CASE("entropies compile under NVRTC for sm_80 and sm_90 with every element type", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  const std::vector<Operator> windows{entropyWindow(WindowShape::Box, 31, 3, kMostEntropyBins, 0, 256),
                                      entropyWindow(WindowShape::Ball, 3, 3, 2, -1, 1)};
  for (const ElementType type : kElementTypes)
    for (const ElementType output : {ElementType::f32, type}) {
      INFO(toString(type) << " to " << toString(output));
      const FilterWorkload workload(windows, Boundary::constant, 1, {type, {32, 16, 8, 2}}, output);
      CHECK_NOTHROW(makeFilterPlan(engine, workload, {}, {}, {}));
    }
  CHECK(sources.asked() > 20);
  sources.requireCompile(*nvrtc);
}

TEST_CASE("the kernels of the device tests compile under NVRTC", "[nvrtc]") {
  SSCOPE_FIND_NVRTC(nvrtc);
  DeviceProperties properties;
  properties.language = KernelLanguage::CudaCpp;
  CudaSources sources;
  for (const KernelSource& source : deviceTestKernels()) sources.add(source.entry, kernelText(source, properties));
  sources.requireCompile(*nvrtc);
}

TEST_CASE("NVRTC compiles for the device itself, or for an older one as text", "[nvrtc]") {
  SSCOPE_FIND_NVRTC(nvrtc);
  CHECK(nvrtc->version().find('.') != std::string::npos);
  CHECK(nvrtc->architectureFor(90) == "sm_90");
  const std::string newest = nvrtc->architectureFor(9990);
  CHECK(newest.starts_with("compute_"));
  const auto text = nvrtc->compile("nothing", "extern \"C\" __global__ void nothing() {}", newest);
  const std::string_view ptx(reinterpret_cast<const char*>(text.data()), text.size());
  CHECK(ptx.find(".entry nothing") != std::string_view::npos);
  CHECK(ptx.back() == '\0');  // the driver reads it as a string
  CHECK_THROWS_WITH(nvrtc->architectureFor(20),
                    Catch::Matchers::ContainsSubstring("2.0") && Catch::Matchers::ContainsSubstring("SSCOPE_NVRTC"));
  CHECK_THROWS_WITH(nvrtc->compile("broken", "int f() { return missing; }", "sm_90"),
                    Catch::Matchers::ContainsSubstring("broken") && Catch::Matchers::ContainsSubstring("missing"));
}

// A multiply-add happens where a kernel says so and nowhere else, as in the OpenCL prelude.
TEST_CASE("NVRTC contracts nothing behind our back", "[nvrtc]") {
  SSCOPE_FIND_NVRTC(nvrtc);
  const auto ptxOf = [&](const char* expression) {
    const std::string source = std::string("extern \"C\" __global__ void f(float* p) { p[0] = ") + expression + "; }";
    const auto code = nvrtc->compile("f", source, "compute_90");
    return std::string(reinterpret_cast<const char*>(code.data()), code.size());
  };
  CHECK(ptxOf("p[1] * p[2] + p[3]").find("fma") == std::string::npos);
  CHECK(ptxOf("fma(p[1], p[2], p[3])").find("fma.rn") != std::string::npos);
}

// The widest loads there are, on which the ceiling of memory depends.
TEST_CASE("aligned vectors are loaded and stored at once", "[nvrtc]") {
  SSCOPE_FIND_NVRTC(nvrtc);
  DeviceProperties properties;
  properties.language = KernelLanguage::CudaCpp;
  const KernelSource source{"ceiling_copy", {}, Precision::f32, 4, {256, 1}, {}};
  const auto code = nvrtc->compile("ceiling_copy", kernelText(source, properties), "compute_90");
  const std::string ptx(reinterpret_cast<const char*>(code.data()), code.size());
  CHECK(ptx.find(".v4.") != std::string::npos);
  CHECK(ptx.find("st.global.v4") != std::string::npos);

  KernelSource structure{"structure", {}, Precision::f32, 1, {32, 1}, {}};
  structure.text = R"(
typedef struct ALIGNED_TO(16) {
  f32 lane[4];
} Four;
KERNEL void structure(GLOBAL const f32* RESTRICT from, GLOBAL f32* to) {
  const Four four = *(GLOBAL const Four*)from;
  to[0] = four.lane[0] - four.lane[1] - four.lane[2] - four.lane[3];
}
)";
  const auto own = nvrtc->compile("structure", kernelText(structure, properties), "compute_90");
  const std::string text(reinterpret_cast<const char*>(own.data()), own.size());
  CHECK(text.find("ld.global.nc.v4") != std::string::npos);
}

// The papers' parameters as they are by default; others only change numbers.
TEST_CASE("every rung of every ladder compiles under NVRTC for sm_80 and sm_90", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  int rungs = 0;
  for (const WorkloadKind& kind : workloadCatalog())
    for (const std::int64_t filters : {3, 8, 32}) {
      if (GpuBench::instance().variants().rows(kind.name, EngineKind::Cuda).empty()) break;
      OptionValues values = completeOptions(kind.options, {});
      if (values.contains("filters")) values["filters"] = filters;
      // A plan of a lattice orders its links, which takes long on a large one.
      const std::array<std::int64_t, 3> shape = kind.extent
                                                    ? std::array<std::int64_t, 3>{8, 8, 8}
                                                    : std::array<std::int64_t, 3>{70, 40, kind.dimensions == 3 ? 9 : 1};
      const auto workload = kind.make(kind.inputSpec(shape, values), values);
      for (const Variant* row : GpuBench::instance().variants().rows(kind.name, EngineKind::Cuda))
        if (row->unsupported(engine.info(), *workload).empty()) {
          INFO(kind.name << "/" << row->name);
          CHECK_NOTHROW(GpuBench::instance().variants().prepare(engine, *workload, row->name, {}, {}));
          ++rungs;
        }
      if (kind.name != "bank") break;
    }
  CHECK(rungs > 5);
  sources.requireCompile(*nvrtc);
}

TEST_CASE("formulas compile under NVRTC for sm_80 and sm_90", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  // Every function in one formula.
  std::string text = "if(a[1,0,-1] < b and x > ymm or not nz != 2, 1e300, -a^-3) + @k=2*b[0,3]";
  for (const FormulaFunction& function : formulaFunctions()) {
    text += " + " + std::string(function.name) + "(a";
    for (std::size_t i = 1; i < function.least; ++i) text += ", b";
    text += ")";
  }
  for (const ElementType type : kElementTypes)
    for (const Boundary boundary : {Boundary::constant, Boundary::wrap}) {
      FormulaSetting setting;
      setting.volume = {32, 16, 8};
      setting.region = {{0, 0, 0}, setting.volume};
      setting.inputs = {{{type, {32, 16, 8, 2}}, setting.region}, {{ElementType::f32, {32, 16, 8, 1}}, setting.region}};
      setting.boundary = boundary;
      setting.output = boundary == Boundary::wrap ? type : ElementType::f32;
      const std::string single = text.substr(0, text.find("1e300")) + "2" + text.substr(text.find("1e300") + 5);
      for (const std::string& one : {text, single})
        CHECK_NOTHROW(makeFormulaPlan(engine, FormulaWorkload(Formula::parse(one), setting), {}, {}));
    }
  CHECK(sources.asked() == 32);
  sources.requireCompile(*nvrtc);
}

TEST_CASE("formulas in kernels of sums compile under NVRTC for sm_80 and sm_90", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  const std::vector<Operator> bank{separableFilter({{3, 3, 3}}), separableFilter({{3, 4, 5}})};
  for (const ElementType type : kElementTypes)
    for (const ElementType output : {ElementType::f32, ElementType::f64, type}) {
      const ArraySpec input{type, {32, 16, 8, 2}};
      const Precision precision = FilterWorkload(bank, Boundary::constant, 1, input, output).precision();
      const FilterWorkload sums(bank, Boundary::constant, 1, input,
                                precision == Precision::f32 ? ElementType::f32 : ElementType::f64);
      const EndedFilters ended(sums, {},
                               {{Formula::parse("sqrt(a^2 + b^2) + @k=0.5[0..1] * s"), {0, 1, kSource}},
                                {Formula::parse("hypot(min(a, b), exp(-a))"), {1, 0}}},
                               output);
      INFO(toString(type) << " to " << toString(output));
      CHECK_NOTHROW(makeFilterPlan(engine, ended, MethodKind::FusedBank, {}, {}));
    }
  CHECK(sources.asked() >= 16);
  sources.requireCompile(*nvrtc);
}

TEST_CASE("every pass of the wavelet transform compiles under NVRTC for sm_80 and sm_90", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  for (const bool forward : {true, false})
    for (const char* wavelet : {"haar", "sym5", "db10"})
      for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        // Forward, the data are extended.
        const ArraySpec input{type, {forward ? 70 : 72, 40, forward ? 9 : 12, 1}};
        const DwtWorkload workload(
            input,
            completeOptions(DwtWorkload::options(), {{"wavelet", std::string(wavelet)},
                                                     {"levels", std::int64_t{2}},
                                                     {"direction", std::string(forward ? "forward" : "inverse")}}));
        for (const DwtRung rung : {DwtRung::Naive, DwtRung::Tuned})
          CHECK_NOTHROW(makeDwtPlan(engine, workload, rung, {0, 0, {{"block", std::string("8")}}}, {}));
      }
  CHECK(sources.asked() > 60);
  sources.requireCompile(*nvrtc);
}

TEST_CASE("thresholds of wavelet coefficients compile under NVRTC for sm_80 and sm_90", "[nvrtc]") {
  SSCOPE_CUDA_SOURCES(nvrtc, sources, engine);
  VolumePool pool;
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    const Volume data(VolumeShape{32, 16, 8, 1}, type);
    const auto planOf = [&](const std::string& direction) {
      return makeDwtPlan(engine,
                         DwtWorkload(data.spec(), completeOptions(DwtWorkload::options(), {{"direction", direction}})),
                         DwtRung::Naive, {0, 0, {{"block", std::string("auto")}}}, {});
    };
    const auto forward = planOf("forward"), inverse = planOf("inverse");
    const ConstArrayView view = data.view();
    const ArraySpec spec = data.spec();
    const ResidentRun coefficients = forward->runResident({{&view, 1}, 0}, {&spec, 1}, pool, {});
    const int before = sources.asked();
    CHECK(dynamic_cast<ResidentInverse&>(*inverse)
              .runThresholded(*coefficients.outputs[0], 1.0, ThresholdMode::Soft, pool, {})
              .has_value());
    CHECK(sources.asked() == before + 1);
  }
  sources.requireCompile(*nvrtc);
}

}  // namespace sscope::test
