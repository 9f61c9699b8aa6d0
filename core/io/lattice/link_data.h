#pragma once
// Links as bytes: sites x fastest, in each the links along x y z t, in each rows of columns of complex numbers.

#include <cstddef>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/lattice/fields.h"

namespace sscope::io {

struct LinkLayout {
  int precision = 64;  // bits
  bool bigEndian = true;
  int rows = 3;  // 2: the third is the conjugate of the cross product of the others

  [[nodiscard]] std::size_t siteBytes() const {
    return static_cast<std::size_t>(lattice::kDirections * rows * 3 * 2 * precision / 8);
  }
};

// The first site's link along x.
[[nodiscard]] lattice::Matrix3 firstLink(const LinkLayout& layout, std::span<const std::byte> data);

// `data` holds every site. Throws Canceled, Error(Memory).
[[nodiscard]] lattice::GaugeField decodeLinks(const lattice::Lattice& lattice, const LinkLayout& layout,
                                              std::span<const std::byte> data, const Control& control);
[[nodiscard]] std::vector<std::byte> encodeLinks(const lattice::GaugeField& field, const LinkLayout& layout,
                                                 const Control& control);

}  // namespace sscope::io
