#include "core/lattice/ranks/halo.h"

#include <array>
#include <utility>

#include "core/base/stopwatch.h"
#include "core/lattice/parallel.h"
#include "core/lattice/wilson.h"

namespace sscope::lattice {

namespace {

constexpr int kLinkTag = 64, kSpinorTag = 80;

// A power of i times z, without rounding.
template <class Real>
std::complex<Real> turned(std::complex<Real> z, int phase) {
  switch (phase) {
    case 0: return z;
    case 1: return {-z.imag(), z.real()};
    case 2: return {-z.real(), -z.imag()};
    default: return {z.imag(), -z.real()};
  }
}

int phaseOf(Complex value) {
  if (value.imag() != 0) return value.imag() > 0 ? 1 : 3;
  return value.real() > 0 ? 0 : 2;
}

// The upper two spins of (1 + sign gamma_mu) psi: the lower two are these times a power of i.
template <class Real>
void project(const std::complex<Real>* psi, const std::array<std::pair<int, int>, 2>& otherAndPhase, Real sign,
             std::complex<Real>* half) {
  for (int color = 0; color < kColors; ++color)
    for (int spin = 0; spin < 2; ++spin) {
      const auto [other, phase] = otherAndPhase[static_cast<std::size_t>(spin)];
      const std::complex<Real> own = psi[kSpins * color + spin], more = turned(psi[kSpins * color + other], phase);
      half[2 * color + spin] = {own.real() + sign * more.real(), own.imag() + sign * more.imag()};
    }
}

// As indices in half fields, which hold half of the sites of every row along x.
std::vector<SiteRun> halved(std::vector<SiteRun> runs) {
  for (SiteRun& run : runs) run = {run.own / 2, run.extended / 2, run.count / 2};
  return runs;
}

std::int64_t sitesOf(const std::vector<SiteRun>& runs) {
  std::int64_t sites = 0;
  for (const SiteRun& run : runs) sites += run.count;
  return sites;
}

}  // namespace

GaugeField withHalo(const GaugeField& own, const LatticePart& part, reach::Communicator& communicator,
                    const Control& control) {
  GaugeField links(part.extended, control);
  for (const SiteRun& run : part.slices())
    for (std::int64_t k = 0; k < run.count; ++k)
      for (int mu = 0; mu < kDirections; ++mu) links.link(run.extended + k, mu) = own.link(run.own + k, mu);
  for (int mu = 0; mu < kDirections; ++mu) {
    const auto m = static_cast<std::size_t>(mu);
    if (!part.cut[m]) continue;
    struct Memory {
      std::vector<Matrix3> sent, received;
    };
    const auto memory = std::make_shared<Memory>();
    auto& [sent, received] = *memory;
    for (const SiteRun& run : part.face(mu, true))
      for (std::int64_t k = 0; k < run.count; ++k) sent.push_back(own.link(run.own + k, mu));
    received.resize(sent.size());
    const reach::Send send{part.rankAhead[m], kLinkTag + mu, std::as_bytes(std::span(sent))};
    const reach::Receive receive{part.rankBehind[m], kLinkTag + mu, std::as_writable_bytes(std::span(received))};
    communicator.begin({&send, 1}, {&receive, 1}, memory)->end(control);
    std::size_t next = 0;
    for (const SiteRun& run : part.haloOf(mu, false))
      for (std::int64_t k = 0; k < run.count; ++k) links.link(run.extended + k, mu) = received[next++];
  }
  return links;
}

template <class Real>
BasicSpinorHalo<Real>::BasicSpinorHalo(const LatticePart& part, const WilsonParameters& parameters, Form form,
                                       HaloSites sites)
    : ownSlice_(part.own.spatialVolume() / (sites == HaloSites::All ? 1 : 2)), form_(form) {
  for (int mu = 0; mu < kDirections; ++mu)
    for (const bool ahead : {false, true}) {
      const auto m = static_cast<std::size_t>(mu);
      if (!part.cut[m]) continue;
      Side side{mu, ahead, ahead ? part.rankAhead[m] : part.rankBehind[m], part.face(mu, ahead),
                part.haloOf(mu, ahead)};
      if (sites == HaloSites::OneParity) {
        side.face = halved(std::move(side.face));
        side.halo = halved(std::move(side.halo));
      }
      side.sites = sitesOf(side.face);
      // The hops of the neighbor ahead go backward to what it receives, with 1 + gamma; those of the neighbor behind
      // with 1 - gamma.
      side.sendSign = ahead == parameters.adjoint ? -1 : 1;
      const bool seam = mu == kDirections - 1 && (ahead ? part.end(mu) == part.whole.extent(mu) : part.begin[m] == 0);
      side.receiveFactor = seam ? parameters.timeBoundary : 1;
      side.sent.resize(static_cast<std::size_t>(side.sites) * elements());
      side.received.resize(side.sent.size());
      sides_->push_back(std::move(side));
    }
}

template <class Real>
std::int64_t BasicSpinorHalo<Real>::bytes() const {
  std::int64_t sum = 0;
  for (const Side& side : *sides_) sum += std::ssize(side.sent) * static_cast<std::int64_t>(sizeof(Number));
  return sum;
}

template <class Real>
double BasicSpinorHalo<Real>::waited() {
  return std::exchange(waited_, 0);
}

template <class Real>
std::unique_ptr<reach::Exchange> BasicSpinorHalo<Real>::begin(reach::Communicator& communicator, const Number* own,
                                                              std::int64_t slice, const Control& control) {
  std::vector<reach::Send> sends;
  std::vector<reach::Receive> receives;
  for (Side& side : *sides_) {
    pack(side, own, slice, control);
    // Spinors sent ahead arrive from behind.
    const int tag = kSpinorTag + 2 * side.mu;
    sends.push_back({side.rank, tag + (side.ahead ? 0 : 1), std::as_bytes(std::span(side.sent))});
    receives.push_back({side.rank, tag + (side.ahead ? 1 : 0), std::as_writable_bytes(std::span(side.received))});
  }
  return communicator.begin(sends, receives, sides_);
}

template <class Real>
void BasicSpinorHalo<Real>::end(std::unique_ptr<reach::Exchange> exchange, Number* extended, const Control& control) {
  const Stopwatch watch;
  exchange->end(control);
  waited_ += watch.seconds();
  for (const Side& side : *sides_) unpack(side, extended, control);
}

template <class Real>
void BasicSpinorHalo<Real>::pack(Side& side, const Number* own, std::int64_t slice, const Control& control) const {
  const Gamma& gamma = gammas()[static_cast<std::size_t>(side.mu)];
  std::array<std::pair<int, int>, 2> other;
  for (std::size_t s = 0; s < 2; ++s) other[s] = {gamma.column[s], phaseOf(gamma.value[s])};
  const std::size_t each = elements();
  std::int64_t before = 0;
  for (const SiteRun& run : side.face) {
    const Number* from = own + run.own / ownSlice_ * slice + run.own % ownSlice_ * kSpinorElements;
    Number* to = side.sent.data() + static_cast<std::size_t>(before) * each;
    forPieces(run.count, control, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const Number* psi = from + k * kSpinorElements;
        Number* target = to + static_cast<std::size_t>(k) * each;
        if (form_ == Form::Half) {
          project(psi, other, static_cast<Real>(side.sendSign), target);
        } else {
          std::copy_n(psi, each, target);
        }
      }
    });
    before += run.count;
  }
}

template <class Real>
void BasicSpinorHalo<Real>::unpack(const Side& side, Number* extended, const Control& control) const {
  const std::size_t each = elements(), spins = each / kColors;
  const auto factor = static_cast<Real>(side.receiveFactor);
  std::int64_t before = 0;
  for (const SiteRun& run : side.halo) {
    const Number* from = side.received.data() + static_cast<std::size_t>(before) * each;
    Number* to = extended + run.extended * kSpinorElements;
    forPieces(run.count, control, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k)
        for (std::size_t color = 0; color < kColors; ++color)
          for (std::size_t spin = 0; spin < kSpins; ++spin) {
            const Number got =
                spin < spins ? from[static_cast<std::size_t>(k) * each + color * spins + spin] : Number(0);
            to[static_cast<std::size_t>(k) * kSpinorElements + color * kSpins + spin] = factor * got;
          }
    });
    before += run.count;
  }
}

template class BasicSpinorHalo<double>;
template class BasicSpinorHalo<float>;

}  // namespace sscope::lattice
