// The convolution generator against its portable twin, and properties of every rung of the magic filter.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/base/paths.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/cpu/wavelet/magic/line_kernel.h"
#include "core/cpu/wavelet/magic/tuned_magic.h"
#include "core/engine/variant.h"
#include "core/measure/verify.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/noise.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;

namespace {

std::vector<double> noise(std::size_t count, std::uint64_t seed) {
  NoiseSource source(seed);
  std::vector<double> values(count);
  for (double& value : values) value = source.next() - 0.5;
  return values;
}

// Rows of noise, and rows of results that nobody has touched.
struct Rows {
  std::vector<std::vector<double>> in, out;
  std::vector<const double*> from;
  std::vector<double*> to;
  Rows(std::size_t inputs, std::size_t outputs, std::size_t inLength, std::size_t outLength) {
    for (std::size_t i = 0; i < inputs; ++i) in.push_back(noise(inLength, i + 1));
    out.assign(outputs, std::vector<double>(outLength, NAN));
    for (const auto& row : in) from.push_back(row.data());
    for (auto& row : out) to.push_back(row.data());
  }
};

// The largest difference from the sum as it is written.
double acrossError(const LineChoice& choice, const std::vector<double>& taps, int outputs, std::int64_t n, int ahead) {
  const RowKernel kernel(choice, taps, {LineAxis::Across, outputs, choice.limits.acrossVectors, ahead, false});
  Rows rows(taps.size() + static_cast<std::size_t>(outputs) - 1, static_cast<std::size_t>(outputs),
            static_cast<std::size_t>(n), static_cast<std::size_t>(n));
  const std::vector<const double*> later(static_cast<std::size_t>(std::max(ahead, 1)), rows.from[0]);
  kernel.run({.in = rows.from.data(), .out = rows.to.data(), .ahead = later.data()}, n);
  double error = 0;
  for (std::size_t r = 0; r < rows.out.size(); ++r)
    for (std::size_t x = 0; x < rows.out[r].size(); ++x) {
      double sum = 0;
      for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] * rows.in[r + k][x];
      const double difference = std::abs(rows.out[r][x] - sum);
      error = difference <= error ? error : difference;  // NaN stays
    }
  return error;
}

double alongError(const LineChoice& choice, const std::vector<double>& taps, int outputs, std::int64_t n) {
  const auto count = static_cast<std::size_t>(2 * choice.limits.alongVectors);
  const RowKernel kernel(choice, taps, {LineAxis::Along, outputs, choice.limits.alongVectors, 0, false});
  Rows rows(count, count, static_cast<std::size_t>(n) + taps.size() - 1, static_cast<std::size_t>(n));
  kernel.run({.in = rows.from.data(), .out = rows.to.data(), .rows = static_cast<std::int64_t>(count)}, n);
  double error = 0;
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t x = 0; x < rows.out[v].size(); ++x) {
      double sum = 0;
      for (std::size_t k = 0; k < taps.size(); ++k) sum += taps[k] * rows.in[v][x + k];
      const double difference = std::abs(rows.out[v][x] - sum);
      error = difference <= error ? error : difference;
    }
  return error;
}

MagicWorkload magic(const std::array<std::int64_t, 3>& n, const OptionValues& values) {
  return {{ElementType::f64, {n[0], n[1], n[2], 1}}, completeOptions(MagicWorkload::options(), values)};
}

struct Machine {
  EngineSet engines;
  VariantTable variants;
  Machine() {
    addCpuEngines(engines);
    addCpuVariants(variants);
  }
};

Volume runOn(const Machine& machine, Engine& engine, const Variant& row, const MagicWorkload& workload,
             const Volume& input) {
  const auto e = workload.outputs()[0].extent;
  Volume output({e[0], e[1], e[2], 1}, ElementType::f64);
  const ArrayView out = output.view();
  poison(out);
  const ConstArrayView in = input.view();
  machine.variants.prepare(engine, workload, row.name, {}, {})->run({{&in, 1}, 0}, {&out, 1}, {});
  return output;
}

double dot(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.elements<double>().size(); ++i)
    sum += a.elements<double>()[i] * b.elements<double>()[i];
  return sum;
}

}  // namespace

TEST_CASE("generated and compiled kernels of every pattern are the sum of products, for 2 to 64 taps") {
  bool generated = false;
  for (const SimdLevel level : kSimdLevels) {
    if (!absentReason(level).empty()) continue;
    for (const LineSource source : {LineSource::Portable, LineSource::Generated}) {
      if (source == LineSource::Generated && !line::canGenerate(level)) continue;
      generated |= source == LineSource::Generated;
      for (const std::int64_t count : {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 20, 31, 33, 63, 64}) {
        const LineChoice choice{level, source, lineLimits(level, count, source)};
        const std::vector<double> taps = noise(static_cast<std::size_t>(count), 99);
        INFO(std::string(toString(level)) << " source " << static_cast<int>(source) << " taps " << count);
        for (int outputs = 1; outputs <= choice.limits.acrossOutputs; ++outputs) {
          const std::int64_t step = choice.limits.lanes * choice.limits.acrossVectors;
          for (const std::int64_t n : {step, 3 * step, 2 * step + 1})
            CHECK(acrossError(choice, taps, outputs, n, outputs % 2 == 0 ? 3 : 0) < 1e-13);
        }
        for (int outputs = 1; outputs <= choice.limits.alongOutputs; ++outputs) {
          const std::int64_t step = choice.limits.lanes * outputs;
          for (const std::int64_t n : {step, 2 * step + 3}) CHECK(alongError(choice, taps, outputs, n) < 1e-13);
        }
      }
    }
  }
  if (!generated) std::cout << "code was not generated here" << std::endl;
}

TEST_CASE("tuned magic is the same from both sources, on any number of threads, for any taps") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "taps.txt").string();
  for (const std::size_t count : {2, 5, 16, 41, 64}) {
    std::string text;
    for (const double tap : noise(count, count)) text += std::to_string(tap) + "\n";
    writeTextFile(file, text);
    for (const std::array<std::int64_t, 3>& n :
         {std::array<std::int64_t, 3>{40, 33, 29}, {17, 3, 90}, {9, 70, 2}, {3, 5, 7}})
      for (const char* passes : {"3d", "lines"})
        for (const SimdLevel level : kSimdLevels) {
          if (!absentReason(level).empty()) continue;
          const MagicWorkload workload =
              magic(n, {{"taps", file}, {"passes", std::string(passes)}, {"direction", std::string("inverse")}});
          const Volume input = noiseVolume({n[0], n[1], n[2], 1}, ElementType::f64, 7, {});
          for (const LineSource source : {LineSource::Generated, LineSource::Portable})
            for (const int threads : {1, 2, 3}) {
              const auto method = makeTunedMagic(workload, level, source, threads);
              if (!method) continue;
              Volume output({n[0], n[1], n[2], 1}, ElementType::f64);
              poison(output.view());
              method->run(input.elements<double>().data(), output.elements<double>().data(), {}, nullptr);
              const ConstArrayView in = input.view(), out = output.view();
              INFO(count << " taps, " << n[0] << "x" << n[1] << "x" << n[2] << " " << passes << " "
                         << std::string(toString(level)) << ", " << threads << " threads");
              CHECK(verify(workload, {&in, 1}, {&out, 1}, {}, {}).failure == "");
            }
        }
  }
}

TEST_CASE("every rung: the inverse is the adjoint, and a constant stays what it is") {
  Machine machine;
  const std::array<std::int64_t, 3> n{34, 19, 21};
  const Volume x = noiseVolume({n[0], n[1], n[2], 1}, ElementType::f64, 1, {});
  const Volume y = noiseVolume({n[0], n[1], n[2], 1}, ElementType::f64, 2, {});
  Volume constant({n[0], n[1], n[2], 1}, ElementType::f64);
  std::ranges::fill(constant.elements<double>(), 0.7);
  for (Engine* engine : machine.engines.available())
    for (const Variant* row : machine.variants.rows("magic", EngineKind::Cpu)) {
      if (!row->belongsTo(engine->info())) continue;
      for (const char* passes : {"3d", "lines"}) {
        const MagicWorkload forward = magic(n, {{"passes", std::string(passes)}});
        if (!row->unsupported(engine->info(), forward).empty()) continue;
        const MagicWorkload inverse =
            magic(n, {{"passes", std::string(passes)}, {"direction", std::string("inverse")}});
        INFO(engine->info().id << "/" << row->name << " " << passes);
        const double left = dot(runOn(machine, *engine, *row, inverse, x), y);
        const double right = dot(x, runOn(machine, *engine, *row, forward, y));
        CHECK(std::abs(left - right) < 1e-13 * std::abs(right));
        for (const MagicWorkload* workload : {&forward, &inverse}) {
          const Volume result = runOn(machine, *engine, *row, *workload, constant);
          double worst = 0;
          for (const double value : result.elements<double>()) worst = test::larger(worst, std::abs(value - 0.7));
          CHECK(worst < 1e-14);
        }
      }
    }
}

// Numbers between pages that must not be touched, right behind the first or right before the last.
class Fenced {
 public:
  Fenced(const std::vector<double>& numbers, bool atEnd) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), bytes = numbers.size() * sizeof(double);
    const std::size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    memory_ = static_cast<std::byte*>(::mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(memory_ != MAP_FAILED);
    REQUIRE(::mprotect(memory_ + page, inner, PROT_READ | PROT_WRITE) == 0);
    data_ = memory_ + page + (atEnd ? inner - bytes : 0);
    std::copy(numbers.begin(), numbers.end(), reinterpret_cast<double*>(data_));
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;
  ~Fenced() { ::munmap(memory_, size_); }
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::byte *memory_ = nullptr, *data_ = nullptr;
  std::size_t size_ = 0;
};

TEST_CASE("no rung of the magic filter touches what lies before or behind its data") {
  Machine machine;
  for (const std::array<std::int64_t, 3>& n : {std::array<std::int64_t, 3>{34, 19, 21}, {19, 23, 8}, {32, 16, 27}})
    for (const char* passes : {"3d", "lines"})
      for (const char* direction : {"forward", "inverse"})
        for (const bool atEnd : {false, true}) {
          const MagicWorkload workload =
              magic(n, {{"passes", std::string(passes)}, {"direction", std::string(direction)}});
          const ArraySpec spec = workload.inputs()[0];
          const Fenced from(noise(static_cast<std::size_t>(spec.elements()), 5), atEnd);
          const Fenced to(std::vector<double>(static_cast<std::size_t>(spec.elements()), NAN), atEnd);
          const ConstArrayView in = denseView(spec, static_cast<const std::byte*>(from.data()));
          const ArrayView out = denseView(spec, to.data());
          for (Engine* engine : machine.engines.available())
            for (const Variant* row : machine.variants.rows("magic", EngineKind::Cpu)) {
              if (!row->belongsTo(engine->info()) || !row->unsupported(engine->info(), workload).empty()) continue;
              INFO(engine->info().id << "/" << row->name << " " << passes << " " << direction << " " << n[0]);
              machine.variants.prepare(*engine, workload, row->name, {}, {})->run({{&in, 1}, 0}, {&out, 1}, {});
              const ConstArrayView result = out;
              CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).failure == "");
            }
        }
}

TEST_CASE("magic takes arrays with gaps, and answers a cancel") {
  Machine machine;
  const MagicWorkload workload = magic({12, 9, 8}, {});
  const Volume noisy = noiseVolume({24, 9, 8, 1}, ElementType::f64, 3, {});
  ConstArrayView in = noisy.view();
  in.extent[0] = 12;
  in.stride[0] = 2;  // every other element
  Volume output({12, 20, 8, 1}, ElementType::f64);
  ArrayView out = output.view();
  out.extent[1] = 9;
  for (Engine* engine : machine.engines.available()) {
    poison(output.view());
    const auto plan = machine.variants.prepare(*engine, workload, "tuned", {}, {});
    plan->run({{&in, 1}, 0}, {&out, 1}, {});
    const ConstArrayView result = out;
    CHECK(verify(workload, {&in, 1}, {&result, 1}, {}, {}).failure == "");
    CHECK(std::isnan(output.elements<double>()[12 * 9]));  // what lies between is not touched
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(plan->run({{&in, 1}, 0}, {&out, 1}, {stop.get_token(), {}}), Canceled);
  }
}
