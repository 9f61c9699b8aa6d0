#include "core/io/zarr/zarr_chunks.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "core/io/base/chunked_file.h"
#include "core/io/base/file_error.h"

namespace sscope::io {

namespace {

using ZarrExtents = std::vector<std::int64_t>;

// As blosc, and more than anyone wants to hold.
constexpr double kLargestChunk = 0x1p31;

double valuesIn(const ZarrExtents& extents) {
  double all = 1;
  for (const std::int64_t n : extents) all *= static_cast<double>(n);
  return all;
}

// From one value to the next along each axis of the array, in a block of extents `chunk` whose axes have this order.
ZarrExtents stepsOf(const ZarrExtents& chunk, const std::vector<std::size_t>& order) {
  ZarrExtents steps(chunk.size());
  std::int64_t step = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    steps[order[k]] = step;
    step *= chunk[order[k]];
  }
  return steps;
}

// Calls `use` for each place of the grid from `first` to `last`, both included, the last axis fastest.
template <class Use>
void forEachPlace(const ZarrExtents& first, const ZarrExtents& last, Use&& use) {
  ZarrExtents place = first;
  for (;;) {
    use(place);
    std::size_t a = place.size();
    while (a > 0 && place[a - 1] == last[a - 1]) {
      place[a - 1] = first[a - 1];
      --a;
    }
    if (a == 0) return;
    ++place[a - 1];
  }
}

// A loop over the values that two blocks share.
struct ChunkWalk {
  struct Axis {
    std::int64_t count, from, to;  // values, and steps of both in bytes
  };
  std::vector<Axis> axes;  // the last is the innermost
};

template <std::size_t Bytes>
void copyChunkRow(const std::byte* from, std::byte* to, const ChunkWalk::Axis& row) {
  for (std::int64_t i = 0; i < row.count; ++i) std::memcpy(to + i * row.to, from + i * row.from, Bytes);
}

void copyChunkRow(const std::byte* from, std::byte* to, const ChunkWalk::Axis& row, std::size_t size) {
  const auto step = static_cast<std::int64_t>(size);
  if (row.from == step && row.to == step) {
    std::memcpy(to, from, static_cast<std::size_t>(row.count) * size);
    return;
  }
  switch (size) {
    case 1: return copyChunkRow<1>(from, to, row);
    case 2: return copyChunkRow<2>(from, to, row);
    case 4: return copyChunkRow<4>(from, to, row);
    default: return copyChunkRow<8>(from, to, row);
  }
}

void walkChunk(const ChunkWalk& all, std::size_t axis, const std::byte* from, std::byte* to, std::size_t size) {
  const ChunkWalk::Axis& own = all.axes[axis];
  if (axis + 1 == all.axes.size()) return copyChunkRow(from, to, own, size);
  for (std::int64_t i = 0; i < own.count; ++i) walkChunk(all, axis + 1, from + i * own.from, to + i * own.to, size);
}

}  // namespace

// The place of a chunk in the array, and its values in memory.
struct ZarrChunks::Piece {
  ZarrExtents begin, extent;
  ZarrExtents steps;  // in elements; none: all are the fill value

  // Its overlap with a box, as a loop from this piece to the box's output. Empty: there is none.
  [[nodiscard]] ChunkWalk walkTo(const ZarrBox& box, std::size_t size, std::int64_t& from, std::int64_t& to) const {
    ChunkWalk result;
    from = to = 0;
    const auto bytes = static_cast<std::int64_t>(size);
    for (std::size_t a = 0; a < begin.size(); ++a) {
      const std::int64_t first = std::max(begin[a], box.begin[a]), last = std::min(begin[a] + extent[a], box.end[a]);
      if (first >= last) return {};
      const std::int64_t step = steps.empty() ? 0 : steps[a] * bytes;
      from += (first - begin[a]) * step;
      to += (first - box.begin[a]) * box.steps[a] * bytes;
      if (last - first > 1) result.axes.push_back({last - first, step, box.steps[a] * bytes});
    }
    // Short steps of the output innermost.
    std::ranges::stable_sort(result.axes, std::greater<>(), &ChunkWalk::Axis::to);
    if (result.axes.empty()) result.axes.push_back({1, bytes, bytes});
    return result;
  }
};

ZarrChunks::ZarrChunks(const ZarrStore& store, ZarrArray array) : store_(store), array_(std::move(array)) {
  const auto size = static_cast<double>(bytesOf(array_.type));
  const ZarrExtents& held = array_.shards ? array_.shards->chunk : array_.chunk;
  if (valuesIn(held) * size > kLargestChunk)
    throw cannotRead(ErrorKind::Unsupported, store_.shown(array_.key),
                     "its chunks have " + bytesText(valuesIn(held) * size) + " each", "save it with smaller chunks");
  constexpr double kMostChunks = 1e8, kTiny = 512;
  if (const double chunks = valuesIn(array_.shape) / valuesIn(held); valuesIn(held) < kTiny && chunks > kMostChunks)
    throw cannotRead(ErrorKind::Unsupported, store_.shown(array_.key),
                     "it has a hundred million chunks of a few voxels", "save it with larger chunks");
}

void ZarrChunks::read(const ZarrBox& box, std::optional<ElementType> type, std::span<std::byte> out,
                      const Control& control) {
  type_ = type;
  size_ = type ? sscope::bytesOf(*type) : bytesOf(array_.type);
  fillValue_ = array_.fill;
  if (type) {
    fillValue_ = {};
    convert(array_.type, std::span(array_.fill).first(bytesOf(array_.type)), *type, fillValue_.data());
  }
  ZarrExtents first(box.begin.size()), last(box.begin.size());
  for (std::size_t a = 0; a < first.size(); ++a) {
    first[a] = box.begin[a] / array_.chunk[a];
    last[a] = (box.end[a] - 1) / array_.chunk[a];
  }
  forEachPlace(first, last, [&](const ZarrExtents& place) { readFile(box, place, out, control); });
}

void ZarrChunks::readFile(const ZarrBox& box, const ZarrExtents& place, std::span<std::byte> out,
                          const Control& control) {
  control.check();
  Piece piece{ZarrExtents(place.size()), array_.chunk, {}};
  for (std::size_t a = 0; a < place.size(); ++a) piece.begin[a] = place[a] * array_.chunk[a];
  const std::string key = array_.chunkKey(place);
  const auto file = store_.open(key);
  if (!array_.shards || !file) ++seen_;
  if (!file) {
    ++missing_;
    return fill(box, piece, out);
  }
  if (array_.shards) return readShard(box, *file, key, piece, out, control);
  const auto elements = static_cast<std::int64_t>(valuesIn(array_.chunk));
  const std::int64_t bytes = elements * static_cast<std::int64_t>(bytesOf(array_.type));
  // What codecs make is not much longer than what they are given.
  constexpr std::int64_t kSpare = 1 << 20;
  const bool plain = array_.coding.codecs.empty();
  if (plain ? file->bytes != bytes : file->bytes > bytes + bytes / 4 + kSpare)
    throw damaged(store_.shown(key),
                  "it has " + std::to_string(file->bytes) + " bytes, and a chunk has " + std::to_string(bytes));
  packed_.resize(static_cast<std::size_t>(file->bytes));
  store_.read(*file, key, 0, packed_);
  unpack(packed_, array_.coding, elements, store_.shown(key));
  piece.steps = stepsOf(piece.extent, array_.coding.order);
  copy(box, piece, type_ ? converted_.data() : unpacked_.data(), out);
}

void ZarrChunks::readShard(const ZarrBox& box, const ZarrStore::File& file, const std::string& key, const Piece& shard,
                           std::span<std::byte> out, const Control& control) {
  const ZarrShards& shards = *array_.shards;
  const std::vector<std::size_t>& axes = array_.coding.order;  // of the shard: axes[k] is that of the array
  const std::size_t n = axes.size();
  ZarrExtents extent(n), count(n), first(n), last(n);  // of the array's axes
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t a = axes[k];
    extent[a] = shards.chunk[k];
    count[a] = array_.chunk[a] / extent[a];
    first[a] = std::max<std::int64_t>(0, box.begin[a] - shard.begin[a]) / extent[a];
    last[a] = std::min(count[a] - 1, (box.end[a] - 1 - shard.begin[a]) / extent[a]);
  }
  constexpr std::size_t kEntry = 16, kSum = 4;
  const std::size_t entries = static_cast<std::size_t>(valuesIn(count)) * kEntry,
                    tableBytes = entries + (shards.tableChecked ? kSum : 0);
  const std::string shown = store_.shown(key);
  if (file.bytes < static_cast<std::int64_t>(tableBytes)) throw damaged(shown, "it is cut off in its table of chunks");
  packed_.resize(tableBytes);
  store_.read(file, key, shards.tableAtEnd ? file.bytes - static_cast<std::int64_t>(tableBytes) : 0, packed_);
  std::vector<std::byte> table;
  unpackChunk(packed_, shards.tableChecked ? std::vector{ZarrCodec::crc32c} : std::vector<ZarrCodec>{}, entries,
              shown + ", its table of chunks", table, other_);
  if (shards.tableSwapped) swapBytes(table, 8);
  // The table is in the order of the shard's axes.
  const ZarrExtents steps = stepsOf(count, axes);
  const auto elements = static_cast<std::int64_t>(valuesIn(extent));
  const std::int64_t bytes = elements * static_cast<std::int64_t>(bytesOf(array_.type));
  // Of the axes in the shard, then of those of the array.
  ZarrChunkCoding coding = shards.coding;
  for (std::size_t& axis : coding.order) axis = axes[axis];
  forEachPlace(first, last, [&](const ZarrExtents& place) {
    control.check();
    ++seen_;
    Piece piece{ZarrExtents(n), extent, {}};
    std::int64_t entry = 0;
    for (std::size_t a = 0; a < n; ++a) {
      piece.begin[a] = shard.begin[a] + place[a] * extent[a];
      entry += place[a] * steps[a];
    }
    std::uint64_t offset = 0, size = 0;
    std::memcpy(&offset, table.data() + static_cast<std::size_t>(entry) * kEntry, 8);
    std::memcpy(&size, table.data() + static_cast<std::size_t>(entry) * kEntry + 8, 8);
    constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
    if (offset == kNone && size == kNone) {
      ++missing_;
      return fill(box, piece, out);
    }
    const auto end = static_cast<std::uint64_t>(file.bytes);
    constexpr std::uint64_t kSpare = 1 << 20;
    const auto whole = static_cast<std::uint64_t>(bytes);
    if (offset > end || size > end - offset || size > whole + whole / 4 + kSpare)
      throw damaged(shown, "its table of chunks names places that it does not have");
    packed_.resize(size);
    store_.read(file, key, static_cast<std::int64_t>(offset), packed_);
    unpack(packed_, coding, elements, shown);
    piece.steps = stepsOf(extent, coding.order);
    copy(box, piece, type_ ? converted_.data() : unpacked_.data(), out);
  });
}

void ZarrChunks::unpack(std::span<const std::byte> packed, const ZarrChunkCoding& coding, std::int64_t elements,
                        const std::string& shown) {
  const std::size_t size = bytesOf(array_.type), bytes = static_cast<std::size_t>(elements) * size;
  unpackChunk(packed, coding.codecs, bytes, shown, unpacked_, other_);
  if (coding.swapped) swapBytes(unpacked_, size);
  if (!type_) return;
  if (sameElementType(array_.type) == type_) {
    converted_.swap(unpacked_);
    return;
  }
  converted_.resize(static_cast<std::size_t>(elements) * size_);
  convert(array_.type, unpacked_, *type_, converted_.data());
}

void ZarrChunks::copy(const ZarrBox& box, const Piece& piece, const std::byte* values, std::span<std::byte> out) const {
  std::int64_t from = 0, to = 0;
  const ChunkWalk loop = piece.walkTo(box, size_, from, to);
  if (!loop.axes.empty()) walkChunk(loop, 0, values + from, out.data() + to, size_);
}

void ZarrChunks::fill(const ZarrBox& box, const Piece& piece, std::span<std::byte> out) const {
  std::int64_t from = 0, to = 0;
  const ChunkWalk loop = piece.walkTo(box, size_, from, to);
  if (!loop.axes.empty()) walkChunk(loop, 0, fillValue_.data(), out.data() + to, size_);
}

}  // namespace sscope::io
