// No member of a session is forgotten: each is filled, written, read and compared.

#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "core/base/error.h"
#include "core/compare/compare_settings.h"
#include "core/filter/families/family.h"
#include "core/filter/job/filter_view.h"
#include "core/filter/job/volume_settings.h"
#include "core/filter/laboratory/laboratory_view.h"
#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// All members of each structure. A new member does not compile here; name it in both lists, and give it a value that is
// not its default in full() below.
auto members(const DataSource& from) {
  const auto& [path, sample, size, seed] = from;
  return std::tie(path, sample, size, seed);
}
auto members(const WaveletSettings& from) {
  const auto& [transform, wavelet, convention, levels, rule, automatic, shrinkage, threshold, direction, order, taps,
               variant] = from;
  return std::tie(transform, wavelet, convention, levels, rule, automatic, shrinkage, threshold, direction, order, taps,
                  variant);
}
auto members(const ViewState& from) {
  const auto& [crosshair, sourceWindow, resultWindow, show, layout, shownFilter, component, room] = from;
  return std::tie(crosshair, sourceWindow, resultWindow, show, layout, shownFilter, component, room);
}
auto members(const WaveletView& from) {
  const auto& [show, layout, pyramid] = from;
  return std::tie(show, layout, pyramid);
}
auto members(const FilterView& from) {
  const auto& [compare, difference, differenceRange, divider, flickerSeconds, checkerFields, colors, invert, gamma,
               profile, profileAxis, profileLine, profileSampling, profileUnit, profileScale] = from;
  return std::tie(compare, difference, differenceRange, divider, flickerSeconds, checkerFields, colors, invert, gamma,
                  profile, profileAxis, profileLine, profileSampling, profileUnit, profileScale);
}
auto members(const LaboratoryView& from) {
  const auto& [shown, page, beginning, across, frequency, offset, unit] = from;
  return std::tie(shown, page, beginning, across, frequency, offset, unit);
}
auto members(const VolumeSettings& from) {
  const auto& [panel, mode, linked, sourcePreset, resultPreset, sourcePoints, resultPoints, sourceLevel, resultLevel,
               bothSigns, cropX0, cropX1, cropY0, cropY1, cropZ0, cropZ1] = from;
  return std::tie(panel, mode, linked, sourcePreset, resultPreset, sourcePoints, resultPoints, sourceLevel, resultLevel,
                  bothSigns, cropX0, cropX1, cropY0, cropY1, cropZ0, cropZ1);
}
auto members(const ConfigurationSource& from) {
  const auto& [path, extents, beta, hot, sweeps, seed] = from;
  return std::tie(path, extents, beta, hot, sweeps, seed);
}
auto members(const SolveSettings::Place& from) {
  const auto& [engine, variant] = from;
  return std::tie(engine, variant);
}
auto members(const SolveSettings& from) {
  const auto& [kappa, timeBoundary, source, site, color, spin, seed, propagator, solver, preconditioner, tolerance,
               maxIterations, places] = from;
  return std::tie(kappa, timeBoundary, source, site, color, spin, seed, propagator, solver, preconditioner, tolerance,
                  maxIterations, places);
}
auto members(const LatticeSettings& from) {
  const auto& [configuration, observable, part, flowTime, slice, solve] = from;
  return std::tie(configuration, observable, part, flowTime, slice, solve);
}
auto members(const LadderSettings& from) {
  const auto& [workload, engines, without, size, everyPoint, tuneFirst] = from;
  return std::tie(workload, engines, without, size, everyPoint, tuneFirst);
}
auto members(const CompareSettings& from) {
  const auto& [job, data, parameters, contenders, again] = from;
  return std::tie(job, data, parameters, contenders, again);
}
auto members(const FilterRecipe& from) {
  const auto& [name, family, parameters, taps, flip, enabled, inputs, intermediate] = from;
  return std::tie(name, family, parameters, taps, flip, enabled, inputs, intermediate);
}
auto members(const DenseTaps& from) {
  const auto& [size, anchor, weights] = from;
  return std::tie(size, anchor, weights);
}
auto members(const FilterBank& from) {
  const auto& [filters, boundary, constant, output, unit] = from;  // the unit is that of the data, and not saved
  return std::tie(filters, boundary, constant, output);
}
// Those that are public; the settings are looked at by their tables.
auto members(const Session& from) {
  return std::tie(from.data, from.bank, from.engine, from.variant, from.threads, from.view, from.foreign);
}

// The numbers of the members that have their default value in all of `values`.
template <class S>
std::vector<std::size_t> left(const std::vector<S>& values) {
  static const S initial{};
  std::vector<std::size_t> found;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto check = [&](std::size_t number, const auto& same) {
      for (const S& value : values)
        if (!same(value)) return;
      found.push_back(number);
    };
    (check(I, [](const S& value) { return std::get<I>(members(value)) == std::get<I>(members(initial)); }), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(members(initial))>>{});
  return found;
}

const std::vector<std::size_t> kNone;

// Nothing has its default value, as far as it goes together: `made` has a sample and a generated configuration, the
// other one files.
Session full(bool made) {
  Session session;
  session.data = made ? DataSource{"", "foam", 48, 9} : DataSource{"/scans/brain.nii.gz", "", 0, 1};
  FilterRecipe recipe;
  recipe.name = "mine";
  recipe.family = made ? "gaussian" : "custom";
  if (made) recipe.parameters["order_x"] = std::int64_t{1};
  if (!made) recipe.taps = {{2, 1, 3}, {1, 0, 2}, {1, 2, 3, 4, 5, 6}};
  recipe.flip = true;
  recipe.enabled = false;
  recipe.inputs = {"source"};
  recipe.intermediate = true;
  session.bank = {{recipe}, Boundary::constant, -3.5, {ElementType::i16}};
  session.engine = "cpu:avx2";
  session.variant = "dense";
  session.threads = 3;
  session.put(WaveletSettings{"magic", "db7", "bigdft", 5, "hard", false, "bayes", 12.5, "inverse", 6, "/taps/mine.txt",
                              "naive"});
  session.put(WaveletView{"difference", "volume", false});
  session.put(FilterView{"difference",
                         "relative",
                         2.5,
                         0.25,
                         1.5,
                         12,
                         "magma",
                         true,
                         1.8,
                         true,
                         1,
                         {1, 2.5, 3, 4},
                         "nearest",
                         "voxels",
                         "own"});
  session.put(LaboratoryView{true, "coverage", "source", 1, 0.25, -3, "length"});
  session.put(VolumeSettings{true,
                             "surface",
                             false,
                             "own",
                             "signed-strong",
                             {{-100.5, 0, {0, 0.2, 1}}, {300, 0.75, {1, 0.4, 0}}},
                             {{1, 0.5, {0.6, 0.8, 1}}},
                             250,
                             -1.5,
                             false,
                             10,
                             90,
                             5,
                             50,
                             1,
                             99});
  LatticeSettings lattice;
  lattice.configuration = made ? ConfigurationSource{"", {4, 6, 8, 10}, 5.7, true, 33, 77}
                               : ConfigurationSource{"/lattices/l8.nersc", {8, 8, 8, 4}, 6, false, 100, 1};
  lattice.observable = "plaquette";
  lattice.part = "phase";
  lattice.flowTime = 1.5;
  lattice.slice = 2;
  lattice.solve = {0.13, 1, "hash", {1, 2, 3, 0}, 2, 3, 4, true, "cr", "none", 1e-6, 123, {{"cpu:scalar", "threads"}}};
  session.put(lattice);
  session.put(LadderSettings{"soup", {"cpu:scalar", "opencl:0"}, {"naive"}, "paper", true, false});
  session.put(CompareSettings{"magic", "open", {{"magic.order", "6"}}, {"cpu:scalar", "opencl:0 tuned"}, true});
  session.view = {{3, 4, 5}, {{-1, 2}}, {{-3, 4}}, "both", "axial", "mine", 2, "lattice"};
  session.foreign = {{"colors", R"({"a":[1,null]})"}, {"view.zoom", "2.5"}};
  return session;
}

}  // namespace

TEST_CASE("every member of a session is written to its file and read back") {
  const Session made = full(true), read = full(false);
  const std::vector<Session> sessions{made, read};
  // What is not filled would be compared with itself.
  CHECK(left(sessions) == kNone);
  CHECK(left<DataSource>({made.data, read.data}) == kNone);
  CHECK(left<FilterBank>({made.bank}) == kNone);
  CHECK(left<FilterRecipe>({made.bank.filters[0], read.bank.filters[0]}) == kNone);
  CHECK(left<DenseTaps>({read.bank.filters[0].taps}) == kNone);
  for (const SettingsTable* table : sessionParts()) CHECK(made.holds(*table));
  const auto lattice = made.get<LatticeSettings>();
  CHECK(left<WaveletSettings>({made.get<WaveletSettings>()}) == kNone);
  CHECK(left<WaveletView>({made.get<WaveletView>()}) == kNone);
  CHECK(left<FilterView>({made.get<FilterView>()}) == kNone);
  CHECK(left<LaboratoryView>({made.get<LaboratoryView>()}) == kNone);
  CHECK(left<VolumeSettings>({made.get<VolumeSettings>()}) == kNone);
  CHECK(left<LatticeSettings>({lattice}) == kNone);
  CHECK(left<ConfigurationSource>({lattice.configuration, read.get<LatticeSettings>().configuration}) == kNone);
  CHECK(left<SolveSettings>({lattice.solve}) == kNone);
  CHECK(left<SolveSettings::Place>({lattice.solve.places[0]}) == kNone);
  CHECK(left<LadderSettings>({made.get<LadderSettings>()}) == kNone);
  CHECK(left<CompareSettings>({made.get<CompareSettings>()}) == kNone);
  CHECK(left<ViewState>({made.view}) == kNone);
  for (const Session& session : sessions) {
    const nlohmann::json document = toJson(session);
    INFO(document.dump(2));
    const Session again = sessionFromJson(document);
    CHECK(again.data == session.data);
    CHECK(again.bank == session.bank);
    for (const SettingsTable* table : sessionParts()) {
      INFO(table->key);
      CHECK(again.settings(*table).differences(session.settings(*table)).empty());
      CHECK(again.settings(*table) == session.settings(*table));
    }
    CHECK(again.view == session.view);
    CHECK(again == session);
  }
}

TEST_CASE("options of every family and odd names survive JSON") {
  Session session;
  for (const bool most : {false, true})
    for (const FilterFamily& family : filterFamilies()) {
      FilterRecipe recipe;
      recipe.family = family.name;
      recipe.name = uniqueName(session.bank, most ? family.name : "Ü \"é\\/" + family.name);
      for (const Option& option : family.options) {
        const double end = most ? option.maximum : option.minimum;
        if (option.type == OptionType::Real) recipe.parameters[option.name] = end;
        if (option.type == OptionType::Integer) recipe.parameters[option.name] = static_cast<std::int64_t>(end);
        if (option.type == OptionType::Boolean) recipe.parameters[option.name] = most;
        if (option.type == OptionType::Length) recipe.parameters[option.name] = Length{end, most};
        if (option.type == OptionType::Choice && !option.choices.empty())
          recipe.parameters[option.name] = most ? option.choices.back() : option.choices.front();
      }
      if (!family.make) recipe.taps = {{2, 1, 3}, {1, 0, 2}, {1, 2, 3, 4, 5, most ? 1.0 / 3 : 6e300}};
      session.bank.filters.push_back(recipe);
    }
  session.data.path = "/data/a\n\"b\" \\ é.nii";
  const std::string text = toJson(session).dump();
  const Session again = sessionFromJson(nlohmann::json::parse(text));
  CHECK((again == session));
  CHECK(toJson(again).dump() == text);
}

TEST_CASE("a session with one member broken is refused or read, never a crash") {
  const nlohmann::json wrong[] = {nullptr, 3, -1.5, "text", true, 1e300, 18446744073709551615ULL};
  int refused = 0;
  for (const bool made : {true, false}) {
    const nlohmann::json good = toJson(full(made)).flatten();
    for (const auto& [pointer, value] : good.items())
      for (const auto& replacement : wrong) {
        nlohmann::json broken = good;
        broken[pointer] = replacement;
        try {
          static_cast<void>(sessionFromJson(broken.unflatten()));
        } catch (const Error& error) {
          ++refused;
          CHECK_FALSE(std::string(error.what()).empty());
        }
      }
  }
  CHECK(refused > 100);
}

TEST_CASE("what is left at its default is noticed") {
  ViewState view = full(true).view;
  view.layout = ViewState{}.layout;
  CHECK(left<ViewState>({view}) == std::vector<std::size_t>{4});
  CHECK(left<ViewState>({view, full(true).view}) == kNone);
}
