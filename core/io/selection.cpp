#include "core/io/selection.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/base/error.h"

namespace sscope::io {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& choice) {
  throw Error(ErrorKind::Usage, "cannot understand the choice " + choice + " in " + name,
              "write @t=N for a frame, @c=N for a channel (both counted from 0) or @series=N (from 1)");
}

void take(Selection& selection, const std::string& name, const std::string& choice) {
  const std::size_t equals = choice.find('=');
  if (equals == std::string::npos) refuse(name, choice);
  const std::string key = choice.substr(0, equals), text = choice.substr(equals + 1);
  std::int32_t number = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size() || number < 0) refuse(name, choice);
  const auto once = [&](bool before) {
    if (before) throw Error(ErrorKind::Usage, "there are two choices " + key + " in " + name, "leave one of them out");
  };
  if (key == "t") {
    once(selection.frame.has_value());
    selection.frame = number;
  } else if (key == "c") {
    once(selection.channel.has_value());
    selection.channel = number;
  } else if (key == "series" && number > 0) {
    once(selection.series != 0);
    selection.series = number;
  } else {
    refuse(name, choice);
  }
}

// Which components are kept: `count` of them from `first` on.
struct Kept {
  std::int64_t first = 0, count = 1, step = 1;
};

[[noreturn]] void tooFew(const std::string& path, const char* what, std::int64_t wanted, std::int64_t there) {
  throw Error(ErrorKind::Usage,
              path + " has no " + what + " " + std::to_string(wanted) + ": it has " + std::to_string(there),
              "count from 0");
}

Kept keptOf(const Selection& selection, const VolumeInfo& info) {
  const std::int64_t frames = info.metadata.frames, channels = info.shape.components / frames;
  if (selection.frame && *selection.frame >= frames) tooFew(selection.path, "frame", *selection.frame, frames);
  if (selection.channel && *selection.channel >= channels)
    tooFew(selection.path, "channel", *selection.channel, channels);
  if (selection.frame && selection.channel) return {*selection.frame * channels + *selection.channel, 1, 1};
  if (selection.frame) return {*selection.frame * channels, channels, 1};
  return {*selection.channel, frames, channels};
}

VolumeInfo infoOf(const Selection& selection, VolumeInfo info, const Kept& kept) {
  info.shape.components = static_cast<int>(kept.count);
  info.metadata = selected(info.metadata, !selection.frame);
  std::string text = "of its components only";
  if (selection.frame) text += " frame " + std::to_string(*selection.frame);
  if (selection.channel)
    text += std::string(selection.frame ? "," : "") + " channel " + std::to_string(*selection.channel);
  info.notices.push_back(text + " was read");
  return info;
}

}  // namespace

Selection parseSelection(const std::string& name) {
  Selection selection;
  selection.path = name;
  std::error_code code;
  const std::size_t at = name.rfind('@');
  if (at == std::string::npos || at == 0 || at + 1 == name.size() || name.find('=', at) == std::string::npos ||
      name.find('/', at) != std::string::npos || std::filesystem::exists(name, code))
    return selection;
  selection.path = name.substr(0, at);
  for (std::size_t begin = at + 1; begin <= name.size();) {
    const std::size_t end = std::min(name.find(',', begin), name.size());
    take(selection, name, name.substr(begin, end - begin));
    begin = end + 1;
  }
  return selection;
}

VolumeInfo readSelected(const Selection& selection, const Decode& decode, const AllocateVoxels& allocate,
                        const Control& control) {
  if (!selection.some()) return decode(selection.path, allocate, control);
  std::vector<std::byte> all;
  std::byte* out = nullptr;
  Kept kept;
  const VolumeInfo read = decode(
      selection.path,
      [&](const VolumeInfo& claimed) -> std::byte* {
        kept = keptOf(selection, claimed);
        out = allocate(infoOf(selection, claimed, kept));
        if (out == nullptr) return nullptr;
        requireMemory(selection.path, claimedBytes(claimed), 0);
        all.resize(static_cast<std::size_t>(claimedBytes(claimed)));
        return all.data();
      },
      control);
  if (out != nullptr) {
    const std::size_t bytes = bytesOf(read.type);
    const auto components = static_cast<std::size_t>(read.shape.components);
    const auto voxels = static_cast<std::size_t>(read.shape.voxels()), count = static_cast<std::size_t>(kept.count);
    for (std::size_t v = 0; v < voxels; ++v)
      for (std::size_t k = 0; k < count; ++k)
        std::memcpy(out + (v * count + k) * bytes,
                    all.data() + (v * components + static_cast<std::size_t>(kept.first) +
                                  k * static_cast<std::size_t>(kept.step)) *
                                     bytes,
                    bytes);
  }
  return infoOf(selection, read, kept);
}

}  // namespace sscope::io
