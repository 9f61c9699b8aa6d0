#pragma once
// Spinor fields in files: volumes of f64 in a format that keeps annotations (NRRD), which say what they are.

#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/volume/volume_io.h"

namespace sscope {

// What the file says of its fields beyond their lattice: "kappa", "source", ... No computation depends on it.
using SpinorNotes = std::vector<std::pair<std::string, std::string>>;

struct SpinorFile {
  lattice::Lattice lattice;
  std::vector<lattice::SpinorField> fields;  // one, or the twelve of a propagator: column 4 color + spin of the source
  SpinorNotes notes;
};

// The file's volume has the extents x, y and z * t, z faster, and 24 components a field: re and im of
// psi[12 site + 4 color + spin] in this order, fields one after the other. The spins are DeGrand and Rossi's.
// Throws Error(Usage, Unsupported) for a name whose format keeps no annotations.
void requireSpinorTarget(const VolumeIo& io, const std::string& path, const lattice::Lattice& lattice, int fields);
// Atomically. Every field has the lattice's sites. Throws as above, Error(Io, Memory), Canceled.
void writeSpinors(VolumeIo& io, const std::string& path, const SpinorFile& file, const Control& control);

// Whether a volume's file says that it holds spinors; false for what cannot be read.
[[nodiscard]] bool holdsSpinors(VolumeIo& io, const std::string& path);
// Throws what reading a volume throws, Error(BadData) where the annotations do not fit the volume.
[[nodiscard]] SpinorFile readSpinors(VolumeIo& io, const std::string& path, const Control& control);

// |psi|^2 of each site, added up over the fields.
[[nodiscard]] std::vector<double> spinorDensities(const SpinorFile& file);

// All fields of both taken together: the sum of conj(a) b, and the norms. Throws Error(Usage) unless lattices and
// numbers of fields agree.
struct SpinorProduct {
  lattice::Complex product;
  double norm2A = 0, norm2B = 0, difference2 = 0;  // |a|^2, |b|^2, |a - b|^2
};
[[nodiscard]] SpinorProduct innerProduct(const SpinorFile& a, const SpinorFile& b, const Control& control);

}  // namespace sscope
