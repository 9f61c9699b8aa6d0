#pragma once
// One level of the transform on one tile: every row is transformed along x as it is read, rows are combined along y
// into planes, and planes wait in a ring until they can be combined along z straight into the output. Nothing is
// transposed.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/cpu/run/scratch.h"
#include "core/cpu/wavelet/dwt/dwt_transform.h"
#include "core/wavelet/polyphase.h"
#include "core/wavelet/spectral_factor.h"

namespace sscope::cpu {

// Input or output of one level of the transform: an array whose corner, the averages, may be stored elsewhere.

template <class Pointer>
struct StridedPlace {
  Pointer data = nullptr;
  Index3 stride{1, 0, 0};
  bool streaming = false;  // so large that non-temporal stores are used

  [[nodiscard]] Pointer at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return data + x * stride[0] + y * stride[1] + z * stride[2];
  }
};

// Elements with all coordinates below `corner` lie in `inner`, the others in `outer`.
template <class Pointer>
struct LevelData {
  StridedPlace<Pointer> inner, outer;
  Index3 corner{};
  Index3 present{};  // the extents that exist in inner; beyond them the last elements are repeated

  // The place of row (y, z) from x on: x < corner[0] and x >= corner[0] may differ.
  [[nodiscard]] const StridedPlace<Pointer>& place(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return x < corner[0] && y < corner[1] && z < corner[2] ? inner : outer;
  }
  [[nodiscard]] Pointer at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const StridedPlace<Pointer>& where = place(x, y, z);
    if (&where == &outer) return outer.at(x, y, z);
    return inner.at(std::min(x, present[0] - 1), std::min(y, present[1] - 1), std::min(z, present[2] - 1));
  }
  // Whether elements x.. of the row are contiguous.
  [[nodiscard]] bool contiguous(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return place(x, y, z).stride[0] == 1;
  }
};

inline constexpr std::size_t kMaximumTerms = static_cast<std::size_t>(kMaximumOrder);

inline constexpr std::size_t kRowsTogether = 4;

// The units of an axis: pairs if it is transformed, else single elements.
struct LevelAxis {
  std::int64_t extent = 1, units = 1, members = 1;  // extent = units * members
  std::int64_t terms = 1, offset = 0;               // units that contribute to one, and the offset of the first
};

// Tiles are blocks of units along y and z, with whole rows along x.
class LevelTiling {
 public:
  LevelTiling(const Index3& extent, const std::array<bool, 3>& axes, const Polyphase& phases, int threads,
              std::int64_t cacheBytes, std::size_t elementBytes);

  [[nodiscard]] std::int64_t tiles() const { return tilesY_ * tilesZ_; }
  [[nodiscard]] std::int64_t scratchElements() const;
  [[nodiscard]] std::string description() const;

  std::array<LevelAxis, 3> axis;
  std::int64_t heightY = 1, heightZ = 1;  // units of a tile
  std::int64_t batch = 1;                 // units along z that are written together
  std::int64_t row = 1;                   // stride of rows in scratch

  // Units of tile i: begin and end along y and z.
  struct Units {
    std::int64_t y0, y1, z0, z1;
  };
  [[nodiscard]] Units unitsOf(std::int64_t i) const;
  [[nodiscard]] std::int64_t ringUnits() const { return axis[2].terms - 1 + batch; }
  [[nodiscard]] std::int64_t planeRows() const { return heightY * axis[1].members; }
  [[nodiscard]] std::int64_t inputRows() const { return (heightY + axis[1].terms - 1) * axis[1].members; }

 private:
  std::int64_t tilesY_ = 1, tilesZ_ = 1;
};

template <class T>
struct LevelFilter {
  LevelFilter(Polyphase polyphase, const DwtKernels<T>& table) : phases(std::move(polyphase)), kernels(table) {
    taps.assign(phases.u.begin(), phases.u.end());
    taps.insert(taps.end(), phases.v.begin(), phases.v.end());
  }
  Polyphase phases;
  std::vector<T> taps;  // u, then v
  const DwtKernels<T>& kernels;
};

template <class T>
class LevelTile {
 public:
  LevelTile(const LevelTiling& tiling, const LevelFilter<T>& filter, const LevelData<const T*>& in,
            const LevelData<T*>& out, const Control& control)
      : tiling_(tiling), filter_(filter), in_(in), out_(out), control_(control) {}

  // Any thread; the scratch holds tiling.scratchElements() elements.
  void run(std::int64_t tile, const Scratch& scratch) const;

 private:
  struct Workspace {
    T *ring, *rows, *plain, *u, *v;
    std::array<T*, kRowsTogether> p, q;
  };
  // Several rows are split before the first is filtered, because a load that spans recent stores stalls.
  struct RowJob {
    std::int64_t y, z;
    T* row;
  };
  void fillRows(std::span<const RowJob> jobs, const Workspace& w) const;
  void splitRow(const RowJob& job, const Workspace& w, T* p, T* q) const;
  void filterRow(const T* p, const T* q, const Workspace& w, T* row) const;
  void fillPlane(const LevelTiling::Units& units, std::int64_t z, const Workspace& w, T* plane) const;
  void writeUnits(const LevelTiling::Units& units, std::int64_t begin, std::int64_t end, const Workspace& w) const;
  void writeStrip(std::int64_t x, std::int64_t count, std::int64_t y, std::int64_t z, const T* const* source,
                  const Workspace& w) const;
  [[nodiscard]] const T* gathered(std::int64_t x, std::int64_t count, std::int64_t y, std::int64_t z, T* plain) const;
  void wrap(T* line) const;
  void combine(const T* const* source, std::int64_t count, T* first, T* second) const;

  const LevelTiling& tiling_;
  const LevelFilter<T>& filter_;
  LevelData<const T*> in_;
  LevelData<T*> out_;
  const Control& control_;
};

}  // namespace sscope::cpu
