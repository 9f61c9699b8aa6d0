#include "core/volume/selection.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/base/words.h"
#include "core/volume/losses.h"

namespace sscope {

namespace {

// Bytes between two checks of the stop token.
constexpr std::size_t kVoxelsAtOnce = 1 << 16;
constexpr std::string_view kHeld = " are held as components";

[[noreturn]] void refuse(const std::string& name, const std::string& choice) {
  throw Error(
      ErrorKind::Usage, "cannot understand the choice " + choice + " in " + name,
      "write @t=N for a frame, @c=N for a channel (both counted from 0), @series=N (from 1), @level=N (from 0), "
      "@array=NAME, or a "
      "correction: @spacing=0.1x0.1x0.5um, @unit=um, @origin=1x2x3, @axes=t3zyx, @labels=yes, @raw=512x512x300:u16");
}

void take(Selection& selection, const std::string& name, const std::string& choice) {
  const std::size_t equals = choice.find('=');
  if (equals == std::string::npos) refuse(name, choice);
  const std::string key = choice.substr(0, equals), text = choice.substr(equals + 1);
  if (takeCorrection(selection.correction, key, text)) return;
  const auto once = [&](bool before) {
    if (before) throw Error(ErrorKind::Usage, "there are two choices " + key + " in " + name, "remove one of them");
  };
  if (key == "array" && !text.empty()) {
    once(!selection.array.empty());
    selection.array = unquotedName(text);
    return;
  }
  std::int32_t number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number < 0) refuse(name, choice);
  if (key == "t") {
    once(selection.frame.has_value());
    selection.frame = number;
  } else if (key == "c") {
    once(selection.channel.has_value());
    selection.channel = number;
  } else if (key == "level") {
    once(selection.level.has_value());
    selection.level = number;
  } else if (key == "series" && number > 0) {
    once(selection.series != 0);
    selection.series = number;
  } else {
    refuse(name, choice);
  }
}

[[noreturn]] void tooFew(const std::string& path, const char* what, std::int64_t wanted, std::int64_t there) {
  throw Error(ErrorKind::Usage,
              path + " has no " + what + " " + std::to_string(wanted) + ": it has " + std::to_string(there),
              "count from 0");
}

// Counted from 0, as in the selection.
std::string openText(const char* what, std::int64_t chosen, int all) {
  return std::string("this is ") + what + " " + std::to_string(chosen) + " of 0 to " + std::to_string(all - 1);
}

}  // namespace

void Selection::correct(const Correction& now) {
  if (now.axes != correction.axes) frame = channel = std::nullopt;
  correction = now;
}

std::string quotedName(const std::string& name) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  const bool typed = inOneLine(name) == name;
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (c != '@' && c != ',' && c != '%' && byte >= 0x20 && byte != 0x7f && (typed || byte < 0x7f)) {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

std::string unquotedName(const std::string& text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      name += static_cast<char>(byte);
      i += 2;
    } else {
      name += text[i];
    }
  }
  return name;
}

std::string Selection::part() const {
  if (series > 0) return "@series=" + std::to_string(series);
  if (!array.empty()) return "@array=" + quotedName(array);
  return dataset.empty() ? "" : ":" + quotedName(dataset);
}

std::string Selection::name() const {
  std::string choice;
  const auto add = [&choice](const char* key, const std::string& what) {
    choice += std::string(choice.empty() ? "@" : ",") + key + "=" + what;
  };
  if (series > 0) add("series", std::to_string(series));
  if (level) add("level", std::to_string(*level));
  if (!array.empty()) add("array", quotedName(array));
  if (channel) add("c", std::to_string(*channel));
  if (frame) add("t", std::to_string(*frame));
  if (correction.some()) choice += (choice.empty() ? "@" : ",") + correction.text();
  return path + (dataset.empty() ? "" : ":" + quotedName(dataset)) + choice;
}

namespace {

// "x.h5:/entry/data" or "x.h5:entry/data" of an existing file x.h5, "x.zarr:/labels" of an existing folder.
void takeDataset(Selection& selection) {
  std::error_code code;
  if (std::filesystem::exists(selection.path, code)) return;
  for (std::size_t colon = selection.path.find(':'); colon != std::string::npos;
       colon = selection.path.find(':', colon + 1)) {
    if (colon + 1 == selection.path.size() || !std::filesystem::exists(selection.path.substr(0, colon), code)) continue;
    selection.dataset = (selection.path[colon + 1] == '/' ? "" : "/") + unquotedName(selection.path.substr(colon + 1));
    selection.path.resize(colon);
    return;
  }
}

}  // namespace

Selection parseSelection(const std::string& name) {
  Selection selection;
  selection.path = name;
  std::error_code code;
  const std::size_t at = name.rfind('@');
  if (at != std::string::npos && at > 0 && at + 1 < name.size() && name.find('=', at) != std::string::npos &&
      (name.find('/', at) == std::string::npos || name.compare(at + 1, 6, "array=") == 0) &&
      !std::filesystem::exists(name, code)) {
    selection.path = name.substr(0, at);
    for (std::size_t begin = at + 1; begin <= name.size();) {
      const std::size_t end = std::min(name.find(',', begin), name.size());
      take(selection, name, name.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  takeDataset(selection);
  return selection;
}

std::string withFrame(const std::string& name, std::optional<std::int64_t> frame) {
  Selection selection = parseSelection(name);
  selection.frame = frame;
  return selection.name();
}

std::string withPart(const std::string& name, const FilePart& part) {
  Selection selection = parseSelection(name);
  if (part.selector.starts_with(':')) {
    selection.dataset = unquotedName(part.selector.substr(1));
  } else {
    take(selection, name, part.selector.substr(1));
  }
  return selection.name();
}

std::string partSize(const FilePart& part) {
  std::string text;
  for (const std::int64_t extent : part.extents) text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text + (text.empty() || part.type.empty() ? "" : " ") + part.type;
}

std::string partsText(const std::vector<FilePart>& parts) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), kMost); ++i) {
    const std::string& title = parts[i].title;
    const std::string size = partSize(parts[i]);
    text += (i == 0 ? "" : ", ") + parts[i].selector;
    if (!title.empty() || !size.empty())
      text += " (" + title + (title.empty() || size.empty() ? "" : ", ") + size + ")";
  }
  return text + (parts.size() > kMost ? ", ..." : "");
}

ChosenComponents chosenComponents(const Selection& selection, const VolumeInfo& info) {
  const std::int64_t frames = info.metadata.frames, channels = info.shape.components / frames;
  if (selection.frame && *selection.frame >= frames) tooFew(selection.path, "frame", *selection.frame, frames);
  if (selection.channel && *selection.channel >= channels)
    tooFew(selection.path, "channel", *selection.channel, channels);
  if (selection.frame && selection.channel) return {*selection.frame * channels + *selection.channel, 1, 1};
  if (selection.frame) return {*selection.frame * channels, channels, 1};
  return {*selection.channel, frames, channels};
}

std::string heldAsComponents(const std::string& what) { return what + std::string(kHeld); }

VolumeInfo chosenInfo(const Selection& selection, VolumeInfo info, const ChosenComponents& chosen) {
  const int frames = info.metadata.frames, channels = info.shape.components / frames;
  std::erase_if(info.notices, [](const std::string& notice) { return notice.ends_with(kHeld); });
  info.shape.components = static_cast<int>(chosen.count);
  std::vector<std::string> names = info.metadata.channels;
  if (selection.channel && !names.empty()) {
    names = {names.at(static_cast<std::size_t>(*selection.channel))};
    if (names.front().empty()) names.clear();
  }
  info.metadata = selected(info.metadata, !selection.frame);
  info.metadata.channels = std::move(names);
  if (info.metadata.frames > 1) info.notices.push_back(heldAsComponents("the " + std::to_string(frames) + " frames"));
  if (selection.frame && frames > 1) info.notices.push_back(openText("frame", *selection.frame, frames));
  if (selection.channel && channels > 1) info.notices.push_back(openText("channel", *selection.channel, channels));
  return info;
}

void copyChosen(const std::byte* in, std::size_t components, const ChosenComponents& chosen, std::size_t voxels,
                std::size_t bytes, std::byte* out, const Control& control) {
  const auto first = static_cast<std::size_t>(chosen.first), count = static_cast<std::size_t>(chosen.count),
             step = static_cast<std::size_t>(chosen.step);
  for (std::size_t v = 0; v < voxels; ++v) {
    if (v % kVoxelsAtOnce == 0) control.check();
    for (std::size_t k = 0; k < count; ++k)
      std::memcpy(out + (v * count + k) * bytes, in + (v * components + first + k * step) * bytes, bytes);
  }
}

LoadedVolume frameOf(const LoadedVolume& all, std::int64_t frame, const Control& control) {
  Selection selection;
  selection.path = "the series";
  selection.frame = frame;
  const ChosenComponents chosen = chosenComponents(selection, all.info);
  LoadedVolume one;
  one.info = chosenInfo(selection, all.info, chosen);
  const VolumeShape& shape = one.info.shape;
  const auto bytes = bytesOf(all.volume.type());
  requireMemory(shape.voxels() * shape.components * static_cast<std::int64_t>(bytes));
  one.volume = Volume(shape, all.volume.type(), all.volume.geometry());
  copyChosen(all.volume.data(), static_cast<std::size_t>(all.volume.shape().components), chosen,
             static_cast<std::size_t>(shape.voxels()), bytes, one.volume.data(), control);
  noteNonFinite(one.info, one.volume.data(), control);
  return one;
}

}  // namespace sscope
