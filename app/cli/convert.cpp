// sscope convert: another format, type or part of a file.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/cli/batch.h"
#include "app/cli/checks.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/volume/change.h"
#include "core/volume/losses.h"
#include "core/volume/selection.h"

namespace sscope::cli {

namespace {

struct ConvertArguments {
  Batch batch;
  std::string type, crop;
  std::optional<int> frame, channel;
};

[[noreturn]] void badCrop(const std::string& text) {
  throw Error(ErrorKind::Usage, "cannot understand the crop " + text,
              "write x0:x1,y0:y1,z0:z1 in voxels, from 0, the ends not included; a number may be left out");
}

std::int64_t numberOr(const std::string& text, std::int64_t fallback, const std::string& whole) {
  if (text.empty()) return fallback;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) badCrop(whole);
  return value;
}

// "10:20,:,5:" on data of this shape.
Box boxOf(const std::string& text, const VolumeShape& shape) {
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  Box box{{0, 0, 0}, extent};
  std::size_t begin = 0;
  for (std::size_t axis = 0; begin <= text.size(); ++axis) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string range = text.substr(begin, end - begin);
    const std::size_t colon = range.find(':');
    if (axis > 2 || colon == std::string::npos) badCrop(text);
    box.begin[axis] = numberOr(range.substr(0, colon), 0, text);
    box.end[axis] = numberOr(range.substr(colon + 1), extent[axis], text);
    begin = end + 1;
  }
  return box;
}

// The choice behind a name, with those of --frame and --channel.
std::string chosen(const std::string& input, const ConvertArguments& options) {
  Selection selection = parseSelection(input);
  const auto choose = [&](std::optional<std::int64_t>& one, const auto& other, const char* option) {
    if (!other) return;
    if (one)
      throw Error(ErrorKind::Usage, input + " chooses already what " + option + " chooses", "leave one of them out");
    one = *other;
  };
  choose(selection.frame, options.frame, "--frame");
  choose(selection.channel, options.channel, "--channel");
  return selection.name();
}

// Says so where another type would help.
void requireWritable(const VolumeIo& io, const std::string& out, const VolumeShape& shape, ElementType type) {
  const auto holds = [&](ElementType one) {
    try {
      io.checkWritable(out, shape, one);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  try {
    io.checkWritable(out, shape, type);
  } catch (const Error& error) {
    const auto other = std::find_if(std::begin(kElementTypes), std::end(kElementTypes), holds);
    if (other == std::end(kElementTypes)) throw;
    throw Error(error.kind(), error.what(), "or convert the values with --type " + std::string(toString(*other)));
  }
}

void convertOne(Program& program, VolumeIo& io, const ConvertArguments& options, const std::string& in,
                const std::string& out) {
  const Control control = program.control();
  checkTarget(out);
  if (options.batch.compress) io.checkCompressible(out);
  LoadedVolume loaded = io.read(chosen(in, options), control);
  for (const std::string& notice : loaded.info.notices) program.note("note: " + notice);
  if (!options.crop.empty())
    loaded.volume = cropped(loaded.volume, boxOf(options.crop, loaded.volume.shape()), control);
  const ElementType type = options.type.empty() ? loaded.volume.type() : *parseElementType(options.type);
  requireWritable(io, out, loaded.volume.shape(), type);
  if (type != loaded.volume.type()) {
    ConvertedVolume changed = converted(loaded.volume, type, control);
    for (const std::string& notice : lossNotices(changed)) program.note("note: " + notice);
    loaded.volume = std::move(changed.volume);
  }
  if (const std::string dropped = io.droppedGeometry(out, loaded.volume.geometry()); !dropped.empty())
    program.note("note: " + dropped);
  WriteOptions how;
  how.metadata = std::move(loaded.info.metadata);
  how.compress = options.batch.compress;
  program.interrupt.writes(out);
  io.write(out, loaded.volume, how, control);
}

int run(Program& program, const ConvertArguments& options) {
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  return runBatch(program, *workshop.io, options.batch, {}, [&](const std::string& in, const std::string& out) {
    convertOne(program, *workshop.io, options, in, out);
  });
}

}  // namespace

void addConvert(CLI::App& app, Program& program) {
  const auto options = std::make_shared<ConvertArguments>();
  CLI::App* command = app.add_subcommand("convert", "Write a file in another format or type, or a part of it");
  addBatchOptions(*command, options->batch, "The file to write, or - ; {stem} becomes the input's name");
  std::vector<std::string> types;
  for (const ElementType type : kElementTypes) types.emplace_back(toString(type));
  command->add_option("--type", options->type, "The type of the values (default: as they are); integers are rounded")
      ->check(CLI::IsMember(types));
  command->add_option("--crop", options->crop, "Only these voxels, from 0, the ends not included")
      ->check(someText())
      ->type_name("X0:X1,Y0:Y1,Z0:Z1");
  command->add_option("--frame", options->frame, "Only this point in time, from 0 (as IN@t=N)")
      ->transform(wholeNumberWithin(0, 1 << 24));
  command->add_option("--channel", options->channel, "Only this channel, from 0 (as IN@c=N)")
      ->transform(wholeNumberWithin(0, 1 << 24));
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
