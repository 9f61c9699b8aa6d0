// sscope info: the contents of a file.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/command_files.h"
#include "app/cli/options.h"
#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "app/cli/shared_options.h"
#include "core/base/error.h"
#include "core/filter/noise_estimate.h"
#include "core/parts/overview.h"
#include "core/volume/fingerprint.h"
#include "core/volume/losses.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"
#include "core/volume/volume_stream.h"

namespace sscope::cli {

namespace {

struct InfoArguments {
  std::string file, json;
  bool noise = false;
  std::int64_t memory = 0;
};

// The properties of a file, whose voxels may exceed the memory.
struct Content {
  VolumeInfo info;
  VolumeStatistics values;
  std::optional<double> noise;
  std::vector<FilePart> parts{};  // all parts of the file
  std::string fingerprint{};      // of the voxels, if known
  [[nodiscard]] bool anyFinite() const { return values.nonFinite < info.shape.elements(); }
};

// Reads by planes, each once.
Content contentOfLarge(std::unique_ptr<VolumeSource> source, const Control& control) {
  Content content{source->info(), {}, std::nullopt};
  const VolumeOutline outline{content.info.shape, content.info.type, content.info.geometry};
  reach::SparseVolume planes(outline);
  constexpr std::int64_t kMeans = std::int64_t{1} << 20, kPlanes = 8;  // the means themselves are not shown
  const auto block = reach::overviewBlock(outline, kMeans, planes.axis(), kPlanes);
  content.values = reach::overviewOf(*source, planes, block, control).statistics;
  noteNonFinite(content.info, content.values.nonFinite);
  return content;
}

// Adds a notice if the voxels of a whole file differ from those that were written.
void noteChange(const std::string& path, Content& content) {
  const Selection selection = parseSelection(path);
  if (selection.some() || selection.level.value_or(0) > 0) {
    content.info.notices.emplace_back(
        "its record of how it was made describes the whole file, and this is a part of it");
    return;
  }
  if (selection.path != path) return;
  try {
    const std::string was = parseProvenance(content.info.metadata.provenance).fingerprint;
    if (!was.empty() && was != content.fingerprint)
      content.info.notices.emplace_back("its voxels changed after its record of how it was made was written");
  } catch (const Error& error) {
    content.info.notices.push_back("its record of how it was made cannot be read: " + std::string(error.what()));
  }
}

// The lines on how the file was made; none without a record, or if it is of another version.
std::vector<std::vector<std::string>> madeLines(const Metadata& metadata) {
  std::vector<std::vector<std::string>> rows;
  if (metadata.provenance.empty()) return rows;
  try {
    for (auto& [name, value] : linesOf(parseProvenance(metadata.provenance))) rows.push_back({name, value});
  } catch (const Error&) {
    // A notice reports this.
  }
  return rows;
}

Content contentOf(VolumeIo& io, const std::string& path, bool noise, std::int64_t bound, const Control& control) {
  const std::int64_t memory = allowedMemory(bound);
  if (memory > 0 && mayExceed(io, path, 1, memory)) {
    StreamableInput input = openStreamable(io, path, control);
    const VolumeOutline outline{input.info.shape, input.info.type, input.info.geometry};
    if (outline.bytes() > memory) {
      if (noise) input.whyNot = "the noise is estimated from all voxels at once";
      if (!input.source || noise) throw tooLarge(path, static_cast<double>(outline.bytes()), memory, input.whyNot);
      return contentOfLarge(std::move(input.source), control);
    }
  }
  LoadedVolume loaded = io.read(path, control);
  Content content{std::move(loaded.info), statistics(loaded.volume, control), std::nullopt};
  if (!content.info.metadata.provenance.empty()) {
    content.fingerprint = fingerprintOf(loaded.volume, control);
    noteChange(path, content);
  }
  if (noise) content.noise = estimatedNoise(loaded.volume.view(), control);
  return content;
}

nlohmann::json toJson(const std::vector<FilePart>& parts) {
  nlohmann::json list = nlohmann::json::array();
  for (const FilePart& part : parts)
    list.push_back(
        {{"selector", part.selector}, {"title", part.title}, {"extents", part.extents}, {"type", part.type}});
  return list;
}

// One line each.
std::vector<std::vector<std::string>> rowsOf(const std::vector<FilePart>& parts) {
  std::vector<std::vector<std::string>> rows;
  for (const FilePart& part : parts) rows.push_back({rows.empty() ? "parts" : "", partsText({part})});
  return rows;
}

std::string tableOf(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) text += row[0] + std::string(12 - row[0].size(), ' ') + row[1] + '\n';
  return text;
}

std::vector<std::string> stepNames(const Geometry& geometry) {
  std::vector<std::string> names;
  for (const StepSource step : geometry.steps) names.emplace_back(toString(step));
  return names;
}

// ", z assumed"; empty if all steps are given.
std::string stepsText(const Geometry& geometry) {
  std::string text;
  if (geometry.steps == std::array{StepSource::Assumed, StepSource::Assumed, StepSource::Assumed}) return ", assumed";
  for (std::size_t a = 0; a < 3; ++a)
    if (geometry.steps[a] != StepSource::Given)
      text += std::string(", ") + "xyz"[a] + " " + std::string(toString(geometry.steps[a]));
  return text;
}

nlohmann::json toJson(const std::string& file, const Content& content) {
  const VolumeInfo& info = content.info;
  const VolumeShape& shape = info.shape;
  const Geometry& geometry = info.geometry;
  const VolumeStatistics& values = content.values;
  const auto orNull = [&](double value) { return content.anyFinite() ? nlohmann::json(value) : nlohmann::json(); };
  nlohmann::json json{{"schema", "stencilscope.info/1"},
                      {"file", file},
                      {"format", info.format},
                      {"dimensions", {shape.nx, shape.ny, shape.nz}},
                      {"components", shape.components},
                      {"frames", info.metadata.frames},
                      {"frame_seconds", info.metadata.frameSeconds},
                      {"type", std::string(toString(info.type))},
                      {"spacing", geometry.spacing},
                      {"origin", geometry.origin},
                      {"direction", geometry.direction},
                      {"unit", geometry.unit},
                      {"steps", stepNames(geometry)},
                      {"value_unit", info.metadata.valueUnit},
                      {"space", spaceText(info.metadata)},
                      {"channels", info.metadata.channels},
                      {"labels", info.metadata.labels},
                      {"min", orNull(values.minimum)},
                      {"max", orNull(values.maximum)},
                      {"mean", orNull(values.mean)},
                      {"non_finite", values.nonFinite},
                      {"notices", info.notices}};
  if (content.noise) json["noise"] = *content.noise;
  if (!content.parts.empty()) json["parts"] = toJson(content.parts);
  if (!info.metadata.provenance.empty()) json["provenance"] = nlohmann::json::parse(info.metadata.provenance);
  return json;
}

constexpr int kDigits = 10, kAllDigits = 17;

std::string number(double value, int digits = kDigits) {
  return fmt::format("{:.{}g}", value + 0.0, digits);  // never -0
}

template <std::size_t N>
std::string joined(const std::array<double, N>& values, std::size_t begin = 0, std::size_t count = N) {
  std::string text;
  for (std::size_t i = begin; i < begin + count; ++i) text += (text.empty() ? "" : ", ") + number(values[i]);
  return text;
}

std::string valuesTable(const Content& content) {
  const VolumeInfo& info = content.info;
  const VolumeShape& shape = info.shape;
  const Geometry& geometry = info.geometry;
  const VolumeStatistics& values = content.values;
  // Enough digits to distinguish values that hardly differ.
  const bool narrow = values.minimum < values.maximum && number(values.minimum) == number(values.maximum);
  const auto orNone = [&](double value) {
    return content.anyFinite() ? number(value, narrow ? kAllDigits : kDigits) : "none";
  };
  const std::string unit = geometry.unit.empty() ? "" : " " + geometry.unit;
  std::vector<std::vector<std::string>> rows{
      {"format", info.format},
      {"dimensions", std::to_string(shape.nx) + " x " + std::to_string(shape.ny) + " x " + std::to_string(shape.nz)},
      {"components", std::to_string(shape.components)},
      {"type", std::string(toString(info.type))},
      {"spacing", joined(geometry.spacing) + unit + stepsText(geometry)},
      {"origin", joined(geometry.origin) + unit},
      {"space", spaceText(info.metadata)},
      {"direction", joined(geometry.direction, 0, 3)},
      {"", joined(geometry.direction, 3, 3)},
      {"", joined(geometry.direction, 6, 3)},
      {"minimum", orNone(values.minimum)},
      {"maximum", orNone(values.maximum)},
      {"mean", orNone(values.mean)}};
  const Metadata& metadata = info.metadata;
  if (metadata.frames > 1)
    rows.insert(rows.begin() + 3,
                {"frames", std::to_string(metadata.frames) +
                               (metadata.frameSeconds > 0 ? ", " + number(metadata.frameSeconds) + " s apart" : "")});
  if (info.metadata.labels) rows.push_back({"values", "labels"});
  if (!info.metadata.valueUnit.empty()) rows.push_back({"value unit", info.metadata.valueUnit});
  if (values.nonFinite > 0) rows.push_back({"not finite", std::to_string(values.nonFinite) + " elements"});
  for (const std::string& notice : info.notices) rows.push_back({"note", notice});
  if (content.noise) rows.push_back({"noise", number(*content.noise)});
  const auto parts = rowsOf(content.parts);
  rows.insert(rows.end(), parts.begin(), parts.end());
  for (auto& row : madeLines(metadata)) rows.push_back(std::move(row));
  return tableOf(rows);
}

// The parts of a file of which one must be selected, or `notice` if there is none.
int listParts(Program& program, const InfoArguments& options, const std::vector<FilePart>& parts,
              const std::string& notice = {}) {
  if (options.json.empty()) {
    writeText(program, "-", notice.empty() ? tableOf(rowsOf(parts)) : tableOf({{"note", notice}}));
    return 0;
  }
  nlohmann::json json{{"schema", "stencilscope.info/1"}, {"file", options.file}, {"parts", toJson(parts)}};
  if (!notice.empty()) json["notices"] = {notice};
  writeJson(program, options.json, json);
  return 0;
}

int run(Program& program, const InfoArguments& options) {
  requireSafeTargets({{options.json}, {}}, {options.file});
  // For --json A B, where A is another volume, from a pattern of the shell for example.
  std::error_code code;
  const std::filesystem::path target = options.json;
  if (options.json != "-" && target.extension() != ".json" && std::filesystem::exists(target, code))
    throw Error(ErrorKind::Usage, "--json would replace " + options.json + ", which does not end in .json",
                "name one file to read, and a file that ends in .json");
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  const InputFile file(program, options.file);
  std::vector<FilePart> parts;
  Content content;
  try {
    file.explain([&] { parts = workshop.io->parts(file.path(), program.control()); });
    if (!parts.empty() && std::ranges::none_of(parts, &FilePart::usual)) return listParts(program, options, parts);
    file.explain(
        [&] { content = contentOf(*workshop.io, file.path(), options.noise, options.memory, program.control()); });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Empty) throw;
    const std::string said = error.what(), reading = ": ";  // "cannot read FILE: it holds no image; ..."
    return listParts(program, options, {}, said.substr(std::min(said.size(), said.find(reading) + reading.size())));
  }
  content.parts = std::move(parts);
  if (options.json.empty()) {
    writeText(program, "-", valuesTable(content));
  } else {
    writeJson(program, options.json, toJson(options.file, content));
  }
  return 0;
}

}  // namespace

void addInfo(CLI::App& app, Program& program) {
  const auto options = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "Show what a file, a DICOM folder or a pattern of slices contains");
  command->add_option("FILE", options->file,
                      "The file to read, or - ; it may end in a selection: @t=3, @c=1, @series=2, @array=NAME");
  addCorrectionOptions(*command, options->file);
  command->add_flag("--noise", options->noise, "Also estimate the standard deviation of the noise, for nlmeans:sigma=");
  addMemoryOption(*command, options->memory,
                  "Memory for the voxels, as 2G or 512M; data that need more are read plane by plane (default: two "
                  "thirds of the free memory)");
  command->add_option("--json", options->json, "Write JSON to FILE, or to the standard output (- or nothing)")
      ->expected(0, 1)
      ->default_str("-")
      ->type_name("FILE|-");
  command->callback([&program, options] {
    if (options->file.empty() && !options->json.empty() && options->json != "-")
      options->file = std::exchange(options->json, "-");  // info --json FILE: FILE is what is read
    if (options->file.empty()) throw CLI::RequiredError("FILE");
    program.action = [&program, options] { return run(program, *options); };
  });
}

}  // namespace sscope::cli
