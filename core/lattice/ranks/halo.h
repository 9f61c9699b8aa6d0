#pragma once
// The halo of a part of the lattice. Links are exchanged once. Spinors arrive as half spinors, 12 numbers per site: the
// image of the projector 1 -+ gamma_mu of the hop, from which the other two spins follow. The halo has zeros in these
// spins, so that every implementation of the operator computes the same half spinor, to the last bit.

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/lattice/fields.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/wilson.h"
#include "core/parts/communicator.h"

namespace sscope::lattice {

// The part's links with those of the halo that its hops need, U_mu of the planes behind; the other links of the halo
// are one. Every rank. Throws Canceled, Error(Io).
[[nodiscard]] GaugeField withHalo(const GaugeField& own, const LatticePart& part, reach::Communicator& communicator,
                                  const Control& control);

enum class HaloForm : std::uint8_t {
  Half,   // projected, for operators that project stored spinors
  Whole,  // unchanged, for operators that round spinors before they project them
};

enum class HaloSites : std::uint8_t {
  All,
  OneParity,  // of half fields (core/lattice/even_odd.h); the extent along x is even
};

// `Real`: of the spinors, double or float.
template <class Real>
class BasicSpinorHalo {
 public:
  using Number = std::complex<Real>;
  using Form = HaloForm;
  BasicSpinorHalo(const LatticePart& part, const WilsonParameters& parameters, Form form,
                  HaloSites sites = HaloSites::All);

  // Every rank calls begin(), then end() with its result. `own`: the part's spinors, which may change after begin();
  // consecutive time slices are `slice` elements apart. For one parity, all ranks use the same.
  [[nodiscard]] std::unique_ptr<reach::Exchange> begin(reach::Communicator& communicator, const Number* own,
                                                       std::int64_t slice, const Control& control);
  // Writes the halo of a field on the extended lattice. Throws Canceled, Error(Io).
  void end(std::unique_ptr<reach::Exchange> exchange, Number* extended, const Control& control);
  // Bytes that this rank sends in an exchange.
  [[nodiscard]] std::int64_t bytes() const;
  // Seconds spent waiting in end() since the last call.
  [[nodiscard]] double waited();

 private:
  struct Side {
    int mu = 0;
    bool ahead = false;
    int rank = 0;
    std::vector<SiteRun> face, halo;
    std::int64_t sites = 0;
    double sendSign = 1;       // in front of gamma in the projector of the neighbor's hop
    double receiveFactor = 1;  // of the boundary in time
    std::vector<Number> sent{}, received{};
  };
  void pack(Side& side, const Number* own, std::int64_t slice, const Control& control) const;
  void unpack(const Side& side, Number* extended, const Control& control) const;
  [[nodiscard]] std::size_t elements() const { return form_ == Form::Half ? kSpinorElements / 2 : kSpinorElements; }

  std::int64_t ownSlice_;
  Form form_;
  std::shared_ptr<std::vector<Side>> sides_ = std::make_shared<std::vector<Side>>();
  double waited_ = 0;
};
using SpinorHalo = BasicSpinorHalo<double>;

}  // namespace sscope::lattice
