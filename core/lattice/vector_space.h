#pragma once
// Vectors of complex numbers, on all cores; sums do not depend on the number of threads.

#include <cstdint>
#include <span>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::lattice {

// Inner products of fields that belong to a lattice: on all of its sites, or on those of one parity. Their last digits
// depend neither on threads nor on how many ranks share the lattice: each plane of constant z and t is summed by
// itself, and the planes' sums are added in the order of OrderedSum (ranks/rank_space.h).
class VectorSpace {
 public:
  // The space of the whole lattice. Without a lattice a field is a single plane.
  explicit VectorSpace(const Lattice& lattice = {}) : VectorSpace(lattice, 0) {}
  virtual ~VectorSpace() = default;
  VectorSpace(const VectorSpace&) = delete;
  VectorSpace& operator=(const VectorSpace&) = delete;

  // The number of sites of whole fields in this space.
  [[nodiscard]] const Lattice& own() const { return own_; }
  // The parity in the whole lattice of the first of them: 0 or 1.
  [[nodiscard]] int parityOfFirst() const { return parityOfFirst_; }

  // The sum of conj(a) b over the sites of all ranks. Called by every rank, like the functions below; they throw
  // Canceled, Error(Io).
  [[nodiscard]] Complex dot(const SpinorField& a, const SpinorField& b, const Control& control) const;
  [[nodiscard]] double norm2(const SpinorField& a, const Control& control) const;
  // Fills the field as lattice::hashFill() fills the field of all ranks.
  virtual void hashFill(SpinorField& field, std::uint64_t seed) const;

 protected:
  VectorSpace(const Lattice& own, int parityOfFirst) : own_(own), parityOfFirst_(parityOfFirst) {}
  [[nodiscard]] std::int64_t planes() const;
  // The sum of all ranks' planes; `own`: the sums of this rank's planes.
  [[nodiscard]] virtual Complex total(std::span<const Complex> own, const Control& control) const;

 private:
  Lattice own_;
  int parityOfFirst_ = 0;
};

// The same in pieces of sites, for fields without a space: the sum of conj(a) b.
[[nodiscard]] Complex dot(const SpinorField& a, const SpinorField& b, const Control& control);
[[nodiscard]] double norm2(const SpinorField& a, const Control& control);
// y <- alpha x + y.
void addScaled(Complex alpha, const SpinorField& x, SpinorField& y, const Control& control);
// y <- x + beta y.
void scaleAdd(const SpinorField& x, Complex beta, SpinorField& y, const Control& control);
// In place: gamma_5 psi.
void applyGamma5(SpinorField& psi, const Control& control);

}  // namespace sscope::lattice
