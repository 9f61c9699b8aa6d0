#include "app/cli/filter/run_again.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/command_files.h"
#include "app/cli/filter/filter_task.h"
#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/command_line.h"
#include "core/filter/job/filter_provenance.h"
#include "core/io/zarr/zarr_store.h"
#include "core/measure/table.h"
#include "core/session/data_paths.h"
#include "core/volume/fingerprint.h"
#include "core/volume/provenance.h"
#include "core/volume/selection.h"

namespace sscope::cli {

namespace fs = std::filesystem;

namespace {

struct Differences {
  std::int64_t elements = 0, different = 0;
  double largest = 0;
};

// Compares component by component; the elements of a component are `step` apart.
struct Components {
  const Volume& volume;
  int first = 0, count = 1;
};

void compare(const Components& one, const Components& other, Differences& found) {
  dispatch(one.volume.type(), [&](auto tag) {
    using T = decltype(tag);
    const auto a = one.volume.elements<T>(), b = other.volume.elements<T>();
    const auto stepA = static_cast<std::size_t>(one.volume.shape().components),
               stepB = static_cast<std::size_t>(other.volume.shape().components);
    for (std::size_t v = 0; v < static_cast<std::size_t>(one.volume.shape().voxels()); ++v)
      for (std::size_t c = 0; c < static_cast<std::size_t>(one.count); ++c) {
        const T& x = a[v * stepA + static_cast<std::size_t>(one.first) + c];
        const T& y = b[v * stepB + static_cast<std::size_t>(other.first) + c];
        ++found.elements;
        if (std::memcmp(&x, &y, sizeof(T)) == 0) continue;
        ++found.different;
        const double difference = std::abs(static_cast<double>(x) - static_cast<double>(y));
        if (!(difference <= found.largest)) found.largest = difference;
      }
  });
}

bool sameVoxels(const VolumeShape& a, const VolumeShape& b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

// A file and its record of how it was made.
struct MadeFile {
  std::string name;
  LoadedVolume loaded;
  Provenance made;

  [[nodiscard]] const Volume& volume() const { return loaded.volume; }
};

MadeFile readMade(Workshop& workshop, const std::string& name, const Control& control) {
  if (parseSelection(name).path != name)
    throw Error(ErrorKind::Usage, "only whole files can be repeated, and " + name + " selects a part",
                "name the file alone");
  MadeFile file{name, workshop.io->read(name, control), {}};
  if (file.loaded.info.metadata.provenance.empty())
    throw Error(ErrorKind::BadData, name + " does not record how it was made",
                "name a session, or a file written by a version of this program that records it");
  try {
    file.made = parseProvenance(file.loaded.info.metadata.provenance);
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot repeat " + name + ": " + error.what());
  }
  return file;
}

// The command line to type. Only for known commands, because the record may be forged.
std::string lineOf(const MadeFile& file) {
  const Provenance& made = file.made;
  if (made.command == "wavelet room") return "open the data in the window's wavelet room";
  constexpr std::string_view kCommands[] = {"convert",     "filter",      "sample",     "magic",
                                            "dwt forward", "dwt inverse", "dwt denoise"};
  const auto isName = [](const std::string& name) {
    return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos && !name.starts_with('-');
  };
  bool known = std::ranges::find(kCommands, made.command) != std::end(kCommands);
  if (made.options.is_object())
    for (const auto& [name, value] : made.options.items()) known = known && isName(name);
  if (!known) return "this version does not have its command";
  std::string line = "type: sscope " + made.command;
  if (made.data)
    line += " " + (made.data->name.empty() ? "IN"
                                           : shellWord((made.data->name.starts_with('-') ? "./" : "") +
                                                       made.data->name + made.data->selection));
  line += " -o OUT";
  if (made.options.is_object())
    for (const auto& [name, value] : made.options.items())
      line += " --" + name + " " +
              (value.is_array() ? "FILE" : shellWord(value.is_string() ? value.get<std::string>() : value.dump()));
  if (!made.engine.empty()) line += " --engine " + shellWord(made.engine);
  if (!made.variant.empty()) line += " --variant " + shellWord(made.variant);
  return line;
}

DataSource sourceOf(const MadeFile& file, const std::string& given) {
  const Provenance::Data& data = *file.made.data;
  DataSource source;
  if (!given.empty()) {
    source.path = parseSelection(given).path == given ? given + data.selection : given;
    return source;
  }
  if (!data.sample.empty()) {
    source.sample = data.sample;
    source.size = data.size;
    source.seed = data.seed;
    return source;
  }
  if (data.name.empty())
    throw Error(ErrorKind::NotFound, file.name + " does not name its input", "name it with --data FILE");
  source.path = pathOf(data, fs::path(file.name).parent_path().string());
  if (!isThere(source.path))
    throw Error(ErrorKind::NotFound, "the input of " + file.name + " is not in its folder: " + source.path,
                "give its new location with --data FILE");
  return source;
}

void requireSameData(const MadeFile& file, const Volume& input, const Control& control) {
  const std::string& wanted = file.made.data->fingerprint;
  if (wanted.empty() || fingerprintOf(input, control) == wanted) return;
  throw Error(ErrorKind::BadData, "the data are not the input of " + file.name + ": their voxels differ",
              "name the input with --data FILE");
}

// A text if the data had another spacing when the file was made; the fingerprint covers only voxels.
std::string otherSpacing(const MadeFile& file, const Geometry& now) {
  const auto& data = file.made.data;
  if (!data || !data->spacing) return {};
  Geometry then = now;
  then.spacing = *data->spacing;
  then.unit = data->unit;
  const std::string was = lengthsText(then.spacing, then.unit), is = lengthsText(now.spacing, now.unit);
  return was == is ? "" : "the spacing of the data is " + is + " now and was " + was + " when it was made";
}

[[noreturn]] void refuseDifference(const MadeFile& file, const Differences& found, const Geometry& ofData,
                                   const Control& control) {
  const std::string& was = file.made.fingerprint;
  const bool changed = !was.empty() && fingerprintOf(file.volume(), control) != was;
  const std::string spacing = otherSpacing(file, ofData);
  const bool lossy = file.loaded.info.format == "JPEG";
  throw Error(ErrorKind::Device,
              "repeating " + file.name + " gives other values: " + std::to_string(found.different) + " of " +
                  std::to_string(found.elements) + " elements differ, at most by " + shortNumber(found.largest),
              changed            ? "its voxels were changed after it was written"
              : !spacing.empty() ? spacing
              : lossy            ? "JPEG does not store exact values"
                                 : "it was made by version " + file.made.version + " on " + file.made.engine +
                            "; another version or engine may round differently");
}

// The results that the file holds.
Differences compareResults(const MadeFile& file, const FilterResult& result, const Volume& input) {
  const Volume& volume = file.volume();
  const int each = input.shape().components;
  const std::vector<std::string>& held = file.made.results;
  if (held.empty())
    throw Error(ErrorKind::BadData, "cannot repeat " + file.name + ": it does not record which results it holds",
                "run its bank with sscope filter");
  const bool together = result.outputs.size() < result.names.size();
  Differences found;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(result.names, held[i]) - result.names.begin());
    if (at == result.names.size())
      throw Error(ErrorKind::BadData, "cannot repeat " + file.name + ": its bank has no result " + held[i]);
    const Volume& output = result.outputs.at(together ? 0 : at);
    if (output.type() != volume.type() || !sameVoxels(output.shape(), volume.shape()) ||
        volume.shape().components != each * static_cast<int>(held.size()))
      throw Error(ErrorKind::Device,
                  "repeating " + file.name + " gives " + output.shape().text() + " " +
                      std::string(toString(output.type())) + ", but it holds " + volume.shape().text() + " " +
                      std::string(toString(volume.type())),
                  "name its input with --data");
    compare({output, together ? each * static_cast<int>(at) : 0, each}, {volume, each * static_cast<int>(i), each},
            found);
  }
  return found;
}

int tellEqual(Program& program, const RunArguments& options, const MadeFile& file, const Differences& found,
              nlohmann::json report) {
  if (options.json != "-")
    writeText(program, "-", "equal bits: " + std::to_string(found.elements) + " elements of " + file.name + "\n");
  report["repeated"] = {{"file", file.name}, {"elements", found.elements}, {"equal", true}};
  if (!options.json.empty()) writeJson(program, options.json, report);
  return 0;
}

int sampleAgain(Program& program, Workshop& workshop, const RunArguments& options, const MadeFile& file) {
  if (!options.output.empty())
    throw Error(ErrorKind::Usage, file.name + " is a sample, which sscope run only compares", lineOf(file));
  DataSource source;
  try {
    source.sample = file.made.options.at("name").get<std::string>();
    source.size = file.made.options.value("size", std::int64_t{0});
    source.seed = file.made.options.value("seed", std::uint64_t{1});
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "cannot repeat " + file.name + ": its record of its sample is invalid");
  }
  requireKnownSample(source.sample);
  const Control control = program.control();
  const LoadedVolume made = load(*workshop.io, source, control);
  Differences found;
  const int all = made.volume.shape().components;
  if (!(made.volume.shape() == file.volume().shape()) || made.volume.type() != file.volume().type())
    found = {made.volume.shape().elements(), made.volume.shape().elements(), std::nan("")};
  else
    compare({made.volume, 0, all}, {file.volume(), 0, all}, found);
  if (found.different > 0) refuseDifference(file, found, made.volume.geometry(), control);
  return tellEqual(program, options, file, found, nlohmann::json::object());
}

FilterBank bankOf(const MadeFile& file) {
  try {
    return bankFromJson(file.made.options.at("bank"));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData,
                "cannot repeat " + file.name + ": it does not contain its bank, which may have been too large",
                "run the bank with sscope filter");
  } catch (const Error& error) {
    throw Error(error.kind(), "cannot repeat " + file.name + ": " + error.what());
  }
}

int filterAgain(Program& program, const RunArguments& options, const MadeFile& file) {
  FilterTask task;
  task.source = sourceOf(file, options.data);
  task.job.bank = bankOf(file);
  task.job.engine = options.engine.empty() ? file.made.engine : options.engine;
  task.output = options.output;
  task.reports = {options.json};
  task.inputs = {file.name};
  task.verify = file.made.verified.has_value();
  Workshop workshop = makeWorkshop({}, devicesFor(task.job.engine));
  const EngineInfo* const engine = workshop.engines.find(task.job.engine);
  if (engine == nullptr || !engine->available())
    throw Error(ErrorKind::NotFound, file.name + " was made on " + task.job.engine + ", which is not available here",
                "use --engine ID to repeat it on another one; `sscope devices` lists them");
  // The recorded variant of several rows or of a program is not a name that can be requested; then the default is used.
  const bool known = std::ranges::any_of(workshop.variants.rows(), [&](const Variant& row) {
    return row.workload == "program" && row.kind == engine->kind && row.name == file.made.variant;
  });
  if (options.engine.empty() && known) task.job.variant = file.made.variant;
  const Control control = program.control();
  Differences found;
  task.look = [&](const FilterResult& result, const Volume& input) {
    requireSameData(file, input, control);
    found = compareResults(file, result, input);
    if (found.different > 0) refuseDifference(file, found, input.geometry(), control);
  };
  const FilterOutcome outcome = runTask(program, workshop, task);
  for (const std::string& notice : outcome.notices) program.note("note: " + notice);
  program.tell(summary(outcome));
  return tellEqual(program, options, file, found, toJson(task, outcome));
}

}  // namespace

bool holdsVoxels(const std::string& name) {
  std::error_code code;
  if (fs::is_directory(name, code)) return io::isZarrStore(name);
  if (!fs::is_regular_file(name, code)) {
    // Reads only the beginning of a file, and does not wait for a pipe without a writer.
    const std::string file = parseSelection(name).path;
    return file != name && fs::is_regular_file(file, code);
  }
  std::ifstream stream(name, std::ios::binary);
  constexpr std::size_t kStart = 4096;
  std::string start(kStart, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (fs::path(name).extension() == ".json" || (first != std::string::npos && start[first] == '{'))
    return start.find("\"stencilscope.volume/") != std::string::npos;
  return first != std::string::npos;
}

int runAgain(Program& program, const RunArguments& options) {
  requireSafeTargets({{options.json}, {}}, {options.session});
  Workshop workshop = makeWorkshop({}, Devices::Leave);
  const MadeFile file = readMade(workshop, options.session, program.control());
  if (file.made.command == "sample") return sampleAgain(program, workshop, options, file);
  if (file.made.command != "filter" || !file.made.data)
    throw Error(ErrorKind::Unsupported,
                "sscope run repeats filters and samples, and " + file.name + " was made by " + file.made.command,
                lineOf(file));
  return filterAgain(program, options, file);
}

}  // namespace sscope::cli
