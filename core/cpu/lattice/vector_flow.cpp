#include "core/cpu/lattice/vector_flow.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sscope::cpu {

using lattice::Lattice;

namespace {

constexpr std::int64_t kScratchBytes = 1 << 20;  // what stays in a second-level cache
constexpr int kTilesPerThread = 3;

int parts(int whole, int part) { return (whole + part - 1) / part; }

// Rows of a tile along one axis; the plaquettes one behind its first row are computed again where the tile is not all
// there is.
int withHalo(int part, int whole) { return part < whole ? part + 1 : part; }

// The tile of a slice that fits into the scratch and computes fewest plaquettes twice.
std::array<int, 2> sliceTile(const Lattice& lattice, std::int64_t rowBytes) {
  const int ny = lattice.extent(1), nz = lattice.extent(2);
  std::array<int, 2> best{1, 1};
  double least = std::numeric_limits<double>::infinity();
  for (int py = 1; py <= ny; ++py)
    for (int pz = 1; pz <= nz; ++pz) {
      const int y = parts(ny, py), z = parts(nz, pz);
      const int rows = withHalo(y, ny) * withHalo(z, nz);
      const double share = rows / static_cast<double>(y * z);
      if (2 * rows * rowBytes > kScratchBytes || share >= least) continue;
      least = share;
      best = {y, z};
    }
  return best;
}

// Unitary links: a plaquette's projection has eigenvalues of at most 4/3, a force six of them.
constexpr double kLargestForce = 8;
// Terms of the series until what follows is below the last digit, for an exponent of at most this norm.
int termsFor(double norm) {
  double term = norm;
  int k = 1;
  while (term > 1e-18) term *= norm / ++k;
  return k;
}
// So that the series is short and nothing cancels.
int halvingsFor(double norm) { return norm > 1 ? static_cast<int>(std::ceil(std::log2(norm))) : 0; }

}  // namespace

VectorFlow::VectorFlow(const Lattice& lattice, const FlowKernels& kernels)
    : kernels_(kernels),
      shape_(lattice, kernels_.lanes),
      links_{LinkBlocks(shape_), LinkBlocks(shape_), LinkBlocks(shape_)},
      exponents_(shape_.rows() * shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers)) {
  const auto rowBytes = shape_.rowDoubles(kPlanes * kAlgebraNumbers) * static_cast<std::int64_t>(sizeof(double));
  const auto [y, z] = sliceTile(lattice, rowBytes);
  tileY_ = y;
  tileZ_ = z;
  // The slice before a tile's first is computed twice: long tiles, but enough of them for all threads.
  const int slices = parts(lattice.extent(1), y) * parts(lattice.extent(2), z);
  const int wanted = kTilesPerThread * tbb::this_task_arena::max_concurrency();
  tileT_ = parts(lattice.extent(3), std::clamp(parts(wanted, slices), 1, std::max(1, lattice.extent(3) / 4)));
  const std::int64_t rows = std::int64_t{withHalo(y, lattice.extent(1))} * withHalo(z, lattice.extent(2));
  const std::int64_t scratch = 2 * rows * shape_.rowDoubles(kPlanes * kAlgebraNumbers);
  plaquettes_ = tbb::enumerable_thread_specific<AlignedDoubles>([scratch] { return AlignedDoubles(scratch); });
}

void VectorFlow::setLinks(const lattice::GaugeField& field, const Control& control) {
  const int other = (current_ + 1) % 3;
  links_[other].copyFrom(field, control);
  current_ = other;
}

void VectorFlow::step(double epsilon, const Control& control) {
  const int before = current_, one = (before + 1) % 3, two = (before + 2) % 3;
  const auto stage = [&](double old, double now, bool keepsExponent, int from, int to, double norm) {
    const int halvings = halvingsFor(norm);
    run({old, -now * epsilon, keepsExponent, from, to, termsFor(std::ldexp(norm, -halvings)), halvings}, control);
  };
  const double norm = kLargestForce * epsilon;
  // W1 = exp(Z0 / 4) W0; W2 = exp(8/9 Z1 - 17/36 Z0) W1; W3 = exp(3/4 Z2 - (8/9 Z1 - 17/36 Z0)) W2.
  stage(0, 1.0 / 4, true, before, one, norm / 4);
  control.report(1.0 / 3, "flow");
  stage(-17.0 / 9, 8.0 / 9, true, one, two, norm * (8.0 / 9 + 17.0 / 36));
  control.report(2.0 / 3, "flow");
  stage(-1, 3.0 / 4, false, two, one, norm * (3.0 / 4 + 8.0 / 9 + 17.0 / 36));
  current_ = one;
}

void VectorFlow::run(const Stage& stage, const Control& control) {
  const Lattice& lattice = shape_.lattice;
  const int countY = parts(lattice.extent(1), tileY_), countZ = parts(lattice.extent(2), tileZ_),
            countT = parts(lattice.extent(3), tileT_);
  tbb::parallel_for(tbb::blocked_range<int>(0, countY * countZ * countT, 1), [&](const tbb::blocked_range<int>& range) {
    for (int k = range.begin(); k != range.end(); ++k) {
      const int size[4] = {lattice.extent(0), tileY_, tileZ_, tileT_};
      const int at[4] = {0, k % countY, k / countY % countZ, k / countY / countZ};
      FlowTile tile;
      for (int mu = 0; mu < 4; ++mu) {
        tile.begin[mu] = at[mu] * size[mu];
        tile.end[mu] = std::min(lattice.extent(mu), tile.begin[mu] + size[mu]);
      }
      walk(stage, tile, control);
      if (control.stopRequested()) return;
    }
  });
  control.check();
}

void VectorFlow::walk(const Stage& stage, const FlowTile& tile, const Control& control) {
  const Lattice& lattice = shape_.lattice;
  const int ny = lattice.extent(1), nz = lattice.extent(2), nt = lattice.extent(3);
  const int sizeY = tile.end[1] - tile.begin[1], sizeZ = tile.end[2] - tile.begin[2];
  // Rows one behind the tile, where they are not the tile's own last ones.
  const int haloY = sizeY < ny ? 1 : 0, haloZ = sizeZ < nz ? 1 : 0;
  const int rowsY = sizeY + haloY, rowsZ = sizeZ + haloZ;
  const std::int64_t rowDoubles = shape_.rowDoubles(kPlanes * kAlgebraNumbers);
  const std::int64_t exponentDoubles = shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers);
  double* const scratch = plaquettes_.local().data();
  const LinkBlocks& from = links_[stage.from];
  LinkBlocks& to = links_[stage.to];

  // j and k count the rows kept, t the slices from -1 on.
  const auto kept = [&](int j, int k, int t) {
    return scratch + ((t & 1) * rowsY * rowsZ + (k + rowsZ) % rowsZ * rowsY + (j + rowsY) % rowsY) * rowDoubles;
  };
  const auto rowAt = [&](int y, int z, int t) {
    return (y + ny) % ny + std::int64_t{ny} * ((z + nz) % nz + std::int64_t{nz} * ((t + nt) % nt));
  };
  const auto plaquettes = [&](int t) {
    for (int k = 0; k < rowsZ; ++k)
      for (int j = 0; j < rowsY; ++j) {
        const int y = tile.begin[1] + j - haloY, z = tile.begin[2] + k - haloZ;
        PlaquetteRow row{shape_.blocks, shape_.tail, from.row(rowAt(y, z, t)), {}, kept(j, k, t)};
        row.ahead[1] = from.row(rowAt(y + 1, z, t));
        row.ahead[2] = from.row(rowAt(y, z + 1, t));
        row.ahead[3] = from.row(rowAt(y, z, t + 1));
        if (control.stopRequested()) return;
        kernels_.plaquettes(row);
      }
  };
  const auto evolve = [&](int t) {
    FlowRow row{
        shape_.blocks, shape_.tail, stage.old, stage.now, stage.keepsExponent, stage.terms, stage.halvings, nullptr, {},
        nullptr,       {},          nullptr,   nullptr};
    for (int k = haloZ; k < rowsZ; ++k)
      for (int j = haloY; j < rowsY; ++j) {
        const int y = tile.begin[1] + j - haloY, z = tile.begin[2] + k - haloZ;
        const std::int64_t here = rowAt(y, z, t);
        row.here = from.row(here);
        row.behind[1] = from.row(rowAt(y - 1, z, t));
        row.behind[2] = from.row(rowAt(y, z - 1, t));
        row.behind[3] = from.row(rowAt(y, z, t - 1));
        row.plaquettes = kept(j, k, t);
        row.plaquettesBehind[1] = kept(j - 1, k, t);
        row.plaquettesBehind[2] = kept(j, k - 1, t);
        row.plaquettesBehind[3] = kept(j, k, t - 1);
        row.exponent = exponents_.data() + here * exponentDoubles;
        row.out = to.row(here);
        if (control.stopRequested()) return;
        kernels_.evolve(row);
      }
  };
  plaquettes(tile.begin[3] - 1);
  for (int t = tile.begin[3]; t < tile.end[3]; ++t) {
    plaquettes(t);
    evolve(t);
  }
}

}  // namespace sscope::cpu
