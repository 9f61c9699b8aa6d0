// sscope convert: another format, type or part of a file.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/cli/batch.h"
#include "app/cli/checks.h"
#include "app/cli/memory_option.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/volume/change_planes.h"
#include "core/volume/fingerprint.h"
#include "core/volume/foreign_files.h"
#include "core/volume/losses.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"
#include "core/volume/streamable_input.h"

namespace sscope::cli {

namespace {

struct ConvertArguments {
  Batch batch;
  std::string type, crop;
  std::optional<int> frame, channel;
  std::int64_t memory = 0;
  bool runConverter = false;
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
  const auto choose = [&](std::optional<std::int64_t>& one, const auto& other, const char* key, const char* option) {
    if (!other) return;
    if (one)
      throw Error(ErrorKind::Usage, std::string("there are two choices ") + key + ", in " + input + " and by " + option,
                  "leave one of them out");
    one = *other;
  };
  choose(selection.frame, options.frame, "t", "--frame");
  choose(selection.channel, options.channel, "c", "--channel");
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

void noteLosses(Program& program, const ConvertedVolume& changed, ElementType type) {
  for (const std::string& notice : lossNotices(changed, type)) program.note("note: " + notice);
}

void noteOutput(Program& program, const VolumeIo& io, const std::string& out, const Geometry& geometry,
                const Metadata& metadata) {
  if (const std::string dropped = io.dropped(out, geometry, metadata); !dropped.empty())
    program.note("note: " + dropped);
}

// A file of the same voxels was made as the one that is read; else the conversion is how it was made. The fingerprint
// of the data is asked for where all of them are read.
void sign(WriteOptions& how, const ConvertArguments& options, const std::string& name, const VolumeInfo& info,
          ElementType type, const std::function<std::string()>& fingerprint) {
  Provenance::Data data = dataNamed(name, info);
  const bool same = options.crop.empty() && type == info.type && data.selection.empty();
  if (same && !info.metadata.provenance.empty()) return;
  if (options.batch.inputs.size() == 1 && isPipe(options.batch.inputs.front())) data.name.clear();
  nlohmann::json changes = nlohmann::json::object();
  if (!options.crop.empty()) changes["crop"] = options.crop;
  if (type != info.type) changes["type"] = toString(type);
  GrowingProvenance made(provenanceOf("convert", std::move(changes), std::move(data)));
  const bool all = options.crop.empty();
  how.provenance = [made, all, fingerprint](const std::string& ofFile) mutable {
    // Once planes are read, it is known.
    if (all && !ofFile.empty()) made.learn([&](Provenance& record) { record.data->fingerprint = fingerprint(); });
    return made.of()(ofFile);
  };
}

// Planes that are read once, with their fingerprint.
class SummedSource final : public VolumeSource {
 public:
  explicit SummedSource(VolumeSource& source) : source_(source), sum_(source.info().shape, source.info().type) {}
  [[nodiscard]] const VolumeInfo& info() const override { return source_.info(); }
  [[nodiscard]] bool anyOrder() const override { return source_.anyOrder(); }
  [[nodiscard]] bool plain() const override { return source_.plain(); }
  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    source_.read(begin, end, voxels, control);
    sum_.add(begin, voxels);
  }
  [[nodiscard]] std::string fingerprint() const { return sum_.text(); }

 private:
  VolumeSource& source_;
  FingerprintSum sum_;
};

// Data that take more than memory allows with their copy are read by planes, and written by planes where the copy takes
// too much as well. False: they fit. `read` is there in the place of `name`.
bool convertLarge(Program& program, VolumeIo& io, const ConvertArguments& options, const std::string& read,
                  const std::string& name, const std::string& out) {
  constexpr double kWidest = 8;  // an element of one byte may become one of eight
  const Control control = program.control();
  const std::int64_t memory = allowedMemory(options.memory);
  if (memory <= 0 || !mayExceed(io, read, 1 + kWidest, memory)) return false;
  StreamableInput input = openStreamable(io, read, control);
  const VolumeInfo& info = input.info;
  const VolumeShape& shape = info.shape;
  const PlanesChange change{
      options.crop.empty() ? Box{{0, 0, 0}, {shape.nx, shape.ny, shape.nz}} : boxOf(options.crop, shape),
      options.type.empty() ? info.type : *parseElementType(options.type)};
  const VolumeOutline outline = changedOutline(info, change);
  const std::int64_t all = outline.bytes() + VolumeOutline{shape, info.type, {}}.bytes();
  if (all <= memory) return false;
  if (!input.source) throw tooLarge(name, static_cast<double>(all), memory, input.whyNot);
  for (const std::string& notice : info.notices) program.note("note: " + notice);
  requireWritable(io, out, outline.shape, outline.type);
  WriteOptions how{.metadata = options.crop.empty() ? info.metadata : withoutRegions(info.metadata),
                   .compress = options.batch.compress,
                   .zarr3 = options.batch.zarr3};
  SummedSource source(*input.source);
  sign(how, options, name, info, outline.type, [&] { return source.fingerprint(); });
  ConvertedVolume counts;
  if (outline.bytes() <= memory / 2) {
    Volume copy(outline.shape, outline.type, outline.geometry);
    const std::int64_t plane = copy.bytes() / copy.spec().extent[slowestAxis(copy.spec().extent)];
    counts = changePlanes(
        source, change,
        [&](std::int64_t begin, std::span<const std::byte> voxels) {
          std::memcpy(copy.data() + begin * plane, voxels.data(), voxels.size());
        },
        control.part(0, 0.5));
    program.interrupt.writes(out);
    io.write(out, copy, how, control.part(0.5, 1));
  } else {
    const bool packs = !how.compress || io.packsSlabs(out);
    if (!io.writesSlabs(out) || !packs)
      throw tooLarge(
          name, static_cast<double>(all), memory,
          !packs ? "compressed files are not written by planes"
                 : out + " cannot be written by planes; choose .nrrd, .mha, .nii, .vti, .tif, .h5, .zarr or .raw");
    program.interrupt.writes(out);
    const std::unique_ptr<VolumeSink> sink = io.openSink(out, outline, how, control);
    counts = changePlanes(
        source, change,
        [&](std::int64_t begin, std::span<const std::byte> voxels) {
          sink->write(begin, voxels, {control.stop, {}});
        },
        control);
    sink->finish({control.stop, {}});
  }
  noteLosses(program, counts, outline.type);
  noteOutput(program, io, out, outline.geometry, how.metadata);
  return true;
}

// `read` is there in the place of `name`.
void convertRead(Program& program, VolumeIo& io, const ConvertArguments& options, const std::string& read,
                 const std::string& name, const std::string& out) {
  const Control control = program.control();
  if (convertLarge(program, io, options, read, name, out)) return;
  LoadedVolume loaded = io.read(read, control);
  for (const std::string& notice : loaded.info.notices) program.note("note: " + notice);
  const std::string fingerprint = options.crop.empty() ? fingerprintOf(loaded.volume, control) : std::string();
  if (!options.crop.empty())
    loaded.volume = cropped(loaded.volume, boxOf(options.crop, loaded.volume.shape()), control);
  const ElementType type = options.type.empty() ? loaded.volume.type() : *parseElementType(options.type);
  requireWritable(io, out, loaded.volume.shape(), type);
  if (type != loaded.volume.type()) {
    ConvertedVolume changed = converted(loaded.volume, type, control);
    noteLosses(program, changed, type);
    loaded.volume = std::move(changed.volume);
  }
  WriteOptions how;
  how.metadata = options.crop.empty() ? loaded.info.metadata : withoutRegions(loaded.info.metadata);
  how.compress = options.batch.compress;
  how.zarr3 = options.batch.zarr3;
  noteOutput(program, io, out, loaded.volume.geometry(), how.metadata);
  sign(how, options, name, loaded.info, type, [&] { return fingerprint; });
  program.interrupt.writes(out);
  io.write(out, loaded.volume, how, control);
}

void convertOne(Program& program, VolumeIo& io, const ConvertArguments& options, const std::string& in,
                const std::string& out) {
  checkTarget(out);
  if (options.batch.compress) io.checkCompressible(out);
  const std::string name = chosen(in, options);
  const ForeignFiles* const foreign = io.foreignFiles();
  Selection selection = parseSelection(name);
  const std::string file = selection.path;
  if (!options.runConverter || foreign == nullptr || foreign->makersFormat(file).empty())
    return convertRead(program, io, options, name, name, out);
  // Its OME-TIFF is read in its place.
  program.interrupt.writes(out);
  const std::filesystem::path folder = std::filesystem::path(out).parent_path();
  const ForeignCopy copy = foreign->convert(file, folder.empty() ? "." : folder, program.control());
  program.note("note: " + file + " was converted by " + foreign->converter().string());
  selection.path = copy.file().string();
  explained(selection.path, "the OME-TIFF that bfconvert made of " + file,
            [&] { convertRead(program, io, options, selection.name(), name, out); });
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
  addMemoryOption(
      *command, options->memory,
      "Memory for the voxels, as 2G or 512M; data that take more with their copy are read and written by planes "
      "(default: two thirds of what is free)");
  command->add_option("--crop", options->crop, "Only these voxels, from 0, the ends not included")
      ->check(someText())
      ->type_name("X0:X1,Y0:Y1,Z0:Z1");
  command->add_option("--frame", options->frame, "Only this point in time, from 0 (as IN@t=N)")
      ->transform(wholeNumberWithin(0, 1 << 24));
  command->add_option("--channel", options->channel, "Only this channel, from 0 (as IN@c=N)")
      ->transform(wholeNumberWithin(0, 1 << 24));
  command->add_flag("--run-converter", options->runConverter,
                    "Have Bio-Formats' bfconvert, where it is in PATH, convert files of microscopes' makers that are "
                    "not read otherwise (CZI, ZVI, LIF, ND2, IMS, VSI, OIR, OIF, OIB)");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
