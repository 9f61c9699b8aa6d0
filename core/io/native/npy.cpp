#include "core/io/native/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/selection.h"
#include "core/io/base/sniff.h"
#include "core/io/native/zip_archive.h"
#include "core/io/planes/voxel_bytes.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

constexpr std::size_t kNpyStart = 12;  // of a header of version 2, before its text
constexpr std::size_t kLongestNpyHeader = std::size_t{1} << 20;
constexpr std::string_view kNpySuffix = ".npy";

struct NpyArray {
  Stored type = Stored::u8;
  bool swapped = false, complex = false, firstFastest = false;
  std::vector<std::int64_t> shape;
  std::int64_t offset = 0;  // of its values
};

// The dictionary of a header as Python writes it: {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
class Dictionary {
 public:
  Dictionary(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void read(NpyArray& array) {
    require('{');
    std::string seen;
    while (!take('}')) {
      const std::string key = text();
      require(':');
      if (key == "descr") {
        typeOf(text(), array);
      } else if (key == "fortran_order") {
        array.firstFastest = truth();
      } else if (key == "shape") {
        array.shape = whole();
      } else {
        fail();
      }
      seen += key.front();
      if (!take(',')) {
        require('}');
        break;
      }
    }
    std::sort(seen.begin(), seen.end());
    if (seen != "dfs") fail();
  }

 private:
  [[noreturn]] void fail() const { throw damaged(path_, "the description of its array is invalid"); }

  bool take(char c) {
    at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size());
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void require(char c) {
    if (!take(c)) fail();
  }

  std::string text() {
    if (take('['))
      throw cannotRead(ErrorKind::Unsupported, path_, "its values are records of several fields",
                       "save one of the fields alone");
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"') require('"');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos || end == at_) fail();
    const std::string result(text_.substr(at_, end - at_));
    at_ = end + 1;
    return result;
  }

  bool truth() {
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
      if (take(word.front())) {
        if (text_.substr(at_ - 1, word.size()) != word) fail();
        at_ += word.size() - 1;
        return value;
      }
    fail();
  }

  std::vector<std::int64_t> whole() {
    std::vector<std::int64_t> numbers;
    require('(');
    while (!take(')')) {
      std::int64_t number = -1;
      const auto [end, code] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (code != std::errc{} || number < 0 || numbers.size() == 64) fail();
      at_ = static_cast<std::size_t>(end - text_.data());
      take('L');  // of Python 2
      numbers.push_back(number);
      if (!take(',')) {
        require(')');
        break;
      }
    }
    return numbers;
  }

  void typeOf(const std::string& word, NpyArray& array) const {
    struct Row {
      std::string_view name;
      Stored type;
      bool complex = false;
    };
    constexpr Row kTypes[] = {{"b1", Stored::u8},        {"u1", Stored::u8},        {"i1", Stored::i8},
                              {"u2", Stored::u16},       {"i2", Stored::i16},       {"u4", Stored::u32},
                              {"i4", Stored::i32},       {"u8", Stored::u64},       {"i8", Stored::i64},
                              {"f2", Stored::f16},       {"f4", Stored::f32},       {"f8", Stored::f64},
                              {"c8", Stored::f32, true}, {"c16", Stored::f64, true}};
    constexpr bool kBig = std::endian::native == std::endian::big;
    const bool ordered = word.find_first_of("<>|=") == 0;
    const std::string_view name = std::string_view(word).substr(ordered ? 1 : 0);
    for (const Row& row : kTypes)
      if (row.name == name) {
        array.type = row.type;
        array.complex = row.complex;
        array.swapped = bytesOf(row.type) > 1 && word.front() == (kBig ? '<' : '>');
        return;
      }
    throw cannotRead(ErrorKind::Unsupported, path_, "its values are of NumPy's type " + printable(word),
                     "save it as one of bool, (u)int8 to 64, float16 to 64, complex64 and 128");
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

// `head`: the first bytes of the array's file, as many as there are up to kLongestNpyHeader.
NpyArray parseNpy(std::string_view head, const std::string& path) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(head[i])); };
  if (head.size() < kNpyStart || !head.starts_with(kNpyMagic))
    throw damaged(path, "it is cut off or damaged: it does not begin as an array of NumPy does");
  const bool brief = byte(6) == 1;
  const std::size_t bytes = byte(8) | byte(9) << 8 | (brief ? 0 : byte(10) << 16 | byte(11) << 24);
  const std::size_t begin = brief ? 10 : kNpyStart;
  if (bytes > head.size() - begin) throw damaged(path, "it is cut off: the description of its array is not all there");
  NpyArray array;
  Dictionary(head.substr(begin, bytes), path).read(array);
  array.offset = static_cast<std::int64_t>(begin + bytes);
  std::int64_t longest = 0;
  for (const std::int64_t extent : array.shape) {
    longest += extent > 1 ? 1 : 0;
    if (extent == 0) throw cannotRead(ErrorKind::Unsupported, path, "its array is empty", "save one that has elements");
  }
  if (longest < 2) array.firstFastest = false;
  return array;
}

LocatedVolume describeNpy(const NpyArray& array, const std::string& path) {
  constexpr std::size_t kMostNpyAxes = 5;
  std::vector<std::int64_t> shape = array.shape;
  while (shape.size() > kMostNpyAxes && shape.front() == 1) shape.erase(shape.begin());
  if (shape.size() > kMostNpyAxes)
    throw cannotRead(ErrorKind::Unsupported, path, "its array has " + std::to_string(shape.size()) + " axes",
                     "save a part of it: x; y, x; z, y, x; time, z, y, x; or time, z, y, x, component");
  if (shape.size() < kMostNpyAxes) {
    shape.push_back(1);
    shape.insert(shape.begin(), kMostNpyAxes - shape.size(), 1);
  }
  double components = array.complex ? 2 : 1;
  components *= static_cast<double>(shape[0]) * static_cast<double>(shape[4]);
  for (const std::int64_t extent : shape)
    if (extent > std::int64_t{1} << 40) requireMemory(path, 0x1p62, 0);
  if (components > 1 << 24) throw damaged(path, "it claims too many components");
  LocatedVolume located;
  VolumeInfo& info = located.info;
  info.shape = {shape[3], shape[2], shape[1], static_cast<int>(components)};
  takeStored(located, array.type, info.shape.components / shape[0]);
  info.geometry.unit.clear();
  info.metadata.inSpace = false;
  info.geometry.steps.fill(StepSource::Assumed);
  info.metadata.frames = static_cast<int>(shape[0]);
  info.format = "NumPy";
  if (shape[0] > 1)
    info.notices.push_back(heldAsComponents("the " + std::to_string(shape[0]) + " frames (its first axis)"));
  requireMemory(path, claimedBytes(info), 0);
  located.voxels.file = path;
  located.voxels.offset = array.offset;
  located.voxels.swapped = array.swapped;
  return located;
}

// The values with the last index fastest, where the first one was.
std::vector<std::byte> reordered(const NpyArray& array, std::span<const std::byte> values, std::size_t bytes,
                                 const Control& control) {
  const std::size_t axes = array.shape.size();
  std::vector<std::size_t> step(axes), index(axes, 0), extent(array.shape.begin(), array.shape.end());
  for (std::size_t a = 0, product = bytes; a < axes; product *= extent[a++]) step[a] = product;
  std::vector<std::byte> result(values.size());
  const std::size_t row = extent.back();
  std::size_t from = 0;
  for (std::size_t done = 0; done < values.size();) {
    control.check();
    for (std::size_t i = 0; i < row; ++i, done += bytes)
      std::memcpy(result.data() + done, values.data() + from + i * step.back(), bytes);
    for (std::size_t a = axes - 1; a-- > 0;) {
      from += step[a];
      if (++index[a] < extent[a]) break;
      from -= step[a] * extent[a];
      index[a] = 0;
    }
  }
  return result;
}

// The texts of our own archives.
struct OwnTexts {
  std::string provenance, meaning;
};

struct ChosenMember {
  ZipMember member;
  std::vector<std::string> notices;
  OwnTexts texts;
};

// The ASCII text in an array of one text; nothing where it is another kind of array.
std::optional<std::string> npyTextIn(const std::string& path, const ZipMember& member) {
  constexpr std::size_t kWide = 4, kHead = 1024;
  const std::string head = zipMemberHead(path, member, kHead);
  const bool cut = head.size() < kNpyStart || !head.starts_with(kNpyMagic);
  if (!cut && head.find("'<U") == std::string::npos) return std::nullopt;
  if (member.bytes > static_cast<std::int64_t>(kWide * kLongestProvenance + kHead)) return unreadable("it is too long");
  std::vector<std::byte> bytes;
  try {
    if (!cut) bytes = readZipMember(path, member, {});
  } catch (const Error&) {
    // A damaged member is reported like one that is cut off.
  }
  if (bytes.size() < kNpyStart) return unreadable("its array is damaged");
  const std::size_t begin = 10 + (std::to_integer<std::size_t>(bytes[8]) | std::to_integer<std::size_t>(bytes[9]) << 8);
  std::string text;
  for (std::size_t at = begin; at + kWide <= bytes.size(); at += kWide) text += static_cast<char>(bytes[at]);
  return text;
}

// The arrays of an archive; `texts` gets the texts of our own archives, which are about "arr_0".
std::vector<ZipMember> arraysOf(const std::string& path, OwnTexts* texts = nullptr) {
  std::vector<ZipMember> members = zipMembers(path);
  std::erase_if(members, [](const ZipMember& m) { return !m.name.ends_with(kNpySuffix); });
  for (const std::string_view name : {kNpzProvenance, kNpzMeaning}) {
    const auto found = std::ranges::find(members, name, &ZipMember::name);
    if (found == members.end() || members.size() == 1) continue;
    const auto text = npyTextIn(path, *found);
    if (!text) continue;
    if (texts != nullptr) (name == kNpzMeaning ? texts->meaning : texts->provenance) = *text;
    members.erase(found);
  }
  if (members.empty())
    throw cannotRead(ErrorKind::Unsupported, path, "it is an archive without arrays of NumPy", "unpack it first");
  return members;
}

// Some archives also hold Python objects: these are never the usual part.
std::vector<FilePart> partsOfMembers(const std::string& path, const std::vector<ZipMember>& members) {
  constexpr std::size_t kLongHead = std::size_t{1} << 16;
  std::vector<FilePart> parts;
  bool found = false;
  for (const ZipMember& member : members) {
    FilePart part{"@array=" + quotedName(member.name.substr(0, member.name.size() - kNpySuffix.size())), {}, {}, {}};
    bool numbers = true;
    try {
      const NpyArray array = parseNpy(zipMemberHead(path, member, kLongHead), path);
      part.extents.assign(array.shape.rbegin(), array.shape.rend());
      part.type = array.complex ? "complex" : std::string(toString(array.type));
    } catch (const Error& error) {  // reading the array reports why
      numbers = error.kind() != ErrorKind::Unsupported;
    }
    part.usual = numbers && !std::exchange(found, found || numbers);
    parts.push_back(std::move(part));
  }
  if (!found) parts.front().usual = true;  // its error says what is wrong
  return parts;
}

ChosenMember chooseMember(const Selection& file) {
  ChosenMember result;
  std::vector<ZipMember> members = arraysOf(file.path, &result.texts);
  std::size_t chosen = 0;
  if (members.size() > 1 || !file.array.empty())
    chosen = choosePart({file.path, "the file holds", "arrays"}, partsOfMembers(file.path, members), file.part(),
                        result.notices);
  result.member = std::move(members[chosen]);
  if (result.member.name != kNpzValues) result.texts = {};  // they are about another array
  result.member.name.resize(result.member.name.size() - kNpySuffix.size());
  return result;
}

bool isArchive(const InputFile& file) { return file.head().starts_with("PK"); }

void takeTexts(const OwnTexts& texts, VolumeInfo& info) {
  takeMeaning(texts.meaning, info);
  takeProvenance(texts.provenance, info);
}

// The values of an array that is read whole: `bytes` begins with its header.
std::vector<std::byte> valuesOf(std::vector<std::byte> bytes, const NpyArray& array, std::int64_t size,
                                const Control& control) {
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(array.offset));
  bytes.resize(static_cast<std::size_t>(size));
  if (!array.firstFastest) return bytes;
  return reordered(array, bytes, bytesOf(array.type) * (array.complex ? 2 : 1), control);
}

LocatedVolume locateMember(const Selection& selection) {
  const std::string& path = selection.path;
  const ChosenMember chosen = chooseMember(selection);
  const ZipMember member = chosen.member;
  const NpyArray array = parseNpy(zipMemberHead(path, member, kLongestNpyHeader), path);
  LocatedVolume located = describeNpy(array, path);
  const std::int64_t size = located.voxels.bytes();
  if (member.bytes - array.offset < size) throw damaged(path, "its array " + printable(member.name) + " is cut off");
  requireMemory(path, 3 * static_cast<double>(member.bytes), 0);
  takeTexts(chosen.texts, located.info);
  located.info.notices.insert(located.info.notices.begin(), chosen.notices.begin(), chosen.notices.end());
  located.voxels.offset += member.offset;
  located.make = [path, member, array, size](const Control& control) {
    return valuesOf(readZipMember(path, member, control), array, size, control);
  };
  if (member.packed)
    located.onlyWhole = "its array is compressed";
  else if (array.firstFastest)
    located.onlyWhole = "the first axis of its array is the fastest";
  return located;
}

}  // namespace

LocatedVolume locateNpy(const Selection& selection, const InputFile& file) {
  if (isArchive(file)) return locateMember(selection);
  const std::string& path = file.path();
  const NpyArray array = parseNpy(file.text(0, kLongestNpyHeader), path);
  LocatedVolume located = describeNpy(array, path);
  const std::int64_t end = array.offset + located.voxels.bytes();
  if (file.bytes() > end)
    located.info.notices.emplace_back("it is longer than its description states; the rest is ignored");
  if (!array.firstFastest) return located;
  located.onlyWhole = "the first axis of its array is the fastest";
  const StoredVoxels voxels = located.voxels;
  requireMemory(path, 3 * static_cast<double>(voxels.bytes()), 0);
  located.make = [path, voxels, array](const Control& control) {
    std::vector<std::byte> values(static_cast<std::size_t>(voxels.bytes()));
    storedBytes(path, voxels)->read(0, values, control);
    return reordered(array, values, bytesOf(array.type) * (array.complex ? 2 : 1), control);
  };
  return located;
}

std::vector<FilePart> partsOfNpy(const InputFile& file) {
  return isArchive(file) ? partsOfMembers(file.path(), arraysOf(file.path())) : std::vector<FilePart>();
}

}  // namespace sscope::io
