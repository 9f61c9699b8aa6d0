#pragma once
// The four-dimensional periodic lattice: indices of sites and their neighbors.

#include <array>
#include <cstdint>
#include <string>

namespace sscope::lattice {

inline constexpr int kDirections = 4;  // x, y, z, t

class Lattice {
 public:
  Lattice() = default;
  // Throws Error(Usage) unless every extent is in 1..4096 and there are at most 2^31 sites.
  explicit Lattice(const std::array<int, kDirections>& extents);

  [[nodiscard]] const std::array<int, kDirections>& extents() const { return extents_; }
  [[nodiscard]] int extent(int mu) const { return extents_[static_cast<std::size_t>(mu)]; }
  [[nodiscard]] std::int64_t volume() const { return volume_; }
  // Sites of one time slice.
  [[nodiscard]] std::int64_t spatialVolume() const { return strides_[3]; }

  // site = x + Lx (y + Ly (z + Lz t)).
  [[nodiscard]] std::int64_t site(const std::array<int, kDirections>& coordinates) const;
  [[nodiscard]] int coordinate(std::int64_t site, int mu) const {
    const auto m = static_cast<std::size_t>(mu);
    return static_cast<int>(site / strides_[m] % extents_[m]);
  }
  // The next site along +mu or -mu; the lattice is periodic.
  [[nodiscard]] std::int64_t forward(std::int64_t site, int mu) const {
    const auto m = static_cast<std::size_t>(mu);
    return coordinate(site, mu) + 1 < extents_[m] ? site + strides_[m] : site - strides_[m] * (extents_[m] - 1);
  }
  [[nodiscard]] std::int64_t backward(std::int64_t site, int mu) const {
    const auto m = static_cast<std::size_t>(mu);
    return coordinate(site, mu) > 0 ? site - strides_[m] : site + strides_[m] * (extents_[m] - 1);
  }
  // 0 for even sites, 1 for odd ones.
  [[nodiscard]] int parity(std::int64_t site) const;
  // Whether every neighbor of an even site is odd.
  [[nodiscard]] bool bipartite() const;
  // "8x8x8x4".
  [[nodiscard]] std::string text() const;
  bool operator==(const Lattice&) const = default;

 private:
  std::array<int, kDirections> extents_{};
  std::array<std::int64_t, kDirections> strides_{};
  std::int64_t volume_ = 0;
};

}  // namespace sscope::lattice
