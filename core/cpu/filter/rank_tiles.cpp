#include "core/cpu/filter/rank_tiles.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/volume/element_type.h"

namespace sscope::cpu {

namespace {

constexpr std::int64_t dividedUp(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Tiles of integers are packed without conversion.
template <class From, class To>
std::int64_t roundVectors(const From* /*from*/, To* /*to*/, std::int64_t /*count*/, std::int64_t& /*saturated*/) {
  return 0;
}
#include "core/cpu/run/tile_io-inl.h"

void packSame(ElementType type, const PackJob& job) {
  switch (type) {
    case ElementType::u8: return packTile<std::uint8_t, std::uint8_t>(job);
    case ElementType::i8: return packTile<std::int8_t, std::int8_t>(job);
    case ElementType::u16: return packTile<std::uint16_t, std::uint16_t>(job);
    case ElementType::i16: return packTile<std::int16_t, std::int16_t>(job);
    case ElementType::u32: return packTile<std::uint32_t, std::uint32_t>(job);
    case ElementType::i32: return packTile<std::int32_t, std::int32_t>(job);
    case ElementType::f32:
    case ElementType::f64: break;  // the levels' kernels pack these
  }
}

// A row whose elements are of the output's type.
template <class T>
void storeSame(const StoreJob& job) {
  const T* from = static_cast<const T*>(job.tile);
  T* to = reinterpret_cast<T*>(job.target);
  if (job.components == 1 && job.targetStride[0] == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(job.extent[0]) * sizeof(T));
    return;
  }
  for (std::int64_t i = 0; i < job.extent[0]; ++i) {
    const std::int64_t value = job.firstValue + i;
    to[value / job.components * job.targetStride[0] + value % job.components * job.componentStride] = from[i];
  }
}

}  // namespace

template <class Key>
RankTiles<Key>::RankTiles(const FilterWorkload& workload, std::size_t filter, bool reversed, const AxisOrder& order,
                          const KernelTable& kernels)
    : reversed_(reversed),
      as_(workload.orderedAs()),
      space_(workload, order, workload.operators()[filter].size(), workload.operators()[filter].anchor(),
             Components::SideBySide),
      kernels_(kernels),
      ranks_(rankKernels(kernels.f32.level).template of<Key>()) {}

template <class Key>
typename RankTiles<Key>::Layout RankTiles<Key>::layout(const std::array<std::int64_t, 3>& size) const {
  Layout l;
  l.width = dividedUp(size[0], ranks_.lanes) * ranks_.lanes;
  l.row = rowStride<Key>(l.width + space_.hull()[0] - 1);
  l.plane = l.row * (size[1] + space_.hull()[1]);
  l.packed = l.plane * (size[2] + space_.hull()[2] - 1);
  l.outRow = rowStride<Key>(l.width);
  l.outPlane = l.outRow * (size[1] + 1);
  l.outPacked = l.outPlane * size[2];
  return l;
}

// As long as tiles stay in the cache, their size only changes the packed halo and the number of idle threads.
template <class Key>
void RankTiles<Key>::choose(const TileLimits& limits, double searching, int copies) {
  constexpr double kPacking = 0.5, kTile = 500;  // operations of a packed key, and of a tile
  const auto& extent = space_.extent();
  const double preferred = 0.5 * static_cast<double>(limits.cacheBytes);
  double bestCost = std::numeric_limits<double>::infinity();
  for (const std::int64_t x : {32, 64, 128, 256, 512})
    for (const std::int64_t y : {4, 8, 16, 32, 64})
      for (const std::int64_t z : {1, 2, 4, 8, 16, 32, 64}) {
        const std::array<std::int64_t, 3> tile{std::min(x, extent[0]), std::min(y, extent[1]), std::min(z, extent[2])};
        const Layout l = layout(tile);
        std::int64_t tiles = space_.components();
        for (std::size_t a = 0; a < 3; ++a) tiles *= dividedUp(extent[a], tile[a]);
        const std::int64_t rounds = dividedUp(tiles, limits.threads);  // uneven shares leave threads idle
        const auto found = static_cast<double>(l.width * tile[1] * tile[2]);
        double cost =
            (searching * found / static_cast<double>(ranks_.lanes) + kPacking * static_cast<double>(l.packed) + kTile) *
            static_cast<double>(rounds);
        const auto bytes = static_cast<double>(copies * l.packed) * static_cast<double>(sizeof(Key));
        if (bytes > preferred) cost *= 1 + bytes / preferred;
        if (cost < bestCost) {
          bestCost = cost;
          tile_ = tile;
        }
      }
  for (std::size_t a = 0; a < 3; ++a) tiles_[a] = dividedUp(extent[a], tile_[a]);
}

template <class Key>
std::int64_t RankTiles<Key>::count() const {
  return tiles_[0] * tiles_[1] * tiles_[2] * space_.components();
}

template <class Key>
typename RankTiles<Key>::Tile RankTiles<Key>::at(std::int64_t number) const {
  Tile tile;
  for (std::size_t a = 0; a < 3; ++a) {
    tile.begin[a] = number % tiles_[a] * tile_[a];
    number /= tiles_[a];
    tile.size[a] = std::min(tile_[a], space_.extent()[a] - tile.begin[a]);
  }
  tile.component = number;
  return tile;
}

template <class Key>
double RankTiles<Key>::outputs() const {
  const auto& n = space_.extent();
  return static_cast<double>(n[0] * n[1]) * static_cast<double>(n[2] * space_.components());
}

template <class Key>
std::string RankTiles<Key>::tileText() const {
  return std::string(toString(as_)) + " in tiles of " + std::to_string(tile_[0]) + "x" + std::to_string(tile_[1]) +
         "x" + std::to_string(tile_[2]);
}

template <class Key>
bool RankTiles<Key>::pack(const Tile& tile, const Layout& layout, const ConstArrayView& input, Key* keys) const {
  std::array<std::int64_t, 3> packed{};
  for (std::size_t a = 0; a < 3; ++a) packed[a] = tile.size[a] + space_.hull()[a] - 1;
  PackJob job = space_.packJob(input, tile.component, tile.begin, packed);
  job.tile = keys;
  job.tileRow = layout.row;
  job.tilePlane = layout.plane;
  if (as_ == ElementType::f32) {
    kernels_.f32.pack[static_cast<std::size_t>(input.type)](job);
  } else if (as_ == ElementType::f64) {
    kernels_.f64.pack[static_cast<std::size_t>(input.type)](job);
  } else {
    packSame(as_, job);
  }
  bool unordered = false;
  for (std::int64_t z = 0; z < packed[2]; ++z)
    unordered |= ranks_.toKeys(as_, reversed_, keys + z * layout.plane, packed[1] * layout.row);
  return unordered;
}

template <class Key>
void RankTiles<Key>::store(const Tile& tile, std::int64_t y, std::int64_t z, Key* keys, void* numbers,
                           const TileRun& run, std::size_t output) const {
  const ArrayView& to = run.outputs[output];
  ranks_.fromKeys(as_, reversed_, keys, dividedUp(tile.size[0], ranks_.lanes) * ranks_.lanes);
  StoreJob job =
      space_.storeJob(to, tile.component, {tile.begin[0], tile.begin[1] + y, tile.begin[2] + z}, {tile.size[0], 1, 1});
  job.tile = keys;
  job.tileRow = tile.size[0];
  job.streaming = run.streaming;
  if (to.type == as_) {
    storeSame<Key>(job);
    return;
  }
  const bool wide = bytesOf(as_) == 8 || as_ == ElementType::u32 || as_ == ElementType::i32;
  ranks_.widen(as_, keys, tile.size[0], numbers);
  job.tile = numbers;
  const auto type = static_cast<std::size_t>(to.type);
  run.saturated[output] += wide ? kernels_.f64.store[type](job) : kernels_.f32.store[type](job);
}

template class RankTiles<std::int8_t>;
template class RankTiles<std::int16_t>;
template class RankTiles<std::int32_t>;
template class RankTiles<std::int64_t>;

}  // namespace sscope::cpu
