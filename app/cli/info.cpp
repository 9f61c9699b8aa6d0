// sscope info: what a file holds.

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/pipe_files.h"
#include "app/cli/program.h"
#include "core/filter/noise_estimate.h"

namespace sscope::cli {

namespace {

struct InfoArguments {
  std::string file;
  bool json = false, noise = false;
};

bool anyFinite(const LoadedVolume& loaded, const VolumeStatistics& values) {
  return values.nonFinite < loaded.volume.shape().elements();
}

nlohmann::json toJson(const std::string& file, const LoadedVolume& loaded, const VolumeStatistics& values) {
  const VolumeShape& shape = loaded.volume.shape();
  const Geometry& geometry = loaded.volume.geometry();
  const auto orNull = [&](double value) {
    return anyFinite(loaded, values) ? nlohmann::json(value) : nlohmann::json();
  };
  return {{"schema", "stencilscope.info/1"},
          {"file", file},
          {"format", loaded.info.format},
          {"dimensions", {shape.nx, shape.ny, shape.nz}},
          {"components", shape.components},
          {"frames", loaded.info.metadata.frames},
          {"frame_seconds", loaded.info.metadata.frameSeconds},
          {"type", std::string(toString(loaded.volume.type()))},
          {"spacing", geometry.spacing},
          {"origin", geometry.origin},
          {"direction", geometry.direction},
          {"unit", geometry.unit},
          {"min", orNull(values.minimum)},
          {"max", orNull(values.maximum)},
          {"mean", orNull(values.mean)},
          {"non_finite", values.nonFinite},
          {"notices", loaded.info.notices}};
}

constexpr int kDigits = 10, kAllDigits = 17;

std::string number(double value, int digits = kDigits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*g", digits, value);
  return text.data();
}

template <std::size_t N>
std::string joined(const std::array<double, N>& values, std::size_t begin = 0, std::size_t count = N) {
  std::string text;
  for (std::size_t i = begin; i < begin + count; ++i) text += (text.empty() ? "" : ", ") + number(values[i]);
  return text;
}

std::string valuesTable(const LoadedVolume& loaded, const VolumeStatistics& values) {
  const VolumeShape& shape = loaded.volume.shape();
  const Geometry& geometry = loaded.volume.geometry();
  // Values that hardly differ are told apart.
  const bool narrow = values.minimum < values.maximum && number(values.minimum) == number(values.maximum);
  const auto orNone = [&](double value) {
    return anyFinite(loaded, values) ? number(value, narrow ? kAllDigits : kDigits) : "none";
  };
  const std::string unit = geometry.unit.empty() ? "" : " " + geometry.unit;
  std::vector<std::vector<std::string>> rows{
      {"format", loaded.info.format},
      {"dimensions", std::to_string(shape.nx) + " x " + std::to_string(shape.ny) + " x " + std::to_string(shape.nz)},
      {"components", std::to_string(shape.components)},
      {"type", std::string(toString(loaded.volume.type()))},
      {"spacing", joined(geometry.spacing) + unit},
      {"origin", joined(geometry.origin) + unit},
      {"direction", joined(geometry.direction, 0, 3)},
      {"", joined(geometry.direction, 3, 3)},
      {"", joined(geometry.direction, 6, 3)},
      {"minimum", orNone(values.minimum)},
      {"maximum", orNone(values.maximum)},
      {"mean", orNone(values.mean)}};
  const Metadata& metadata = loaded.info.metadata;
  if (metadata.frames > 1)
    rows.insert(rows.begin() + 3,
                {"frames", std::to_string(metadata.frames) +
                               (metadata.frameSeconds > 0 ? ", " + number(metadata.frameSeconds) + " s apart" : "")});
  if (values.nonFinite > 0) rows.push_back({"not finite", std::to_string(values.nonFinite) + " elements"});
  for (const std::string& notice : loaded.info.notices) rows.push_back({"note", notice});
  std::string text;
  for (const auto& row : rows) text += row[0] + std::string(12 - row[0].size(), ' ') + row[1] + '\n';
  return text;
}

int run(Program& program, const InfoArguments& options) {
  const Workshop workshop = makeWorkshop({}, Devices::Leave);
  const Control control = program.control();
  const InputFile file(program, options.file);
  LoadedVolume loaded;
  file.explain([&] { loaded = workshop.io->read(file.path(), control); });
  const VolumeStatistics values = statistics(loaded.volume, control);
  const double noise = options.noise ? estimatedNoise(loaded.volume.view(), control) : 0;
  if (options.json) {
    nlohmann::json json = toJson(options.file, loaded, values);
    if (options.noise) json["noise"] = noise;
    writeJson(program, "-", json);
  } else {
    writeText(program, "-", valuesTable(loaded, values) + (options.noise ? "noise       " + number(noise) + '\n' : ""));
  }
  return 0;
}

}  // namespace

void addInfo(CLI::App& app, Program& program) {
  const auto options = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "Show what a file, a DICOM folder or a pattern of slices contains");
  command->add_option("FILE", options->file, "What to read, or - ; it may end in a choice: @t=3, @c=1, @series=2")
      ->required();
  command->add_flag("--noise", options->noise,
                    "Also estimate the standard deviation of the noise, as nlmeans:sigma= wants it");
  command->add_flag("--json", options->json, "Write JSON to the standard output");
  command->callback([&program, options] { program.action = [&program, options] { return run(program, *options); }; });
}

}  // namespace sscope::cli
