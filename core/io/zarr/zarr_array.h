#pragma once
// What the description of a Zarr array or group says: .zarray, .zgroup and .zattrs of version 2, zarr.json of
// version 3.

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/io/base/convert.h"
#include "core/io/zarr/zarr_codecs.h"
#include "core/io/zarr/zarr_store.h"

namespace sscope::io {

// How a chunk becomes bytes.
struct ZarrChunkCoding {
  std::vector<std::size_t> order;  // of its axes in the bytes, the slowest first
  bool swapped = false;            // the bytes of each element are in the other order
  std::vector<ZarrCodec> codecs;   // as they were applied to the bytes
};

// Several chunks in one file, with a table of their places.
struct ZarrShards {
  std::vector<std::int64_t> chunk;  // extents of each, in the order of the axes in the shard
  ZarrChunkCoding coding;
  bool tableAtEnd = true, tableSwapped = false, tableChecked = false;
};

struct ZarrArray {
  std::string key;                         // of its folder
  std::vector<std::int64_t> shape, chunk;  // all >= 1; of sharded arrays the extents of a shard
  Stored type = Stored::u8;
  bool truth = false;               // its values are 0 and 1
  std::array<std::byte, 8> fill{};  // a value of `type`, of what has no chunk
  std::string fillText = "0";       // the same for people
  ZarrChunkCoding coding;           // of sharded arrays the order alone
  std::optional<ZarrShards> shards;
  std::string prefix;  // of the keys of chunks, "c/"
  char separator = '/';
  std::vector<std::string> names;  // of the axes; none: not given

  // The key of a chunk at this place of the grid.
  [[nodiscard]] std::string chunkKey(const std::vector<std::int64_t>& place) const;
};

// A part of a store: a group, or an array.
struct ZarrNode {
  int version = 2;
  nlohmann::json attributes = nlohmann::json::object();
  std::optional<ZarrArray> array;
};

// Empty where there is neither. Throws Error(BadData) for a description that makes no sense, and Error(Unsupported),
// with the word for it, for what is not read here.
[[nodiscard]] std::optional<ZarrNode> zarrNodeOf(const ZarrStore& store, const std::string& key);

}  // namespace sscope::io
