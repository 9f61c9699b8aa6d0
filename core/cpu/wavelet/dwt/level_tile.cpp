#include "core/cpu/wavelet/dwt/level_tile.h"

#include <algorithm>
#include <utility>

#include "core/base/divide_up.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t kStripBytes = 512;  // of a row: so many rows as a filter has taps stay in the nearest cache

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return (i % n + n) % n; }

// Calls f(x, count) for strips of a row that do not cross `border`.
template <class T, class F>
void forStrips(std::int64_t width, std::int64_t border, const F& f) {
  constexpr auto kStrip = kStripBytes / static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t x = 0; x < width;) {
    const std::int64_t end = x < border ? std::min(border, width) : width;
    // A short rest is taken along.
    const std::int64_t count = end - x < kStrip + kStrip / 2 ? end - x : kStrip;
    f(x, count);
    x += count;
  }
}

}  // namespace

LevelTiling::LevelTiling(const Index3& extent, const std::array<bool, 3>& axes, const Polyphase& phases, int threads,
                         std::int64_t cacheBytes, std::size_t elementBytes) {
  for (std::size_t a = 0; a < 3; ++a) {
    axis[a].extent = extent[a];
    axis[a].members = axes[a] ? 2 : 1;
    axis[a].units = extent[a] / axis[a].members;
    axis[a].terms = axes[a] ? phases.terms : 1;
    axis[a].offset = axes[a] ? phases.offset : 0;
  }
  const auto bytes = static_cast<std::int64_t>(elementBytes);
  row = bytes == 4 ? rowStride<float>(extent[0]) : rowStride<double>(extent[0]);
  const bool deep = axes[2];
  batch = deep ? std::clamp<std::int64_t>(axis[2].terms, 2, 4) : 1;
  // The ring of planes and the rows that enter one of them share half the cache.
  const std::int64_t perUnit = (ringUnits() * axis[2].members + 1) * axis[1].members * row * bytes;
  const std::int64_t units = axis[1].units;
  heightY =
      std::clamp<std::int64_t>(cacheBytes / 2 / perUnit - axis[1].terms / 4, std::min<std::int64_t>(units, 4), units);
  tilesY_ = divideUp(units, heightY);
  // As many tiles for every thread, and several of them; planes at the ends of tiles along z are computed twice.
  tilesY_ = divideUp(units, heightY);
  tilesY_ = std::min(divideUp(tilesY_, threads) * threads, units);
  heightY = divideUp(units, tilesY_);
  tilesY_ = divideUp(units, heightY);
  const std::int64_t wanted = threads > 1 ? divideUp(4 * threads, tilesY_) : 1;
  const std::int64_t shortest = deep ? 4 * axis[2].terms : 1;
  tilesZ_ = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(1, axis[2].units / shortest));
  heightZ = divideUp(axis[2].units, tilesZ_);
  tilesZ_ = divideUp(axis[2].units, heightZ);
}

std::int64_t LevelTiling::scratchElements() const {
  const std::int64_t ring = ringUnits() * axis[2].members * planeRows() * row;
  const std::int64_t line = row + 2 * axis[0].terms + 16;
  const auto lines = static_cast<std::int64_t>(3 + 2 * kRowsTogether);
  return ring + inputRows() * row + lines * line + (lines + 3) * 16;
}

std::string LevelTiling::description() const {
  return "tiles of " + std::to_string(axis[0].extent) + "x" + std::to_string(planeRows()) + "x" +
         std::to_string(heightZ * axis[2].members) + ", " + std::to_string(ringUnits() * axis[2].members) + " planes";
}

LevelTiling::Units LevelTiling::unitsOf(std::int64_t i) const {
  const std::int64_t y = i % tilesY_ * heightY, z = i / tilesY_ * heightZ;
  return {y, std::min(y + heightY, axis[1].units), z, std::min(z + heightZ, axis[2].units)};
}

template <class T>
void LevelTile<T>::combine(const T* const* source, std::int64_t count, T* first, T* second) const {
  filter_.kernels.lines({source, 2 * filter_.phases.terms, filter_.taps.data(), count, first, second, false, false});
}

// Elements x.. of a row of the input, side by side; `plain` is used where they do not lie so.
template <class T>
const T* LevelTile<T>::gathered(std::int64_t x, std::int64_t count, std::int64_t y, std::int64_t z, T* plain) const {
  const std::int64_t there = &in_.place(x, y, z) == &in_.inner ? std::min(count, in_.present[0] - x) : count;
  if (there == count && in_.contiguous(x, y, z)) return in_.at(x, y, z);
  const T* from = in_.at(x, y, z);
  const std::int64_t stride = in_.place(x, y, z).stride[0];
  for (std::int64_t i = 0; i < there; ++i) plain[i] = from[i * stride];
  std::fill(plain + there, plain + count, plain[there - 1]);
  return plain;
}

// A line of pairs from element offset on, continued periodically on both sides.
template <class T>
void LevelTile<T>::wrap(T* line) const {
  const LevelAxis& axis = tiling_.axis[0];
  T* const first = line + axis.offset;
  const std::int64_t after = axis.terms - 1 - axis.offset;
  if (axis.units >= axis.terms) {
    for (std::int64_t i = -axis.offset; i < 0; ++i) first[i] = first[axis.units + i];
    for (std::int64_t i = 0; i < after; ++i) first[axis.units + i] = first[i];
    return;
  }
  for (std::int64_t i = -axis.offset; i < 0; ++i) first[i] = first[wrapped(i, axis.units)];
  for (std::int64_t i = 0; i < after; ++i) first[axis.units + i] = first[i % axis.units];
}

// The members of the pairs of a row apart, continued periodically.
template <class T>
void LevelTile<T>::splitRow(const RowJob& job, const Workspace& w, T* p, T* q) const {
  const LevelAxis& axis = tiling_.axis[0];
  const std::int64_t half = axis.units;
  T *first = p + axis.offset, *second = q + axis.offset;
  if (filter_.phases.forward) {
    const T* from = gathered(0, axis.extent, job.y, job.z, w.plain);
    if (filter_.phases.phase == 1) {
      filter_.kernels.split(from, half, second, first + 1);  // first[i] = x(2i - 1)
      first[0] = first[half];
    } else {
      filter_.kernels.split(from, half, first, second);
    }
  } else {
    std::copy_n(gathered(0, half, job.y, job.z, w.plain), half, first);
    std::copy_n(gathered(half, half, job.y, job.z, w.plain), half, second);
  }
  wrap(p);
  wrap(q);
}

template <class T>
void LevelTile<T>::filterRow(const T* p, const T* q, const Workspace& w, T* row) const {
  const LevelAxis& axis = tiling_.axis[0];
  const std::int64_t half = axis.units;
  std::array<const T*, 2 * kMaximumTerms> source;
  for (std::int64_t j = 0; j < axis.terms; ++j) {
    source[static_cast<std::size_t>(2 * j)] = p + j;
    source[static_cast<std::size_t>(2 * j + 1)] = q + j;
  }
  if (filter_.phases.forward) {
    combine(source.data(), half, row, row + half);
    return;
  }
  combine(source.data(), half, w.u, w.v);
  if (filter_.phases.phase == 1) {
    w.u[half] = w.u[0];  // u[i] is x(2i - 1)
    filter_.kernels.join(w.v, w.u + 1, half, row);
  } else {
    filter_.kernels.join(w.u, w.v, half, row);
  }
}

template <class T>
void LevelTile<T>::fillRows(std::span<const RowJob> jobs, const Workspace& w) const {
  if (tiling_.axis[0].members == 1) {
    const std::int64_t n = tiling_.axis[0].extent;
    for (const RowJob& job : jobs) std::copy_n(gathered(0, n, job.y, job.z, w.plain), n, job.row);
    return;
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) splitRow(jobs[i], w, w.p[i], w.q[i]);
  for (std::size_t i = 0; i < jobs.size(); ++i) filterRow(w.p[i], w.q[i], w, jobs[i].row);
}

template <class T>
void LevelTile<T>::fillPlane(const LevelTiling::Units& units, std::int64_t z, const Workspace& w, T* plane) const {
  const LevelAxis& axis = tiling_.axis[1];
  const std::int64_t count = units.y1 - units.y0, stride = tiling_.row;
  std::array<RowJob, kRowsTogether> jobs;
  std::size_t waiting = 0;
  const auto fill = [&](std::int64_t y, T* row) {
    jobs[waiting++] = {y, z, row};
    if (waiting == jobs.size()) fillRows({jobs.data(), std::exchange(waiting, 0)}, w);
  };
  if (axis.members == 1) {
    for (std::int64_t y = units.y0; y < units.y1; ++y) fill(y, plane + (y - units.y0) * stride);
    fillRows({jobs.data(), waiting}, w);
    return;
  }
  for (std::int64_t i = 0; i < count + axis.terms - 1; ++i) {
    const std::int64_t unit = wrapped(units.y0 - axis.offset + i, axis.units);
    for (std::int64_t member = 0; member < 2; ++member)
      fill(filter_.phases.source(unit, member, axis.extent), w.rows + (2 * i + member) * stride);
  }
  fillRows({jobs.data(), waiting}, w);
  forStrips<T>(tiling_.axis[0].extent, tiling_.axis[0].extent, [&](std::int64_t x, std::int64_t width) {
    std::array<const T*, 2 * kMaximumTerms> source;
    for (std::int64_t i = 0; i < count; ++i) {
      for (std::int64_t k = 0; k < 2 * axis.terms; ++k)
        source[static_cast<std::size_t>(k)] = w.rows + (2 * i + k) * stride + x;
      T* first = plane + 2 * i * stride + x;
      combine(source.data(), width, first, first + stride);
    }
  });
}

// Unit z of the output, a strip of the row y: two rows where z is transformed.
template <class T>
void LevelTile<T>::writeStrip(std::int64_t x, std::int64_t count, std::int64_t y, std::int64_t z,
                              const T* const* source, const Workspace& w) const {
  const LevelAxis& axis = tiling_.axis[2];
  std::array<std::int64_t, 2> planes{z, z};
  if (axis.members == 2) planes = {filter_.phases.target(z, 0, axis.extent), filter_.phases.target(z, 1, axis.extent)};
  const std::array<T*, 2> plain{w.u, w.v};
  std::array<T*, 2> to{};
  for (std::size_t m = 0; m < 2; ++m) to[m] = out_.contiguous(x, y, planes[m]) ? out_.at(x, y, planes[m]) : plain[m];
  if (axis.members == 2) {
    filter_.kernels.lines({source, 2 * filter_.phases.terms, filter_.taps.data(), count, to[0], to[1],
                           to[0] != plain[0] && out_.place(x, y, planes[0]).streaming,
                           to[1] != plain[1] && out_.place(x, y, planes[1]).streaming});
  } else {
    std::copy_n(source[0], count, to[0]);
  }
  for (std::size_t m = 0; m < static_cast<std::size_t>(axis.members); ++m) {
    if (to[m] != plain[m]) continue;
    T* scattered = out_.at(x, y, planes[m]);
    const std::int64_t stride = out_.place(x, y, planes[m]).stride[0];
    for (std::int64_t i = 0; i < count; ++i) scattered[i * stride] = plain[m][i];
  }
}

// Units begin..end along z, whose planes wait in the ring: unit z0 - offset in its first slot.
template <class T>
void LevelTile<T>::writeUnits(const LevelTiling::Units& units, std::int64_t begin, std::int64_t end,
                              const Workspace& w) const {
  const LevelAxis &across = tiling_.axis[1], &along = tiling_.axis[2];
  const std::int64_t plane = tiling_.planeRows() * tiling_.row;
  std::array<const T*, 2 * kMaximumTerms> source;
  for (std::int64_t unit = units.y0; unit < units.y1; ++unit)
    for (std::int64_t member = 0; member < across.members; ++member) {
      const std::int64_t y = across.members == 2 ? filter_.phases.target(unit, member, across.extent) : unit;
      const T* row = w.ring + ((unit - units.y0) * across.members + member) * tiling_.row;
      forStrips<T>(tiling_.axis[0].extent, out_.corner[0], [&](std::int64_t x, std::int64_t width) {
        for (std::int64_t z = begin; z < end; ++z) {
          for (std::int64_t j = 0; j < along.terms; ++j) {
            const std::int64_t slot = (z - units.z0 + j) % tiling_.ringUnits();
            for (std::int64_t m = 0; m < along.members; ++m)
              source[static_cast<std::size_t>(j * along.members + m)] = row + (slot * along.members + m) * plane + x;
          }
          writeStrip(x, width, y, z, source.data(), w);
        }
      });
    }
}

template <class T>
void LevelTile<T>::run(std::int64_t tile, const Scratch& scratch) const {
  const LevelTiling::Units units = tiling_.unitsOf(tile);
  const LevelAxis& along = tiling_.axis[2];
  const std::int64_t line = tiling_.row + 2 * tiling_.axis[0].terms + 16;
  const std::int64_t plane = tiling_.planeRows() * tiling_.row;
  ScratchCarver carver(scratch);
  Workspace w{};
  w.ring = carver.take<T>(tiling_.ringUnits() * along.members * plane);
  w.rows = carver.take<T>(tiling_.inputRows() * tiling_.row);
  for (T** one : {&w.plain, &w.u, &w.v}) *one = carver.take<T>(line);
  for (auto* many : {&w.p, &w.q})
    for (T*& one : *many) one = carver.take<T>(line);

  std::int64_t filled = 0;  // units in the ring so far
  for (std::int64_t z = units.z0; z < units.z1; z += tiling_.batch) {
    const std::int64_t end = std::min(z + tiling_.batch, units.z1);
    for (; filled < end - units.z0 + along.terms - 1; ++filled) {
      control_.check();
      const std::int64_t unit = wrapped(units.z0 - along.offset + filled, along.units);
      for (std::int64_t m = 0; m < along.members; ++m) {
        const std::int64_t from = along.members == 2 ? filter_.phases.source(unit, m, along.extent) : unit;
        fillPlane(units, from, w, w.ring + (filled % tiling_.ringUnits() * along.members + m) * plane);
      }
    }
    writeUnits(units, z, end, w);
  }
  filter_.kernels.finishStreaming();
}

template class LevelTile<float>;
template class LevelTile<double>;

}  // namespace sscope::cpu
