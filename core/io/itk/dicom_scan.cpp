#include "core/io/itk/dicom_scan.h"

#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmStringFilter.h>
#include <gdcmTrace.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/io/base/file_names.h"
#include "core/io/base/header_text.h"
#include "core/io/base/sniff.h"
#include "core/io/itk/heap_allowance.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

const gdcm::Tag kShared(0x5200, 0x9229), kPerFrame(0x5200, 0x9230), kPosition(0x0020, 0x0032),
    kOrientation(0x0020, 0x0037), kSpacing(0x0028, 0x0030), kDetectors(0x0054, 0x0022);

// Sequences of one item that attributes of frames lie in.
const gdcm::Tag kMacros[] = {
    {0x0020, 0x9113},  // plane position
    {0x0020, 0x9116},  // plane orientation
    {0x0028, 0x9110},  // pixel measures
    {0x0028, 0x9145},  // pixel value transformation
    {0x0028, 0x9132},  // window
    {0x0020, 0x9111},  // frame content
    {0x0020, 0x9310},  // temporal position
    {0x0018, 0x9114},  // echo
    {0x0018, 0x9117},  // diffusion
    {0x0018, 0x9076},  // direction of its gradient
    {0x0018, 0x9118},  // cardiac synchronization
    {0x0018, 0x9226},  // frame type of MR
    {0x0018, 0x9329},  // of CT
};

// "1\0\-2.5" as numbers.
std::vector<double> numbersIn(std::string text) {
  std::replace(text.begin(), text.end(), '\\', ' ');
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double value = 0; stream >> value;) numbers.push_back(value);
  return numbers;
}

// HHMMSS.F, perhaps behind a date.
double secondsIn(const std::string& text) {
  const std::string digits = text.substr(0, text.find_first_not_of("0123456789"));
  if (digits.size() < 6) return 0;
  const double clock = std::strtod(text.c_str() + (digits.size() - 6), nullptr);
  const double hours = std::floor(clock / 1e4), minutes = std::floor((clock - hours * 1e4) / 1e2);
  return clock - hours * 1e4 - minutes * 1e2 + 60 * minutes + 3600 * hours;
}

using Items = gdcm::SmartPointer<gdcm::SequenceOfItems>;

Items itemsOf(const gdcm::DataSet& set, const gdcm::Tag& tag) {
  return set.FindDataElement(tag) ? set.GetDataElement(tag).GetValueAsSQ() : Items();
}

// The attributes of one frame: its own, those that all frames share, those of the file.
class Attributes {
 public:
  explicit Attributes(const gdcm::File& file) : file_(file) {
    text_.SetFile(file);
    const gdcm::DataSet& all = file.GetDataSet();
    shared_ = itemsOf(all, kShared);
    own_ = itemsOf(all, kPerFrame);
  }

  void choose(std::size_t frame) { frame_ = frame; }
  // Whether the frame has any that others may not have.
  [[nodiscard]] bool ownOnes() const { return own_ != nullptr && frame_ < own_->GetNumberOfItems(); }
  // Whether each frame says by itself where it lies.
  [[nodiscard]] bool placed() const { return own_ != nullptr && !ofFrame(kPosition).empty(); }

  [[nodiscard]] std::string text(const gdcm::Tag& tag) const {
    if (std::string found = ofFrame(tag); !found.empty()) return found;
    const gdcm::DataSet& all = file_.GetDataSet();
    if (all.FindDataElement(tag)) return textOf(all.GetDataElement(tag));
    // Nuclear medicine has places of detectors.
    const bool place = tag == kPosition || tag == kOrientation;
    return place ? inFirst(itemsOf(all, kDetectors), tag) : std::string();
  }
  [[nodiscard]] std::vector<double> numbers(const gdcm::Tag& tag) const { return numbersIn(text(tag)); }
  [[nodiscard]] double number(const gdcm::Tag& tag, double otherwise = 0) const {
    const auto all = numbers(tag);
    return all.empty() || !std::isfinite(all[0]) ? otherwise : all[0];
  }
  template <std::size_t N>
  [[nodiscard]] std::optional<std::array<double, N>> vector(const gdcm::Tag& tag) const {
    const auto all = numbers(tag);
    std::array<double, N> result{};
    if (all.size() < N) return std::nullopt;
    std::copy_n(all.begin(), N, result.begin());
    return result;
  }
  // 16-bit numbers of the file that lie there as they are: vectors of frames, tags.
  [[nodiscard]] std::vector<std::uint16_t> shorts(const gdcm::Tag& tag) const {
    const gdcm::DataSet& all = file_.GetDataSet();
    const gdcm::ByteValue* bytes = all.FindDataElement(tag) ? all.GetDataElement(tag).GetByteValue() : nullptr;
    if (bytes == nullptr) return {};
    std::vector<std::uint16_t> result(bytes->GetLength() / sizeof(std::uint16_t));
    std::memcpy(result.data(), bytes->GetPointer(), result.size() * sizeof(std::uint16_t));
    return result;
  }
  // Of ultrasound: the pixels of the first region that is a picture in centimeters.
  [[nodiscard]] std::optional<std::array<double, 2>> ofRegion() const {
    const Items regions = itemsOf(file_.GetDataSet(), {0x0018, 0x6011});
    if (regions == nullptr || regions->GetNumberOfItems() == 0) return std::nullopt;
    const gdcm::DataSet& region = regions->GetItem(1).GetNestedDataSet();
    std::array<double, 4> values{};  // units and steps along x and y
    for (std::size_t i = 0; i < values.size(); ++i) {
      const gdcm::Tag tag(0x0018, static_cast<std::uint16_t>((i < 2 ? 0x6024 : 0x602c) + 2 * (i % 2)));
      const auto numbers =
          region.FindDataElement(tag) ? numbersIn(text_.ToString(region.GetDataElement(tag))) : std::vector<double>();
      if (!numbers.empty()) values[i] = numbers[0];
    }
    constexpr double kCentimeters = 3;
    if (values[0] != kCentimeters || values[1] != kCentimeters) return std::nullopt;
    return {{10 * std::abs(values[3]), 10 * std::abs(values[2])}};
  }

 private:
  [[nodiscard]] std::string textOf(const gdcm::DataElement& element) const {
    return element.IsEmpty() ? std::string() : trimmed(text_.ToString(element).c_str());
  }
  // Of a set, or of the macros in it. Sequences of implicit type live as long as they are looked into.
  [[nodiscard]] std::string inSet(const gdcm::DataSet& set, const gdcm::Tag& tag, int depth = 0) const {
    if (set.FindDataElement(tag)) return textOf(set.GetDataElement(tag));
    constexpr int kInside = 3;
    for (const gdcm::Tag& macro : kMacros)
      if (std::string found = depth == kInside ? "" : inFirst(itemsOf(set, macro), tag, depth + 1); !found.empty())
        return found;
    return {};
  }
  [[nodiscard]] std::string inFirst(const Items& items, const gdcm::Tag& tag, int depth = 0) const {
    if (items == nullptr || items->GetNumberOfItems() == 0) return {};
    return inSet(items->GetItem(1).GetNestedDataSet(), tag, depth);
  }
  [[nodiscard]] std::string ofFrame(const gdcm::Tag& tag) const {
    if (ownOnes())
      if (std::string found = inSet(own_->GetItem(frame_ + 1).GetNestedDataSet(), tag); !found.empty()) return found;
    return inFirst(shared_, tag);
  }

  const gdcm::File& file_;
  gdcm::StringFilter text_;
  Items shared_, own_;
  std::size_t frame_ = 0;
};

// The first window that it has: center and width are lists of as many.
std::optional<std::array<double, 2>> windowOf(const Attributes& a) {
  const auto center = a.numbers({0x0028, 0x1050}), width = a.numbers({0x0028, 0x1051});
  if (center.empty() || width.empty()) return std::nullopt;
  const std::array<double, 2> window{center[0] - width[0] / 2, center[0] + width[0] / 2};
  const bool good = std::isfinite(window[0]) && std::isfinite(window[1]) && window[0] < window[1];
  return good ? std::optional(window) : std::nullopt;
}

std::optional<std::array<double, 2>> spacingOf(const Attributes& a) {
  const auto usable = [](const auto& s) { return s && std::isfinite((*s)[0]) && (*s)[0] > 0 && (*s)[1] > 0; };
  for (const gdcm::Tag& tag :
       {kSpacing, gdcm::Tag(0x0018, 0x1164), gdcm::Tag(0x0018, 0x2010)})  // at the detector, scanned
    if (const auto spacing = a.vector<2>(tag); usable(spacing)) return spacing;
  if (const auto delta = a.ofRegion(); delta && usable(delta)) return delta;
  return std::nullopt;
}

void takeScale(const Attributes& a, DicomFrame& frame) {
  constexpr double kNone = 0;
  const double dose = a.number({0x3004, 0x000e});
  frame.scale = {a.number({0x0028, 0x1053}, 1), a.number({0x0028, 0x1052})};
  if (dose != kNone) frame.scale = {dose, 0};
  if (frame.scale.slope == kNone) {
    frame.scale.slope = 1;
    frame.notices.emplace_back("its rescale slope is 0, which would make all values equal; 1 is taken");
  }
  const std::string type = a.text({0x0028, 0x1054}), counted = a.text({0x0054, 0x1001});
  const bool scaled = !a.text({0x0028, 0x1053}).empty();
  if (dose != kNone) {
    frame.unit = a.text({0x3004, 0x0002}) == "GY" ? "Gy" : "";
  } else if (!counted.empty()) {
    frame.unit = counted == "BQML" ? "Bq/ml" : counted == "GML" ? "g/ml" : lowerCased(counted);
  } else if (!type.empty() && type != "US") {
    frame.unit = type;
  } else if (frame.modality == "CT" && scaled) {
    frame.unit = "HU";
  }
  if (!scaled && dose == kNone && !a.text({0x0028, 0x3006}).empty())
    frame.notices.emplace_back("a table (modality LUT) gives what its values mean, which is not applied");
}

std::vector<double> keysOf(const Attributes& a) {
  std::vector<double> keys(static_cast<std::size_t>(FrameKey::Count));
  const auto set = [&](FrameKey key, double value) { keys[static_cast<std::size_t>(key)] = value; };
  const auto first = [&](std::initializer_list<gdcm::Tag> tags) {
    for (const gdcm::Tag& tag : tags)
      if (const auto all = a.numbers(tag); !all.empty()) return all[0];
    return 0.0;
  };
  const auto clock = [&](std::initializer_list<gdcm::Tag> tags) {
    for (const gdcm::Tag& tag : tags)
      if (const double seconds = secondsIn(a.text(tag)); seconds > 0) return seconds;
    return 0.0;
  };
  set(FrameKey::TemporalPosition, first({{0x0020, 0x9128}, {0x0020, 0x0100}}));
  set(FrameKey::Acquisition, first({{0x0020, 0x9156}, {0x0020, 0x0012}}));
  set(FrameKey::Echo, first({{0x0018, 0x0086}}));
  set(FrameKey::EchoTime, first({{0x0018, 0x9082}, {0x0018, 0x0081}}));
  set(FrameKey::BValue, first({{0x0018, 0x9087}, {0x0019, 0x100c}, {0x2001, 0x1003}}));  // and of two vendors
  if (const auto gradient = a.vector<3>({0x0018, 0x9089}))
    for (std::size_t i = 0; i < 3; ++i) keys[static_cast<std::size_t>(FrameKey::GradientX) + i] = (*gradient)[i];
  set(FrameKey::TriggerTime, first({{0x0020, 0x9153}, {0x0018, 0x1060}}));
  set(FrameKey::Offset, first({{0x0020, 0x930d}}));
  set(FrameKey::AcquisitionTime, clock({{0x0018, 0x9074}, {0x0008, 0x002a}, {0x0008, 0x0032}}));
  set(FrameKey::ContentTime, clock({{0x0018, 0x9151}, {0x0008, 0x0033}}));
  return keys;
}

// Of frames that do not say it themselves: places by offsets (of doses) or by the numbers of slices (of nuclear
// medicine), whose other numbers are keys; or points in time.
void takeVectors(const Attributes& a, DicomFrame& frame) {
  const auto along = [&](double distance) {
    if (!frame.position || !frame.orientation) return;
    const auto& o = *frame.orientation;
    (*frame.position)[0] += distance * (o[1] * o[5] - o[2] * o[4]);
    (*frame.position)[1] += distance * (o[2] * o[3] - o[0] * o[5]);
    (*frame.position)[2] += distance * (o[0] * o[4] - o[1] * o[3]);
  };
  if (const auto offsets = a.numbers({0x3004, 0x000c}); offsets.size() == frame.of)
    return along(offsets[frame.index] - offsets[0]);
  const auto pointers = a.shorts({0x0028, 0x0009});
  bool sliced = false, timed = false;
  for (std::size_t i = 0; i + 1 < pointers.size(); i += 2) {
    const gdcm::Tag tag(pointers[i], pointers[i + 1]);
    timed = timed || tag == gdcm::Tag(0x0018, 0x1063) || tag == gdcm::Tag(0x0018, 0x1065);
    const auto vector = a.shorts(tag);
    if (pointers[i] != 0x0054 || vector.size() < frame.of) continue;
    if (tag == gdcm::Tag(0x0054, 0x0080)) {
      sliced = true;
      along(a.number({0x0018, 0x0088}, 1) * (vector[frame.index] - 1));
    } else {
      frame.keys.push_back(vector[frame.index]);
    }
  }
  if (sliced) return;
  if (frame.index > 0) frame.position.reset();  // it is that of the first frame
  const double milliseconds = a.number({0x0018, 0x1063});
  frame.inTime = timed || milliseconds > 0;
  frame.frameSeconds = std::max(0.0, milliseconds / 1000);
}

DicomFrame frameOf(const Attributes& a, const std::string& file, std::size_t index, std::size_t count) {
  DicomFrame frame;
  frame.file = file;
  frame.index = index;
  frame.of = count;
  frame.instance = a.text({0x0008, 0x0018});
  frame.position = a.vector<3>(kPosition);
  frame.orientation = a.vector<6>(kOrientation);
  frame.spacing = spacingOf(a);
  frame.window = windowOf(a);
  frame.modality = a.text({0x0008, 0x0060});
  frame.gap = std::abs(a.number({0x0018, 0x0088}));
  frame.keys = keysOf(a);
  const std::string type = a.text({0x0008, 0x9007});
  frame.kind = type.empty() ? a.text({0x0008, 0x0008}) : type;
  frame.number = a.number({0x0020, 0x0013});
  takeScale(a, frame);
  for (const double value : a.numbers({0x0020, 0x9157})) frame.keys.push_back(value);
  if (frame.kind.find("MOSAIC") != std::string::npos)
    frame.notices.emplace_back("the picture is a mosaic of slices, which are not taken apart (dcm2niix does it)");
  if (count > 1 && !a.text({0x0048, 0x0006}).empty())
    frame.notices.emplace_back("its frames are tiles of a larger picture, which are not put together");
  // What of the picture decides how it is stored, photometric interpretation to sign.
  for (const std::uint16_t element : std::initializer_list<std::uint16_t>{0x0004, 0x0100, 0x0101, 0x0102, 0x0103})
    frame.format += a.text({0x0028, element}) + "|";
  constexpr double kLongest = 65535;
  const auto edge = [&](std::uint16_t element) {
    return static_cast<std::int64_t>(std::clamp(a.number({0x0028, element}), 0.0, kLongest));
  };
  frame.size = {edge(0x0011), edge(0x0010)};
  const double bits = a.number({0x0028, 0x0100});
  if (bits >= 1 && bits <= 64)
    frame.stored = (a.number({0x0028, 0x0103}) > 0 ? "i" : "u") + std::to_string(static_cast<int>(bits));
  return frame;
}

// Whether the frames lie in parallel planes with rows in the same direction and pixels of the same size; what has no
// orientation is with its like.
template <std::size_t N>
bool alike(const std::optional<std::array<double, N>>& a, const std::optional<std::array<double, N>>& b,
           double tolerance) {
  if (!a || !b) return a.has_value() == b.has_value();
  for (std::size_t i = 0; i < N; ++i)
    if (!(std::abs((*a)[i] - (*b)[i]) <= tolerance)) return false;
  return true;
}

bool parallel(const DicomFrame& a, const DicomFrame& b) {
  constexpr double kDirections = 0.01;  // of a unit vector's coordinates: half a degree, more than rounding
  constexpr double kSizes = 1e-3;
  return alike(a.orientation, b.orientation, kDirections) &&
         alike(a.spacing, b.spacing, a.spacing ? kSizes * (*a.spacing)[0] : 0);
}

using Groups = std::map<std::string, std::vector<DicomSeries>>;

void addFile(const std::string& file, Groups& groups) {
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  if (!reader.ReadUpToTag(gdcm::Tag(0x7fe0, 0x0010))) return;
  Attributes a(reader.GetFile());
  const std::string size = a.text({0x0028, 0x0010}) + " " + a.text({0x0028, 0x0011}) + " " + a.text({0x0028, 0x0002});
  if (a.text({0x0028, 0x0010}).empty()) return;
  constexpr double kMostFrames = 1e5;
  const auto count = static_cast<std::size_t>(std::clamp(a.number({0x0028, 0x0008}, 1), 1.0, kMostFrames));
  DicomFrame frame;
  for (std::size_t index = 0; index < count; ++index) {
    a.choose(index);
    if (index == 0 || a.ownOnes()) frame = frameOf(a, file, index, count);
    frame.index = index;
    if (count > 1) frame.number = static_cast<double>(index);
    DicomFrame placed = frame;
    if (count > 1 && !a.placed()) takeVectors(a, placed);
    // A scout view in another size is a series of its own, and so is what lies in other planes or another stack.
    std::vector<DicomSeries>& group = groups[a.text({0x0020, 0x000e}) + " " + size + " " + a.text({0x0020, 0x9056})];
    auto series = std::find_if(group.begin(), group.end(),
                               [&](const DicomSeries& each) { return parallel(each.frames.front(), placed); });
    if (series == group.end()) {
      series = group.insert(group.end(), DicomSeries{});
      series->description = a.text({0x0008, 0x103e});
    }
    series->frames.push_back(std::move(placed));
  }
}

}  // namespace

bool isDicomFile(const std::string& path) {
  try {
    return sniffFormat(path) == FormatId::dicom;
  } catch (const std::exception&) {
    return false;
  }
}

FolderFiles filesBeneath(const std::string& folder, const Control& control) {
  constexpr int kFolders = 4;
  constexpr std::uintmax_t kSmallest = 132;  // shorter ones are none, nor are the endless ones of the system
  FolderFiles found;
  std::size_t entries = 0;
  struct Folder {
    fs::path path;
    int depth;
  };
  // The nearest first; one that cannot be read, or goes meanwhile, is left out alone.
  for (std::deque<Folder> folders{{folder, 0}}; !folders.empty() && !found.cut; folders.pop_front()) {
    std::error_code code;
    for (fs::directory_iterator entry(folders.front().path, code); !code && entry != fs::directory_iterator();
         entry.increment(code)) {
      control.check();
      control.report(0, "looking for DICOM files");
      found.cut = ++entries > kMostEntries;
      if (found.cut) break;
      std::error_code unreadable;
      if (entry->is_directory(unreadable) && !entry->is_symlink(unreadable)) {
        if (folders.front().depth < kFolders) folders.push_back({entry->path(), folders.front().depth + 1});
      } else if (entry->is_regular_file(unreadable) && entry->path().filename() != "DICOMDIR" &&
                 entry->file_size(unreadable) >= kSmallest && !unreadable) {
        // The directory of an export holds no picture.
        found.files.push_back(entry->path().string());
      }
    }
  }
  std::sort(found.files.begin(), found.files.end(), naturallyBefore);
  return found;
}

FolderFiles dicomFilesOf(const std::string& folder, const Control& control) {
  const auto other = [&](const std::string& file) {
    control.check();
    control.report(0, "looking for DICOM files");
    return !isDicomFile(file);
  };
  FolderFiles here;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code)) {
    std::error_code unreadable;
    if (entry.is_regular_file(unreadable) && entry.path().filename() != "DICOMDIR" && !other(entry.path().string()))
      here.files.push_back(entry.path().string());
  }
  std::sort(here.files.begin(), here.files.end(), naturallyBefore);
  if (!here.files.empty()) return here;
  FolderFiles beneath = filesBeneath(folder, control);
  std::erase_if(beneath.files, other);
  return beneath;
}

std::vector<DicomSeries> scanDicom(const std::vector<std::string>& files, const Control& control) {
  gdcm::Trace::WarningOff();
  gdcm::Trace::ErrorOff();
  Groups groups;
  for (const std::string& file : files) {
    control.check();
    control.report(0, "reading");
    const HeapAllowance heap(file);
    try {
      addFile(file, groups);
    } catch (const std::exception&) {
      // Damaged: what is named alone is left to the decoder, which says why.
    }
  }
  std::vector<DicomSeries> list;
  for (auto& [key, group] : groups)
    for (DicomSeries& series : group) list.push_back(std::move(series));
  std::stable_sort(list.begin(), list.end(),
                   [](const DicomSeries& a, const DicomSeries& b) { return a.frames.size() > b.frames.size(); });
  return list;
}

}  // namespace sscope::io
