#include "core/lattice/lattice.h"

#include <algorithm>

#include "core/base/error.h"

namespace sscope::lattice {

namespace {
constexpr int kLargestExtent = 4096;
constexpr std::int64_t kMostSites = std::int64_t{1} << 31;
}  // namespace

Lattice::Lattice(const std::array<int, kDirections>& extents) : extents_(extents), volume_(1) {
  for (std::size_t m = 0; m < extents_.size(); ++m) {
    strides_[m] = volume_;
    if (extents_[m] < 1 || extents_[m] > kLargestExtent)
      throw Error(ErrorKind::Usage, "a lattice of " + text() + " sites is not possible",
                  "every extent must be from 1 to " + std::to_string(kLargestExtent));
    volume_ *= extents_[m];
  }
  if (volume_ > kMostSites)
    throw Error(ErrorKind::Usage, "a lattice of " + text() + " sites is too large", "at most 2^31 sites are possible");
}

std::int64_t Lattice::site(const std::array<int, kDirections>& coordinates) const {
  std::int64_t site = 0;
  for (std::size_t m = 0; m < coordinates.size(); ++m) site += coordinates[m] * strides_[m];
  return site;
}

int Lattice::parity(std::int64_t site) const {
  int sum = 0;
  for (int mu = 0; mu < kDirections; ++mu) sum += coordinate(site, mu);
  return sum & 1;
}

bool Lattice::bipartite() const {
  return std::all_of(extents_.begin(), extents_.end(), [](int extent) { return extent % 2 == 0; });
}

std::string Lattice::text() const {
  std::string text;
  for (const int extent : extents_) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

}  // namespace sscope::lattice
