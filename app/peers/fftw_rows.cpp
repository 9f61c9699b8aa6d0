#include <fftw3.h>

#include <array>
#include <complex>
#include <numbers>
#include <vector>

#include "app/peers/rows.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/wavelet/workload/magic_workload.h"

namespace sscope::peers {

namespace {

constexpr const char* kEngine = "peer:fftw";

struct FreeFftw {
  void operator()(void* memory) const { fftw_free(memory); }
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};
using PlanHandle = std::unique_ptr<std::remove_pointer_t<fftw_plan>, FreeFftw>;

// What the taps do to the frequency f of n, for f = 0 .. count - 1.
std::vector<std::complex<double>> response(const MagicWorkload& workload, std::int64_t n, std::int64_t count) {
  std::vector<std::complex<double>> values(static_cast<std::size_t>(count));
  const auto taps = workload.taps();
  for (std::int64_t f = 0; f < count; ++f)
    for (std::size_t k = 0; k < taps.size(); ++k) {
      const std::int64_t shift = (workload.first() + static_cast<std::int64_t>(k)) * f % n;
      const double angle = 2 * std::numbers::pi * static_cast<double>(shift) / static_cast<double>(n);
      values[static_cast<std::size_t>(f)] += taps[k] * std::complex<double>(std::cos(angle), std::sin(angle));
    }
  return values;
}

class FftwPlan final : public Plan {
 public:
  explicit FftwPlan(const MagicWorkload& workload)
      : spec_(workload.input()), lines_(workload.lines()), half_(spec_.extent[0] / 2 + 1) {
    const auto& n = spec_.extent;
    const std::int64_t frequencies = half_ * n[1] * n[2];
    spectrum_.reset(fftw_alloc_complex(static_cast<std::size_t>(frequencies)));
    // Planning writes to the arrays it is shown, so it is shown its own.
    const std::unique_ptr<double, FreeFftw> array(fftw_alloc_real(static_cast<std::size_t>(spec_.elements())));
    if (!spectrum_ || !array) throw Error(ErrorKind::Memory, "there is no memory for FFTW's spectrum");
    const std::array<int, 3> size{static_cast<int>(n[2]), static_cast<int>(n[1]), static_cast<int>(n[0])};
    if (lines_) {
      const int batch = static_cast<int>(n[1] * n[2]);
      forward_.reset(fftw_plan_many_dft_r2c(1, &size[2], batch, array.get(), nullptr, 1, size[2], spectrum_.get(),
                                            nullptr, 1, static_cast<int>(half_), FFTW_MEASURE));
      backward_.reset(fftw_plan_many_dft_c2r(1, &size[2], batch, spectrum_.get(), nullptr, 1, static_cast<int>(half_),
                                             array.get(), nullptr, 1, size[2], FFTW_MEASURE));
    } else {
      forward_.reset(fftw_plan_dft_r2c(3, size.data(), array.get(), spectrum_.get(), FFTW_MEASURE));
      backward_.reset(fftw_plan_dft_c2r(3, size.data(), spectrum_.get(), array.get(), FFTW_MEASURE));
    }
    if (!forward_ || !backward_) throw Error(ErrorKind::Unsupported, "FFTW has no plan for these extents");
    x_ = response(workload, n[0], half_);
    const std::vector<std::complex<double>> one(static_cast<std::size_t>(n[1] * n[2]), 1.0);
    y_ = lines_ ? one : response(workload, n[1], n[1]);
    z_ = lines_ ? one : response(workload, n[2], n[2]);
    const double scale = 1.0 / static_cast<double>(lines_ ? n[0] : spec_.elements());
    for (std::complex<double>& value : x_) value *= scale;
    const Work work = workload.work();
    report_.engine = kEngine;
    report_.variant = "fft";
    report_.operations = work.operations;
    report_.bytes = work.bytes;
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    const ConstArrayView& from = inputs.arrays[0];
    if (from.extent != spec_.extent || outputs.size() != 1 || outputs[0].extent != spec_.extent)
      throw Error(ErrorKind::Usage, "the arrays do not have the shapes the filter was prepared for",
                  "prepare it again");
    auto* in = const_cast<double*>(from.as<double>());  // it is only read: such transforms preserve their input
    auto* out = outputs[0].as<double>();
    if (!dense(from.stride) || !dense(outputs[0].stride) || fftw_alignment_of(in) != 0 || fftw_alignment_of(out) != 0)
      throw Error(ErrorKind::Unsupported, "FFTW needs aligned arrays without gaps here", "copy the data first");
    control.check();
    const Stopwatch clock;
    fftw_execute_dft_r2c(forward_.get(), in, spectrum_.get());
    multiply();
    fftw_execute_dft_c2r(backward_.get(), spectrum_.get(), out);
    RunReport report = report_;
    report.phases.kernel = report.phases.total = clock.seconds();
    control.check();
    return report;
  }
  [[nodiscard]] std::int64_t scratchBytes() const override { return half_ * spec_.extent[1] * spec_.extent[2] * 16; }
  [[nodiscard]] std::string description() const override { return "real transforms by FFTW, one thread"; }

 private:
  [[nodiscard]] bool dense(const std::array<std::int64_t, 4>& stride) const {
    return stride[0] == 1 && stride[1] == spec_.extent[0] && stride[2] == spec_.extent[0] * spec_.extent[1];
  }

  void multiply() {
    auto* at = reinterpret_cast<std::complex<double>*>(spectrum_.get());
    for (const std::complex<double>& z : std::span(z_).first(static_cast<std::size_t>(spec_.extent[2])))
      for (const std::complex<double>& y : std::span(y_).first(static_cast<std::size_t>(spec_.extent[1]))) {
        const std::complex<double> yz = y * z;
        for (const std::complex<double>& x : x_) {
          // Written out: the library's product looks for NaN.
          const double re = x.real() * yz.real() - x.imag() * yz.imag();
          const double im = x.real() * yz.imag() + x.imag() * yz.real();
          *at = {at->real() * re - at->imag() * im, at->real() * im + at->imag() * re};
          ++at;
        }
      }
  }

  ArraySpec spec_;
  bool lines_;
  std::int64_t half_;  // frequencies along x
  std::unique_ptr<fftw_complex, FreeFftw> spectrum_;
  PlanHandle forward_, backward_;
  std::vector<std::complex<double>> x_, y_, z_;
  RunReport report_;
};

}  // namespace

std::vector<Variant> fftwVariants() {
  Variant row;
  row.workload = "magic";
  row.name = "fft";
  row.kind = EngineKind::Peer;
  row.explanation =
      "The convolution theorem with FFTW's real transforms (planned with FFTW_MEASURE) on one thread: forward, times "
      "the response of the taps, back.";
  row.source = "FFTW 3";
  row.onlyOn = kEngine;
  row.unsupported = [](const EngineInfo&, const Workload& workload) -> std::string {
    const auto* magic = dynamic_cast<const MagicWorkload*>(&workload);
    if (magic == nullptr) return "this is not a magic filter";
    if (magic->transposed()) return "it writes no columns";
    if (magic->input().elements() > INT32_MAX) return "its extents are 32-bit numbers";
    return {};
  };
  row.prepare = [](Engine&, const Workload& workload, const PrepareOptions&, const Control&) -> std::unique_ptr<Plan> {
    return std::make_unique<FftwPlan>(dynamic_cast<const MagicWorkload&>(workload));
  };
  return {row};
}

std::string fftwName() { return fftw_version; }

}  // namespace sscope::peers
