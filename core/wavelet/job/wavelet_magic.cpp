// The magic filter in the Wavelet room: there, back, and what each frequency loses on the way.

#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <tuple>

#include "core/base/error.h"
#include "core/wavelet/job/wavelet_state.h"

namespace sscope {

namespace {

constexpr std::int64_t kProbeLength = 512;

// |1 - Y(f)| of a line that began as an impulse in the middle, at f = 0, 1/n ... 1/2.
std::vector<double> lossOverFrequency(std::span<const double> line) {
  const std::size_t n = line.size();
  std::vector<double> loss;
  for (std::size_t k = 0; k <= n / 2; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto turn = static_cast<double>(k * (i + n - n / 2) % n) / static_cast<double>(n);
      sum += line[i] * std::polar(1.0, -2 * std::numbers::pi * turn);
    }
    loss.push_back(std::abs(1.0 - sum));
  }
  return loss;
}

}  // namespace

// An impulse there and back through the engine: its spectrum is the filter's response to each frequency.
std::vector<double> WaveletPipeline::State::probe(const WaveletJob& now, const std::string& there,
                                                  const std::string& back, const Control& control) {
  Volume impulse({kProbeLength, 1, 1}, ElementType::f64);
  const std::span<double> values = impulse.elements<double>();
  std::fill(values.begin(), values.end(), 0.0);
  values[kProbeLength / 2] = 1;
  try {
    Prepared first = prepare(now, there, 0, impulse.spec(), control);
    const Step forth = execute(first, impulse, control);
    Prepared second = prepare(now, back, 0, impulse.spec(), control);
    return lossOverFrequency(execute(second, *forth.output, control).output->elements<double>());
  } catch (const Canceled&) {
    throw;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return {};
  }
}

std::shared_ptr<WaveletResult> WaveletPipeline::State::runMagic(const Control& control) {
  auto result = std::make_shared<WaveletResult>();
  const std::string there = job.settings.direction, back = there == "forward" ? "inverse" : "forward";
  if (!backward.plan) backward = prepare(job, back, 0, samples->spec(), control);
  control.report(0.6, "filtering back");
  const Step step = execute(backward, *middle, control);
  backInput = middle;
  backOutput = step.output;
  if (roundTrip.empty()) roundTrip = probe(job, there, back, control);
  result->measuredRoundTrip = roundTrip;
  result->source = samples;
  result->result = middle;
  result->forward = forwardReport;
  result->inverse = step.report;
  std::tie(result->difference, result->error) = differenceAndError(*step.output, *samples, control);
  return result;
}

}  // namespace sscope
