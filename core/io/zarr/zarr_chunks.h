#pragma once
// The values of a Zarr array, chunk by chunk.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.h"
#include "core/io/zarr/zarr_array.h"

namespace sscope::io {

// A part of an array, and where its values go. All have one number for each axis of the array.
struct ZarrBox {
  std::vector<std::int64_t> begin, end;
  std::vector<std::int64_t> steps;  // from one value to the next along each axis, in elements of the output
};

class ZarrChunks {
 public:
  // The store must live as long. Throws Error(Unsupported) for chunks too large to be held.
  ZarrChunks(const ZarrStore& store, ZarrArray array);

  [[nodiscard]] const ZarrArray& array() const { return array_; }

  // Fills `out`, which begins with the box's first value, with values of `type`; none: as they are stored, in the order
  // of bytes of this machine. What has no chunk gets the fill value. Holds one chunk at a time. Throws Error(BadData,
  // Io), naming the chunk, and Canceled.
  void read(const ZarrBox& box, std::optional<ElementType> type, std::span<std::byte> out, const Control& control);

  // Of the chunks that read() has come to: how many there were, and how many of them are not in the store.
  [[nodiscard]] std::int64_t seen() const { return seen_; }
  [[nodiscard]] std::int64_t missing() const { return missing_; }
  void forget() { seen_ = missing_ = 0; }

 private:
  struct Piece;  // what lies in memory of a chunk
  void readFile(const ZarrBox& box, const std::vector<std::int64_t>& place, std::span<std::byte> out,
                const Control& control);
  void readShard(const ZarrBox& box, const ZarrStore::File& file, const std::string& key, const Piece& shard,
                 std::span<std::byte> out, const Control& control);
  void unpack(std::span<const std::byte> packed, const ZarrChunkCoding& coding, std::int64_t elements,
              const std::string& shown);
  void copy(const ZarrBox& box, const Piece& piece, const std::byte* values, std::span<std::byte> out) const;
  void fill(const ZarrBox& box, const Piece& piece, std::span<std::byte> out) const;

  const ZarrStore& store_;
  ZarrArray array_;
  std::optional<ElementType> type_;       // of the read that is on its way
  std::size_t size_ = 1;                  // bytes of an element of it
  std::array<std::byte, 8> fillValue_{};  // the same
  std::int64_t seen_ = 0, missing_ = 0;
  std::vector<std::byte> packed_, unpacked_, other_, converted_;
};

}  // namespace sscope::io
