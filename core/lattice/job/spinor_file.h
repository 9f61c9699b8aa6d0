#pragma once
// Spinor fields in files: f64 volumes in a format with annotations (NRRD), which describe them.

#include <string>
#include <utility>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"
#include "core/volume/volume_io.h"

namespace sscope {

// Annotations other than the lattice: "kappa", "source", ... No computation depends on it.
using SpinorNotes = std::vector<std::pair<std::string, std::string>>;

struct SpinorFile {
  lattice::Lattice lattice;
  std::vector<lattice::SpinorField> fields;  // one, or the twelve of a propagator: column 4 color + spin of the source
  SpinorNotes notes;
};

// The file's volume has the extents x, y and z * t, z faster, and 24 components a field: re and im of psi[12 site + 4
// color + spin] in this order, fields one after the other. The spins are DeGrand and Rossi's. Throws Error(Usage,
// Unsupported) for a format without annotations.
void requireSpinorTarget(const VolumeIo& io, const std::string& path, const lattice::Lattice& lattice, int fields);
// Atomically. Every field has the lattice's sites. Throws as above, Error(Io, Memory), Canceled.
void writeSpinors(VolumeIo& io, const std::string& path, const SpinorFile& file, const Control& control);

// Whether a volume's annotations say that it holds spinors; false when it cannot be read.
[[nodiscard]] bool holdsSpinors(VolumeIo& io, const std::string& path);
// Throws what reading a volume throws, and Error(BadData) when the annotations do not fit the volume.
[[nodiscard]] SpinorFile readSpinors(VolumeIo& io, const std::string& path, const Control& control);

// |psi|^2 of each site, summed over the fields.
[[nodiscard]] std::vector<double> spinorDensities(const SpinorFile& file);

// The sum of conj(a) b over all fields, and the norms. Throws Error(Usage) unless the lattices and numbers of fields
// agree.
struct SpinorProduct {
  lattice::Complex product;
  double norm2A = 0, norm2B = 0, difference2 = 0;  // |a|^2, |b|^2, |a - b|^2
};
[[nodiscard]] SpinorProduct innerProduct(const SpinorFile& a, const SpinorFile& b, const Control& control);

}  // namespace sscope
