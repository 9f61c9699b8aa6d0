#include "core/io/zarr/zarr_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/words.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/selection.h"
#include "core/volume/geometry.h"
#include "core/volume/provenance.h"

namespace sscope::io {

using nlohmann::json;

namespace {

constexpr std::size_t kMostZarrImages = 4096;

// A member that is a list or an object; else an empty one.
const json& memberOf(const json& object, const char* name) {
  static const json kNone;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return object.is_object() && found != object.end() ? *found : kNone;
}

std::string memberText(const json& object, const char* name) {
  const json& value = memberOf(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

// Since 0.5 all of it is in one member.
const json& omeOf(const json& attributes) {
  const json& ome = memberOf(attributes, "ome");
  return ome.is_object() ? ome : attributes;
}

// An image of the store that may be chosen.
struct ZarrPlace {
  std::string key;       // of the group, or of an array
  std::size_t part = 0;  // of the group's multiscales
};

bool hasImages(const json& ome) {
  const json& list = memberOf(ome, "multiscales");
  return list.is_array() && !list.empty();
}

std::vector<std::string> pathsIn(const json& list) {
  std::vector<std::string> paths;
  for (const json& each : list.is_array() ? list : json::array()) {
    std::string path = each.is_string() ? each.get<std::string>() : memberText(each, "path");
    if (!path.empty() && paths.size() < kMostZarrImages) paths.push_back(std::move(path));
  }
  return paths;
}

// Empty where it is none, or damaged.
std::optional<ZarrNode> tryNode(const ZarrStore& store, const std::string& key) {
  try {
    return zarrNodeOf(store, key);
  } catch (const Error&) {
    return std::nullopt;
  }
}

class ZarrPlaces {
 public:
  ZarrPlaces(const ZarrStore& store, const std::string& key) : store_(store) {
    const auto node = zarrNodeOf(store, key);
    if (!node)
      throw Error(ErrorKind::Usage, printable("cannot read " + store.shown(key) + ": there is no array and no group"),
                  "name one that there is");
    const json& ome = omeOf(node->attributes);
    if (node->array) {
      all_.push_back({key, 0});
    } else if (hasImages(ome)) {
      for (std::size_t k = 0; k < std::min(memberOf(ome, "multiscales").size(), kMostZarrImages); ++k)
        all_.push_back({key, k});
    } else if (!memberOf(ome, "plate").is_null()) {
      for (const std::string& well : pathsIn(memberOf(memberOf(ome, "plate"), "wells"))) addWell(joinedKey(key, well));
    } else if (!memberOf(ome, "well").is_null()) {
      addWell(key);
    } else if (const auto labels = pathsIn(memberOf(ome, "labels")); !labels.empty()) {
      for (const std::string& name : labels) all_.push_back({joinedKey(key, name), 0});
    } else {
      addFolders(key, !memberOf(ome, "bioformats2raw.layout").is_null());
    }
  }

  [[nodiscard]] const std::vector<ZarrPlace>& all() const { return all_; }
  [[nodiscard]] bool arrays() const { return arrays_; }  // of which nobody says that they belong together

 private:
  void addWell(const std::string& key) {
    const auto node = tryNode(store_, key);
    if (!node) return;
    for (const std::string& path : pathsIn(memberOf(memberOf(omeOf(node->attributes), "well"), "images")))
      if (all_.size() < kMostZarrImages) all_.push_back({joinedKey(key, path), 0});
  }

  // Of Bio-Formats: series 0, 1, 2, listed in OME or not. Else what is there.
  void addFolders(const std::string& key, bool ofBioFormats) {
    if (ofBioFormats)
      if (const auto list = tryNode(store_, joinedKey(key, "OME")))
        for (const std::string& path : pathsIn(memberOf(omeOf(list->attributes), "series")))
          all_.push_back({joinedKey(key, path), 0});
    if (!all_.empty()) return;
    for (const std::string& name : store_.names(key)) {
      const std::string child = joinedKey(key, name);
      const auto node = tryNode(store_, child);
      if (!node) continue;
      if (node->array || hasImages(omeOf(node->attributes))) all_.push_back({child, 0});
      arrays_ = arrays_ || node->array;
    }
  }

  const ZarrStore& store_;
  std::vector<ZarrPlace> all_;
  bool arrays_ = false;
};

// A list of numbers, one for each axis.
std::vector<double> axisNumbers(const json& list, std::size_t axes, const std::string& shown) {
  if (!list.is_array() || list.size() != axes)
    throw damaged(shown, "a transformation of its coordinates has not one number for each of its " +
                             std::to_string(axes) + " axes");
  std::vector<double> numbers;
  for (const json& each : list) {
    if (!each.is_number() || !std::isfinite(each.get<double>()))
      throw damaged(shown, "a transformation of its coordinates is no list of numbers");
    numbers.push_back(each.get<double>());
  }
  return numbers;
}

// Transformations one after the other. True: there were some.
bool transformAxes(const json& list, ZarrImage& image, const std::string& shown) {
  if (!list.is_array()) return false;
  bool some = false;
  for (const json& each : list) {
    const std::string kind = memberText(each, "type");
    const bool scales = kind == "scale";
    if (kind == "identity") continue;
    if (!memberOf(each, "path").is_null() || (!scales && kind != "translation")) {
      image.notices.push_back("its coordinates are transformed in a way that is not read here (" +
                              printable(kind.substr(0, 64)) + "), which is left out");
      continue;
    }
    const auto numbers = axisNumbers(memberOf(each, kind.c_str()), image.axes.size(), shown);
    for (std::size_t a = 0; a < numbers.size(); ++a) {
      if (scales) image.axes[a].scale *= numbers[a];
      image.axes[a].translation =
          scales ? image.axes[a].translation * numbers[a] : image.axes[a].translation + numbers[a];
    }
    some = some || scales;
  }
  return some;
}

struct AxisWord {
  std::string name, type, unit;
};

std::vector<AxisWord> axisWords(const json& list) {
  std::vector<AxisWord> words;
  for (const json& each : list.is_array() ? list : json::array())
    words.push_back(each.is_string()
                        ? AxisWord{each.get<std::string>(), {}, {}}
                        : AxisWord{memberText(each, "name"), memberText(each, "type"), memberText(each, "unit")});
  return words;
}

std::optional<ZarrRole> roleOf(const AxisWord& word) {
  constexpr std::pair<std::string_view, ZarrRole> kNames[] = {{"x", ZarrRole::x},
                                                              {"y", ZarrRole::y},
                                                              {"z", ZarrRole::z},
                                                              {"t", ZarrRole::time},
                                                              {"time", ZarrRole::time},
                                                              {"c", ZarrRole::channel},
                                                              {"channel", ZarrRole::channel}};
  if (word.type == "time") return ZarrRole::time;
  if (word.type == "channel") return ZarrRole::channel;
  for (const auto& [name, role] : kNames)
    if (word.name.size() == name.size() &&
        std::ranges::equal(word.name, name, {}, [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }))
      return role;
  return std::nullopt;
}

// The axes of an array by their names; where these say nothing, the last three are z, y and x.
std::vector<ZarrAxis> namedAxes(const std::vector<AxisWord>& words, const std::string& shown) {
  std::vector<ZarrAxis> axes(words.size());
  std::array<int, 5> count{};
  std::vector<bool> known(words.size());
  for (std::size_t a = 0; a < words.size(); ++a) {
    axes[a].unit = words[a].unit;
    const auto role = roleOf(words[a]);
    known[a] = role.has_value();
    if (role) ++count[static_cast<std::size_t>(axes[a].role = *role)];
  }
  for (std::size_t role = 0; role + 1 < count.size(); ++role)
    if (count[role] > 1) throw damaged(shown, "two of its axes have the same name");
  std::size_t next = 0;  // x, y, z: those that no name took
  for (std::size_t a = words.size(); a-- > 0;) {
    if (known[a] || (!words[a].type.empty() && words[a].type != "space")) continue;
    while (next < 3 && count[next] > 0) ++next;
    if (next == 3) break;
    axes[a].role = static_cast<ZarrRole>(next++);
  }
  return axes;
}

std::vector<std::string> channelNames(const json& ome) {
  std::vector<std::string> names;
  const json& channels = memberOf(memberOf(ome, "omero"), "channels");
  for (const json& channel : channels.is_array() ? channels : json::array())
    if (names.size() < kMostZarrImages) names.push_back(printable(memberText(channel, "label")));
  return names;
}

ZarrImage plainImage(const ZarrStore& store, ZarrNode node, const std::string& key) {
  ZarrImage image;
  image.format = "Zarr " + std::to_string(node.version) + " array";
  image.array = std::move(*node.array);
  std::vector<AxisWord> words(image.array.shape.size());
  for (std::size_t a = 0; a < image.array.names.size(); ++a) words[a].name = image.array.names[a];
  image.axes = namedAxes(words, store.shown(key));
  return image;
}

// Labels that belong to an image lie in a group of it.
void noteLabels(const ZarrStore& store, const std::string& key, ZarrImage& image) {
  const auto node = tryNode(store, joinedKey(key, "labels"));
  const auto names = node ? pathsIn(memberOf(omeOf(node->attributes), "labels")) : std::vector<std::string>();
  if (names.empty()) return;
  image.notices.push_back(
      "it has labels, to be read as " + printable(store.shown(joinedKey(key, "labels/" + names.front()))) +
      (names.size() > 1 ? " and " + counted(static_cast<std::int64_t>(names.size()) - 1, "other") : ""));
}

ZarrImage multiscaleImage(const ZarrStore& store, const ZarrNode& group, const ZarrPlace& place, int level) {
  const std::string shown = store.shown(place.key);
  const json& ome = omeOf(group.attributes);
  const json& scales = memberOf(ome, "multiscales").at(place.part);
  const json& datasets = memberOf(scales, "datasets");
  if (!datasets.is_array() || datasets.empty()) throw damaged(shown, "its multiscales name no array");
  if (static_cast<std::size_t>(level) >= datasets.size())
    throw Error(
        ErrorKind::Usage,
        printable(shown + " has no level " + std::to_string(level) + ": it has " + std::to_string(datasets.size())),
        "count from 0, the full resolution");
  const json& dataset = datasets[static_cast<std::size_t>(level)];
  const std::string key = joinedKey(place.key, memberText(dataset, "path"));
  auto node = zarrNodeOf(store, key);
  if (!node || !node->array)
    throw damaged(shown, "its array " + printable(memberText(dataset, "path")) + " is missing");
  ZarrImage image;
  image.array = std::move(*node->array);
  image.levels = datasets.size();
  std::string version = memberText(scales, "version");
  if (version.empty()) version = memberText(ome, "version");
  image.format = "OME-Zarr" + (version.empty() ? std::string() : " " + printable(version.substr(0, 16)));
  std::vector<AxisWord> words = axisWords(memberOf(scales, "axes"));
  const std::size_t count = image.array.shape.size();
  // Before 0.3 there were five, and nobody said so.
  if (words.empty() && count == 5)
    for (const char* name : {"t", "c", "z", "y", "x"}) words.push_back({name, {}, {}});
  if (words.size() != count)
    throw damaged(shown,
                  "it names " + std::to_string(words.size()) + " axes, and its array has " + std::to_string(count));
  image.axes = namedAxes(words, shown);
  const bool own = transformAxes(memberOf(dataset, "coordinateTransformations"), image, shown),
             common = transformAxes(memberOf(scales, "coordinateTransformations"), image, shown);
  image.placed = own || common;
  const json& ours = memberOf(scales, "metadata");
  image.assumed = memberText(ours, "assumed_steps");
  image.valueUnit = memberText(ours, "value_unit");
  image.inSpace = memberText(ours, "space") == "LPS";
  if (const json& made = memberOf(ours, "provenance"); !made.is_null()) image.provenance = made.dump();
  image.channels = channelNames(ome);
  image.labels = memberOf(ome, "image-label").is_object();
  if (!image.labels) noteLabels(store, place.key, image);
  image.reduced = level > 0;
  if (image.reduced)
    image.notices.push_back("this is level " + std::to_string(level) + " of 0 to " +
                            std::to_string(datasets.size() - 1));
  return image;
}

// As parts to choose; the first ones with what has to be read for it.
std::vector<FilePart> partsIn(const ZarrStore& store, const ZarrPlaces& places) {
  constexpr std::size_t kShown = 12;
  std::vector<FilePart> parts;
  for (const ZarrPlace& place : places.all()) {
    FilePart& part = parts.emplace_back();
    part.selector = places.arrays() ? ":/" + quotedName(place.key) : "@series=" + std::to_string(parts.size());
    part.title = places.arrays() ? "" : "/" + place.key;
    part.usual = !places.arrays() && parts.size() == 1;
    if (parts.size() > kShown) continue;
    try {
      const auto node = zarrNodeOf(store, place.key);
      if (!node) continue;
      const ZarrArray array = node->array ? *node->array : multiscaleImage(store, *node, place, 0).array;
      part.extents.assign(array.shape.rbegin(), array.shape.rend());
      part.type = toString(array.type);
    } catch (const Error&) {
      // Reading it says why.
    }
  }
  return parts;
}

ZarrPlace chooseImage(const ZarrStore& store, const Selection& selection, std::vector<std::string>& notices) {
  const std::string key = selection.dataset.empty() ? std::string() : selection.dataset.substr(1);
  const ZarrPlaces places(store, key);
  if (places.all().empty())
    throw cannotRead(ErrorKind::Empty, store.shown(key), "it holds no image: no array is in it",
                     "name a folder that has one");
  if (places.all().size() == 1 && selection.series <= 1) return places.all().front();
  const std::vector<FilePart> parts = partsIn(store, places);
  std::string selector = selection.series > 0 ? "@series=" + std::to_string(selection.series) : "";
  const auto number = static_cast<std::size_t>(selection.series);
  if (number > 0 && number <= parts.size()) selector = parts[number - 1].selector;
  const PartHolder holder{printable(store.shown(key)), "the store holds", places.arrays() ? "arrays" : "series"};
  return places.all()[choosePart(holder, parts, selector, notices)];
}

}  // namespace

ZarrImage findZarrImage(const ZarrStore& store, const Selection& selection) {
  std::vector<std::string> notices;
  const ZarrPlace place = chooseImage(store, selection, notices);
  auto node = zarrNodeOf(store, place.key);
  if (!node) throw damaged(store.path(), "its image " + printable(place.key) + " is missing");
  const int level = selection.level.value_or(0);
  ZarrImage image;
  if (node->array) {
    if (level > 0)
      throw Error(ErrorKind::Usage, printable(store.shown(place.key)) + " is an array and has no levels",
                  "leave @level out");
    image = plainImage(store, std::move(*node), place.key);
  } else {
    if (!hasImages(omeOf(node->attributes)))
      throw damaged(store.shown(place.key), "it does not describe the images in it");
    image = multiscaleImage(store, *node, place, level);
  }
  image.notices.insert(image.notices.begin(), notices.begin(), notices.end());
  return image;
}

VolumeInfo describeZarr(const ZarrImage& image, const std::string& shown) {
  VolumeInfo info;
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::array<AxisStep, 3> steps;
  std::array<const ZarrAxis*, 3> places{};
  double frames = 1, channels = 1;
  for (std::size_t a = 0; a < image.axes.size(); ++a) {
    const ZarrAxis& axis = image.axes[a];
    const std::int64_t n = image.array.shape[a];
    if (axis.role == ZarrRole::channel) channels *= static_cast<double>(n);
    if (axis.role == ZarrRole::time) {
      frames = static_cast<double>(n);
      info.metadata.frameSeconds = axis.unit.empty() || !(axis.scale > 0) ? 0 : secondsOf(axis.scale, axis.unit);
    }
    if (axis.role > ZarrRole::z) continue;
    const auto s = static_cast<std::size_t>(axis.role);
    const bool known = image.placed && image.assumed.find("xyz"[s]) == std::string::npos;
    extent[s] = n;
    steps[s] = {std::abs(axis.scale), axis.unit, known ? StepSource::Given : StepSource::Assumed};
    places[s] = &axis;
  }
  constexpr double kMostComponents = 1 << 24;
  if (frames * channels > kMostComponents) throw damaged(shown, "it claims too many components");
  info.shape = {extent[0], extent[1], extent[2], static_cast<int>(frames * channels)};
  info.type =
      sameElementType(image.array.type).value_or(image.array.type == Stored::f16 ? ElementType::f32 : ElementType::f64);
  Geometry& g = info.geometry;
  g.unit.clear();
  // An axis that the array lacks is no axis without a unit.
  const auto present = std::ranges::find_if(places, [](const ZarrAxis* axis) { return axis != nullptr; });
  for (std::size_t s = 0; s < 3; ++s)
    if (places[s] == nullptr && present != places.end()) steps[s] = {1, (*present)->unit, StepSource::Assumed};
  setSteps(g, steps);
  for (std::size_t s = 0; s < 3; ++s) {
    if (places[s] == nullptr || !image.placed) continue;
    const bool lengths = millimetersIn(places[s]->unit) && millimetersIn(g.unit);
    g.origin[s] = lengths ? convertLength(places[s]->translation, places[s]->unit, g.unit) : places[s]->translation;
    if (places[s]->scale < 0) g.direction[4 * s] = -1;
  }
  info.metadata.frames = static_cast<int>(frames);
  if (channels > 1 || (image.channels.size() == 1 && !image.channels.front().empty())) {
    info.metadata.channels = image.channels;
    info.metadata.channels.resize(static_cast<std::size_t>(channels));
  }
  info.metadata.labels = image.labels;
  info.format = image.format;
  if (!image.reduced) info.levels = static_cast<int>(image.levels);
  info.notices = image.notices;
  info.metadata.valueUnit = image.valueUnit;
  info.metadata.inSpace = image.inSpace;
  takeProvenance(image.provenance, info);
  const std::string ofFrames = std::to_string(info.metadata.frames) + " time points",
                    ofChannels = std::to_string(static_cast<int>(channels)) + " channels";
  if (frames * channels > 1)
    info.notices.push_back(heldAsComponents("the " + (frames > 1 && channels > 1 ? ofChannels + " of " + ofFrames
                                                      : frames > 1               ? ofFrames
                                                                                 : ofChannels)));
  constexpr double kLarge = 1 << 30;
  if (image.levels > 1 && claimedBytes(info) > kLarge && !image.reduced)
    info.notices.push_back("it has " + std::to_string(image.levels) +
                           " levels: a smaller one opens sooner, as NAME@level=" + std::to_string(image.levels - 1));
  repairGeometry(info);
  return info;
}

std::vector<FilePart> partsOfZarr(const ZarrStore& store, const Selection& selection) {
  return partsIn(store, ZarrPlaces(store, selection.dataset.empty() ? std::string() : selection.dataset.substr(1)));
}

}  // namespace sscope::io
