#include "core/io/zarr/zarr_array.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string_view>

#include "core/io/base/file_error.h"

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr std::int64_t kLongestZarrText = std::int64_t{16} << 20;
constexpr std::size_t kMostZarrAxes = 8;
constexpr std::int64_t kLongestZarrAxis = std::int64_t{1} << 40;
constexpr bool kBigHere = std::endian::native == std::endian::big;

// A description, and its name in errors.
struct Described {
  const json& text;
  const std::string& shown;

  [[nodiscard]] Error bad(const std::string& what) const { return damaged(shown, what); }
  [[nodiscard]] Error unsupported(const std::string& what, const std::string& remedy = {}) const {
    return cannotRead(ErrorKind::Unsupported, shown, what,
                      remedy.empty() ? "save it without that, with zarr-python perhaps" : remedy);
  }
  [[nodiscard]] const json& at(const char* name) const {
    const auto found = text.find(name);
    if (found == text.end()) throw bad("its description has no " + std::string(name));
    return *found;
  }
};

std::optional<json> readJson(const ZarrStore& store, const std::string& key) {
  const auto text = store.readText(key, kLongestZarrText);
  if (!text) return std::nullopt;
  constexpr int kDeepest = 64;
  bool deep = false;
  const auto look = [&](int depth, json::parse_event_t, const json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  json object = json::parse(*text, look, false);
  if (deep || !object.is_object()) throw damaged(store.shown(key), "it is no JSON object");
  return object;
}

const std::string& needText(const Described& d, const json& value, const char* what) {
  if (!value.is_string()) throw d.bad("its " + std::string(what) + " is no text");
  return value.get_ref<const std::string&>();
}

std::vector<std::int64_t> extentList(const Described& d, const json& list, const char* what, std::size_t axes) {
  if (!list.is_array() || list.size() > kMostZarrAxes || (axes > 0 && list.size() != axes))
    throw d.bad("its " + std::string(what) + " is no list of " +
                (axes > 0 ? std::to_string(axes) : "at most " + std::to_string(kMostZarrAxes)) + " extents");
  std::vector<std::int64_t> all;
  for (const json& each : list) {
    const bool whole =
        each.is_number_unsigned() && each.get<std::uint64_t>() <= static_cast<std::uint64_t>(kLongestZarrAxis);
    const bool asReal = each.is_number_float() && each.get<double>() >= 0 &&
                        each.get<double>() <= static_cast<double>(kLongestZarrAxis) &&
                        std::floor(each.get<double>()) == each.get<double>();
    if (!whole && !asReal) throw d.bad("what is no extent is in its " + std::string(what));
    all.push_back(asReal ? static_cast<std::int64_t>(each.get<double>()) : each.get<std::int64_t>());
    if (all.back() < 1) throw d.bad("an extent in its " + std::string(what) + " is 0: it holds no voxels");
  }
  return all;
}

std::vector<std::size_t> plainOrder(std::size_t axes, bool reversed = false) {
  std::vector<std::size_t> order(axes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (reversed) std::ranges::reverse(order);
  return order;
}

struct TypeWord {
  std::string_view v2, v3;  // of version 2 without the order of bytes
  Stored type;
};
constexpr TypeWord kZarrTypes[] = {
    {"b1", "bool", Stored::u8},     {"u1", "uint8", Stored::u8},    {"i1", "int8", Stored::i8},
    {"u2", "uint16", Stored::u16},  {"i2", "int16", Stored::i16},   {"u4", "uint32", Stored::u32},
    {"i4", "int32", Stored::i32},   {"u8", "uint64", Stored::u64},  {"i8", "int64", Stored::i64},
    {"f2", "float16", Stored::f16}, {"f4", "float32", Stored::f32}, {"f8", "float64", Stored::f64}};

void takeType(const Described& d, const json& value, bool third, ZarrArray& array) {
  if (!value.is_string()) throw d.unsupported("its values are no plain numbers (" + value.dump().substr(0, 64) + ")");
  std::string word = value.get<std::string>();
  char order = '<';
  if (!third && word.size() > 1) {
    order = word.front();
    word.erase(0, 1);
  }
  const auto* const found = std::ranges::find(kZarrTypes, word, third ? &TypeWord::v3 : &TypeWord::v2);
  if (found == std::end(kZarrTypes) || std::string_view("<>|").find(order) == std::string_view::npos)
    throw d.unsupported("its values are of the type " + value.get<std::string>() +
                        ", and integers and real numbers are read");
  array.type = found->type;
  array.truth = word == "b1" || word == "bool";
  array.coding.swapped = order != '|' && (order == '>') != kBigHere;
}

// Halves are kept as their bits; numbers are rounded to them.
std::uint16_t halfOf(double value) {
  if (std::isnan(value)) return 0x7e00;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::abs(value);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7c00);
  if (size < std::ldexp(1, -14))
    return static_cast<std::uint16_t>(sign | static_cast<int>(std::nearbyint(std::ldexp(size, 24))));
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // [0.5, 1)
  const int bits = static_cast<int>(std::nearbyint(std::ldexp(fraction, 11)));
  return static_cast<std::uint16_t>(sign | (((exponent + 13) << 10) + bits));
}

template <class T>
void putValue(ZarrArray& array, T value) {
  std::memcpy(array.fill.data(), &value, sizeof value);
}

template <class T>
bool putWhole(ZarrArray& array, const json& value) {
  if (value.is_number_unsigned() && std::in_range<T>(value.get<std::uint64_t>())) {
    putValue(array, static_cast<T>(value.get<std::uint64_t>()));
  } else if (value.is_number_integer() && !value.is_number_unsigned() && std::in_range<T>(value.get<std::int64_t>())) {
    putValue(array, static_cast<T>(value.get<std::int64_t>()));
  } else if (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>() &&
             std::abs(value.get<double>()) < 0x1p53 &&
             std::in_range<T>(static_cast<std::int64_t>(value.get<double>()))) {
    putValue(array, static_cast<T>(static_cast<std::int64_t>(value.get<double>())));
  } else {
    return false;
  }
  return true;
}

std::optional<double> realOf(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto& word = value.get_ref<const std::string&>();
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (word == "Infinity") return std::numeric_limits<double>::infinity();
  if (word == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

// "0x7fc00000": the bits of a real number.
std::optional<std::uint64_t> bitsOf(const json& value, std::size_t bytes) {
  if (!value.is_string()) return std::nullopt;
  const std::string_view word = value.get_ref<const std::string&>();
  std::uint64_t bits = 0;
  if (!word.starts_with("0x") || word.size() != 2 + 2 * bytes) return std::nullopt;
  const auto [end, code] = std::from_chars(word.data() + 2, word.data() + word.size(), bits, 16);
  return code == std::errc() && end == word.data() + word.size() ? std::optional(bits) : std::nullopt;
}

bool putFill(ZarrArray& array, const json& value) {
  if (value.is_boolean()) {
    if (!array.truth) return false;
    putValue(array, static_cast<std::uint8_t>(value.get<bool>() ? 1 : 0));
    return true;
  }
  switch (array.type) {
    case Stored::u8: return putWhole<std::uint8_t>(array, value);
    case Stored::i8: return putWhole<std::int8_t>(array, value);
    case Stored::u16: return putWhole<std::uint16_t>(array, value);
    case Stored::i16: return putWhole<std::int16_t>(array, value);
    case Stored::u32: return putWhole<std::uint32_t>(array, value);
    case Stored::i32: return putWhole<std::int32_t>(array, value);
    case Stored::u64: return putWhole<std::uint64_t>(array, value);
    case Stored::i64: return putWhole<std::int64_t>(array, value);
    case Stored::f16:
    case Stored::f32:
    case Stored::f64: break;
  }
  if (const auto bits = bitsOf(value, bytesOf(array.type))) {
    if (array.type == Stored::f16) putValue(array, static_cast<std::uint16_t>(*bits));
    if (array.type == Stored::f32) putValue(array, static_cast<std::uint32_t>(*bits));
    if (array.type == Stored::f64) putValue(array, *bits);
    return true;
  }
  const auto real = realOf(value);
  if (!real) return false;
  if (array.type == Stored::f16) putValue(array, halfOf(*real));
  if (array.type == Stored::f32) putValue(array, static_cast<float>(*real));
  if (array.type == Stored::f64) putValue(array, *real);
  return true;
}

void takeFill(const Described& d, ZarrArray& array) {
  const auto value = d.text.find("fill_value");
  if (value == d.text.end() || value->is_null()) return;
  if (!putFill(array, *value))
    throw d.bad("its fill_value " + value->dump().substr(0, 64) + " is no value of its type");
  array.fillText = value->is_string() ? value->get<std::string>() : value->dump();
}

char separatorOf(const Described& d, const json& value) {
  if (value != "/" && value != ".") throw d.bad("its separator of keys is neither \".\" nor \"/\"");
  return value.get_ref<const std::string&>().front();
}

ZarrCodec codecOf(const Described& d, const std::string& word) {
  if (const auto codec = zarrCodecOf(word)) return *codec;
  throw d.unsupported("its chunks are coded by " + word + ", which is not read here",
                      "save it with gzip, zstd, blosc or lz4");
}

// .zarray
ZarrArray secondArray(const Described& d, const std::string& key) {
  ZarrArray array;
  array.key = key;
  array.shape = extentList(d, d.at("shape"), "shape", 0);
  if (array.shape.empty()) throw d.unsupported("it is a single value", "name an array");
  array.chunk = extentList(d, d.at("chunks"), "chunks", array.shape.size());
  takeType(d, d.at("dtype"), false, array);
  takeFill(d, array);
  const std::string& order = needText(d, d.at("order"), "order");
  if (order != "C" && order != "F") throw d.bad("its order is neither C nor F");
  array.coding.order = plainOrder(array.shape.size(), order == "F");
  if (const auto filters = d.text.find("filters"); filters != d.text.end() && !filters->is_null() && !filters->empty())
    throw d.unsupported("it has filters (" + filters->dump().substr(0, 80) + "), which are not read here");
  if (const auto packed = d.text.find("compressor"); packed != d.text.end() && !packed->is_null()) {
    if (!packed->is_object() || !packed->contains("id")) throw d.bad("its compressor has no id");
    array.coding.codecs.push_back(codecOf(d, needText(d, packed->at("id"), "compressor")));
  }
  const auto separator = d.text.find("dimension_separator");
  array.separator = separator == d.text.end() || separator->is_null() ? '.' : separatorOf(d, *separator);
  return array;
}

const json& configurationOf(const json& codec) {
  static const json kNone = json::object();
  const auto found = codec.is_object() ? codec.find("configuration") : codec.end();
  return codec.is_object() && found != codec.end() && found->is_object() ? *found : kNone;
}

std::string codecName(const Described& d, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto found = value.is_object() ? value.find("name") : value.end();
  if (!value.is_object() || found == value.end() || !found->is_string()) throw d.bad("a codec has no name");
  return found->get<std::string>();
}

std::vector<std::size_t> permutationOf(const Described& d, const json& order, std::size_t axes) {
  if (order == "C") return plainOrder(axes);
  if (order == "F") return plainOrder(axes, true);
  std::vector<std::size_t> all;
  if (order.is_array() && order.size() == axes)
    for (const json& each : order)
      if (each.is_number_unsigned() && each.get<std::uint64_t>() < axes) all.push_back(each.get<std::size_t>());
  if (auto sorted = all; std::ranges::sort(sorted), sorted != plainOrder(axes))
    throw d.bad("the order of a transpose is none of its axes");
  return all;
}

bool isSwapped(const Described& d, const json& codec, std::size_t bytes) {
  const json endian = configurationOf(codec).value("endian", json("little"));
  if (bytes > 1 && endian != "little" && endian != "big") throw d.bad("its order of bytes is neither little nor big");
  return bytes > 1 && (endian == "big") != kBigHere;
}

ZarrChunkCoding chunkCoding(const Described& d, const json& codecs, const ZarrArray& array, std::size_t from);

ZarrShards shardsOf(const Described& d, const json& codec, const ZarrArray& array) {
  const json& how = configurationOf(codec);
  ZarrShards shards;
  const Described inner{how, d.shown};
  const std::size_t axes = array.shape.size();
  shards.chunk = extentList(inner, inner.at("chunk_shape"), "chunk_shape", axes);
  double count = 1;
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t whole = array.chunk[array.coding.order[a]];
    if (whole % shards.chunk[a] != 0) throw d.bad("its shards do not consist of whole chunks");
    count *= static_cast<double>(whole / shards.chunk[a]);
  }
  constexpr double kMostInShard = 1 << 24;
  if (count > kMostInShard) throw d.unsupported("its shards have more than 16 million chunks");
  shards.coding = chunkCoding(d, inner.at("codecs"), array, 0);
  const json location = how.value("index_location", json("end"));
  if (location != "end" && location != "start") throw d.bad("its table of chunks is neither at the start nor the end");
  shards.tableAtEnd = location == "end";
  const json& table = inner.at("index_codecs");
  if (!table.is_array() || table.empty() || codecName(d, table[0]) != "bytes")
    throw d.unsupported("its table of chunks is coded in a way that is not read here");
  shards.tableSwapped = isSwapped(d, table[0], 8);
  shards.tableChecked = table.size() > 1;
  if (table.size() > 2 || (shards.tableChecked && zarrCodecOf(codecName(d, table[1])) != ZarrCodec::crc32c))
    throw d.unsupported("its table of chunks is coded in a way that is not read here");
  return shards;
}

// Arrays to arrays, then to bytes, then bytes to bytes.
ZarrChunkCoding chunkCoding(const Described& d, const json& codecs, const ZarrArray& array, std::size_t from) {
  if (!codecs.is_array()) throw d.bad("its codecs are no list");
  ZarrChunkCoding coding;
  coding.order = plainOrder(array.shape.size());
  bool inBytes = false;
  for (std::size_t k = from; k < codecs.size(); ++k) {
    const std::string name = codecName(d, codecs[k]);
    if (inBytes) {
      coding.codecs.push_back(codecOf(d, name));
    } else if (name == "transpose") {
      const auto order = permutationOf(d, configurationOf(codecs[k]).value("order", json()), coding.order.size());
      std::vector<std::size_t> all;
      for (const std::size_t axis : order) all.push_back(coding.order[axis]);
      coding.order = all;
    } else if (name == "bytes" || name == "endian") {
      coding.swapped = isSwapped(d, codecs[k], bytesOf(array.type));
      inBytes = true;
    } else {
      throw d.unsupported("its chunks are coded by " + name + ", which is not read here");
    }
  }
  if (!inBytes) throw d.bad("its codecs do not define how numbers become bytes");
  return coding;
}

void takeCodecs(const Described& d, ZarrArray& array) {
  const json& codecs = d.at("codecs");
  if (!codecs.is_array() || codecs.empty()) throw d.bad("its codecs are no list");
  const auto sharding =
      std::ranges::find_if(codecs, [&](const json& codec) { return codecName(d, codec) == "sharding_indexed"; });
  if (sharding == codecs.end()) {
    array.coding = chunkCoding(d, codecs, array, 0);
    return;
  }
  if (std::next(sharding) != codecs.end()) throw d.unsupported("its shards are packed as a whole");
  // What comes before turns the axes.
  json before(codecs.begin(), sharding);
  before.push_back("bytes");
  array.coding = chunkCoding(d, before, array, 0);
  array.shards = shardsOf(d, *sharding, array);
}

void requireKnown(const Described& d) {
  constexpr std::string_view kKnown[] = {
      "zarr_format",        "node_type", "shape",      "data_type",  "chunk_grid",
      "chunk_key_encoding", "codecs",    "fill_value", "attributes", "storage_transformers",
      "dimension_names"};
  for (const auto& [name, value] : d.text.items())
    if (std::ranges::find(kKnown, name) == std::end(kKnown) &&
        !(value.is_object() && value.value("must_understand", json(true)) == false))
      throw d.unsupported("its description has the extension " + name + ", which is not known here");
  const auto transformers = d.text.find("storage_transformers");
  if (transformers != d.text.end() && !transformers->empty())
    throw d.unsupported("its files are transformed in a way that is not read here");
}

void takeNames(const json& list, ZarrArray& array) {
  if (!list.is_array() || list.size() != array.shape.size()) return;
  for (const json& name : list) array.names.push_back(name.is_string() ? name.get<std::string>() : std::string());
}

// zarr.json
ZarrArray thirdArray(const Described& d, const std::string& key) {
  requireKnown(d);
  ZarrArray array;
  array.key = key;
  array.shape = extentList(d, d.at("shape"), "shape", 0);
  if (array.shape.empty()) throw d.unsupported("it is a single value", "name an array");
  const json& grid = d.at("chunk_grid");
  if (codecName(d, grid) != "regular") throw d.unsupported("its chunks are of different extents");
  array.chunk = extentList(d, configurationOf(grid).value("chunk_shape", json()), "chunk_shape", array.shape.size());
  takeType(d, d.at("data_type"), true, array);
  takeFill(d, array);
  const json& keys = d.at("chunk_key_encoding");
  const std::string encoding = codecName(d, keys);
  if (encoding != "default" && encoding != "v2") throw d.unsupported("the keys of its chunks are coded by " + encoding);
  const bool usual = encoding == "default";
  array.separator = separatorOf(d, configurationOf(keys).value("separator", json(usual ? "/" : ".")));
  if (usual) array.prefix = std::string("c") + array.separator;
  takeCodecs(d, array);
  if (const auto names = d.text.find("dimension_names"); names != d.text.end()) takeNames(*names, array);
  return array;
}

}  // namespace

std::string ZarrArray::chunkKey(const std::vector<std::int64_t>& place) const {
  std::string text = prefix;
  for (std::size_t a = 0; a < place.size(); ++a) {
    if (a > 0) text += separator;
    text += std::to_string(place[a]);
  }
  return joinedKey(key, text);
}

std::optional<ZarrNode> zarrNodeOf(const ZarrStore& store, const std::string& key) {
  ZarrNode node;
  const std::string third = joinedKey(key, "zarr.json"), shown = store.shown(key);
  if (const auto text = readJson(store, third)) {
    const Described d{*text, shown};
    if (d.at("zarr_format") != 3) throw d.unsupported("its zarr_format is none that is known here");
    node.version = 3;
    if (const auto attributes = text->find("attributes"); attributes != text->end() && attributes->is_object())
      node.attributes = *attributes;
    const std::string& kind = needText(d, d.at("node_type"), "node_type");
    if (kind == "array") {
      node.array = thirdArray(d, key);
    } else if (kind != "group") {
      throw d.unsupported("it is neither a group nor an array");
    }
    return node;
  }
  const auto array = readJson(store, joinedKey(key, ".zarray"));
  auto attributes = readJson(store, joinedKey(key, ".zattrs"));
  const auto group = readJson(store, joinedKey(key, ".zgroup"));
  if (!array && !attributes && !group) return std::nullopt;
  if (attributes) node.attributes = std::move(*attributes);
  for (const auto* text : {&array, &group})
    if (*text && (*text)->value("zarr_format", json(2)) != 2)
      throw damaged(shown, "its zarr_format is not that of its files");
  if (array) {
    node.array = secondArray({*array, shown}, key);
    takeNames(node.attributes.value("_ARRAY_DIMENSIONS", json()), *node.array);
  }
  return node;
}

}  // namespace sscope::io
