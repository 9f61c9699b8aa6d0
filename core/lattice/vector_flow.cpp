#include "core/lattice/vector_flow.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
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

// Rows of a tile along one axis; the plaquettes one behind its first row are computed twice unless the tile spans the
// axis.
int withHalo(int part, int whole) { return part < whole ? part + 1 : part; }

// The tile of a slice that fits into the scratch and computes the fewest plaquettes twice.
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

}  // namespace

struct PlaquetteWalk::Task {
  const LinkBlocks& links;
  Kernel kernel;
  const Control& control;
  const Visit& visit;
};

PlaquetteWalk::PlaquetteWalk(const BlockShape& shape) : shape_(shape) {
  const Lattice& lattice = shape.lattice;
  const std::int64_t rowDoubles = shape.rowDoubles(kPlaquetteNumbers);
  const auto [y, z] = sliceTile(lattice, rowDoubles * static_cast<std::int64_t>(sizeof(double)));
  // The slice before a tile's first is computed twice: long tiles, but enough of them for all threads.
  const int slices = parts(lattice.extent(1), y) * parts(lattice.extent(2), z);
  const int wanted = kTilesPerThread * tbb::this_task_arena::max_concurrency();
  const int t = parts(lattice.extent(3), std::clamp(parts(wanted, slices), 1, std::max(1, lattice.extent(3) / 4)));
  tile_[0] = lattice.extent(0);
  tile_[1] = y;
  tile_[2] = z;
  tile_[3] = t;
  const std::int64_t rows = std::int64_t{withHalo(y, lattice.extent(1))} * withHalo(z, lattice.extent(2));
  plaquettes_ = tbb::enumerable_thread_specific<AlignedDoubles>(
      [count = 2 * rows * rowDoubles] { return AlignedDoubles(count); });
}

void PlaquetteWalk::run(const LinkBlocks& links, Kernel kernel, const Control& control, const Visit& visit) {
  const Task task{links, kernel, control, visit};
  int count[4];
  for (int mu = 0; mu < 4; ++mu) count[mu] = parts(shape_.lattice.extent(mu), tile_[mu]);
  tbb::parallel_for(tbb::blocked_range<int>(0, count[1] * count[2] * count[3], 1),
                    [&](const tbb::blocked_range<int>& range) {
                      for (int k = range.begin(); k != range.end(); ++k) {
                        const int at[4] = {0, k % count[1], k / count[1] % count[2], k / count[1] / count[2]};
                        Tile tile;
                        for (int mu = 0; mu < 4; ++mu) {
                          tile.begin[mu] = at[mu] * tile_[mu];
                          tile.end[mu] = std::min(shape_.lattice.extent(mu), tile.begin[mu] + tile_[mu]);
                        }
                        walk(task, tile);
                      }
                    });
  control.check();
}

void PlaquetteWalk::walk(const Task& task, const Tile& tile) {
  const Lattice& lattice = shape_.lattice;
  const int ny = lattice.extent(1), nz = lattice.extent(2), nt = lattice.extent(3);
  const int sizeY = tile.end[1] - tile.begin[1], sizeZ = tile.end[2] - tile.begin[2];
  // Rows one behind the tile, unless they are the tile's own last rows.
  const int haloY = sizeY < ny ? 1 : 0, haloZ = sizeZ < nz ? 1 : 0;
  const int rowsY = sizeY + haloY, rowsZ = sizeZ + haloZ;
  const std::int64_t rowDoubles = shape_.rowDoubles(kPlaquetteNumbers);
  double* const scratch = plaquettes_.local().data();
  const LinkBlocks& links = task.links;

  // j and k count the rows kept, t the slices from -1 on.
  const auto kept = [&](int j, int k, int t) {
    return scratch + ((t & 1) * rowsY * rowsZ + (k + rowsZ) % rowsZ * rowsY + (j + rowsY) % rowsY) * rowDoubles;
  };
  const auto rowAt = [&](int j, int k, int t) {
    const int y = tile.begin[1] + j - haloY, z = tile.begin[2] + k - haloZ;
    return (y + ny) % ny + std::int64_t{ny} * ((z + nz) % nz + std::int64_t{nz} * ((t + nt) % nt));
  };
  const auto plaquettes = [&](int t) {
    for (int k = 0; k < rowsZ; ++k)
      for (int j = 0; j < rowsY; ++j) {
        if (task.control.stopRequested()) return;
        PlaquetteRow row{shape_.blocks, shape_.tail, links.row(rowAt(j, k, t)), {}, nullptr, kept(j, k, t)};
        row.ahead[1] = links.row(rowAt(j + 1, k, t));
        row.ahead[2] = links.row(rowAt(j, k + 1, t));
        row.ahead[3] = links.row(rowAt(j, k, t + 1));
        row.next = links.row(rowAt(j + 1, k, t + 1));
        task.kernel(row);
      }
  };
  const auto visit = [&](int t) {
    constexpr int kBehind[7][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    for (int k = haloZ; k < rowsZ; ++k)
      for (int j = haloY; j < rowsY; ++j) {
        if (task.control.stopRequested()) return;
        NeighborRows rows{shape_.blocks, shape_.tail, {}, {}};
        for (int n = 0; n < 7; ++n) {
          const int* behind = kBehind[n];
          rows.links[n] = links.row(rowAt(j - behind[0], k - behind[1], t - behind[2]));
          rows.plaquettes[n] = kept(j - behind[0], k - behind[1], t - behind[2]);
        }
        task.visit(rowAt(j, k, t), rows);
      }
  };
  plaquettes(tile.begin[3] - 1);
  for (int t = tile.begin[3]; t < tile.end[3]; ++t) {
    plaquettes(t);
    visit(t);
  }
}

CloverDensities cloverDensities(const LinkBlocks& links, const LinkKernels& kernels, const Control& control) {
  const BlockShape& shape = links.shape();
  const auto sites = static_cast<std::size_t>(shape.lattice.volume());
  CloverDensities all{std::vector<double>(sites), std::vector<double>(sites), std::vector<double>(sites)};
  const std::int64_t nx = shape.lattice.extent(0), rowDoubles = shape.rowDoubles(1);
  // A row, including the lanes behind its last site.
  tbb::enumerable_thread_specific<AlignedDoubles> rows([&] { return AlignedDoubles(3 * rowDoubles); });
  PlaquetteWalk walk(shape);
  walk.run(links, kernels.tracedPlaquettes, control, [&](std::int64_t row, const NeighborRows& neighbors) {
    double* const energy = rows.local().data();
    double *const charge = energy + rowDoubles, *const plaquette = charge + rowDoubles;
    kernels.clover({neighbors, energy, charge, plaquette});
    std::copy_n(energy, nx, all.energy.begin() + row * nx);
    std::copy_n(charge, nx, all.charge.begin() + row * nx);
    std::copy_n(plaquette, nx, all.plaquette.begin() + row * nx);
  });
  return all;
}

namespace {

// Links that would evict each other from the caches are stored with non-temporal stores.
constexpr std::int64_t kStreamingBytes = 16 << 20;

// Unitary links: a plaquette's projection has eigenvalues of at most 4/3, a force six of them.
constexpr double kLargestForce = 8;
// The number of terms after which the rest of the series is below the last digit, for an exponent of at most this norm.
int termsFor(double norm) {
  double term = norm;
  int k = 1;
  while (term > 1e-18) term *= norm / ++k;
  return k;
}
// Keeps the series short and free of cancellation.
int halvingsFor(double norm) { return norm > 1 ? static_cast<int>(std::ceil(std::log2(norm))) : 0; }

}  // namespace

VectorFlow::VectorFlow(const lattice::Lattice& lattice, const LinkKernels& kernels)
    : kernels_(kernels),
      shape_(lattice, kernels_.lanes),
      links_{LinkBlocks(shape_), LinkBlocks(shape_), LinkBlocks(shape_)},
      exponents_(shape_.rows() * shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers)),
      walk_(shape_) {}

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
  const double norm = kLargestForce * std::abs(epsilon);
  // W1 = exp(Z0 / 4) W0; W2 = exp(8/9 Z1 - 17/36 Z0) W1; W3 = exp(3/4 Z2 - (8/9 Z1 - 17/36 Z0)) W2.
  stage(0, 1.0 / 4, true, before, one, norm / 4);
  control.report(1.0 / 3, "flow");
  stage(-17.0 / 9, 8.0 / 9, true, one, two, norm * (8.0 / 9 + 17.0 / 36));
  control.report(2.0 / 3, "flow");
  stage(-1, 3.0 / 4, false, two, one, norm * (3.0 / 4 + 8.0 / 9 + 17.0 / 36));
  current_ = one;
}

void VectorFlow::run(const Stage& stage, const Control& control) {
  const std::int64_t exponentDoubles = shape_.rowDoubles(lattice::kDirections * kAlgebraNumbers);
  const bool streaming = links_[stage.to].bytes() > kStreamingBytes;
  walk_.run(links_[stage.from], kernels_.plaquettes, control, [&](std::int64_t row, const NeighborRows& neighbors) {
    kernels_.evolve({neighbors, stage.old, stage.now, stage.keepsExponent, streaming, stage.terms, stage.halvings,
                     exponents_.data() + row * exponentDoubles, links_[stage.to].row(row)});
  });
}

}  // namespace sscope::cpu
