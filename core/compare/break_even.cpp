#include "core/compare/break_even.h"

#include <fmt/core.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "core/base/words.h"
#include "core/compare/whole_result.h"
#include "core/measure/ceilings.h"
#include "core/report/figure_data.h"

namespace sscope::compare {

namespace {

// The least time of a cell: there are many cells, and factors between engines are larger than the spread of few
// repetitions.
constexpr double kCellSeconds = 0.05;
constexpr int kMostFilters = 1000;

double timeOf(const CellTime& time, CellTimes which) {
  if (which == CellTimes::Predicted) return time.predicted;
  return which == CellTimes::Kernel ? time.kernel : time.total;
}

bool hasParameter(const nlohmann::json& filter, const std::string& name) {
  const auto params = filter.find("params");
  return params != filter.end() && params->is_object() && params->contains(name);
}

// So many of the bank's enabled filters, starting again at the first where there are too few.
nlohmann::json countedFilters(const nlohmann::json& filters, double count) {
  std::vector<nlohmann::json> on;
  for (const nlohmann::json& filter : filters)
    if (filter.value("enabled", true)) on.push_back(filter);
  const bool whole = count == std::floor(count) && count >= 1 && count <= kMostFilters;
  if (!whole || on.empty())
    throw Error(ErrorKind::Usage, "the number of filters must be whole, from 1 to " + std::to_string(kMostFilters),
                "choose another one");
  nlohmann::json chosen = nlohmann::json::array();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    nlohmann::json filter = on[i % on.size()];
    if (i >= on.size()) filter["name"] = filter.value("name", "filter") + "-" + std::to_string(i / on.size() + 1);
    chosen.push_back(std::move(filter));
  }
  return chosen;
}

ArraySpec specOf(const BreakEvenWish& wish, std::int64_t edge) {
  ArraySpec spec = wish.recipe.data.spec;
  const bool image = spec.extent[2] == 1;
  spec.extent = {edge, edge, image ? 1 : edge, spec.extent[3]};
  return spec;
}

// A race without first results, on noise of the cell's size.
RaceWish raceOf(const BreakEvenWish& wish, const CaseRecipe& recipe, std::shared_ptr<const Workload> workload,
                const Control& control) {
  RaceWish race;
  race.workload = std::move(workload);
  DataRecipe data = recipe.data;
  data.from = DataRecipe::From::Noise;
  race.input = std::make_shared<const Volume>(noiseOf(data, control));
  race.contenders = wish.contenders;
  race.how = wish.how;
  race.how.firstResults = false;
  race.how.seconds = kCellSeconds;
  race.how.measureCeilings = false;
  return race;
}

class Mapping {
 public:
  Mapping(const RaceTrack& track, const BreakEvenWish& wish, const Control& control)
      : track_(track), wish_(wish), control_(control) {
    if (wish.axes.edges.empty()) throw Error(ErrorKind::Usage, "the map needs at least one size", "name some edges");
    if (wish.axes.parameter.empty() != wish.axes.values.empty())
      throw Error(ErrorKind::Usage, "what varies needs a name and values", "name both, or neither");
    requireDistinct(wish.axes);
    map_.axes = wish.axes;
    for (const BenchRow& contender : wish.contenders) map_.lanes.push_back(laneName(contender, ""));
    const std::vector<double> values = wish.axes.values.empty() ? std::vector<double>{0} : wish.axes.values;
    for (const double value : values)
      for (const std::int64_t edge : wish.axes.edges)
        map_.cells.push_back({edge, value, std::vector<CellTime>(wish.contenders.size())});
  }

  BreakEvenMap run(const std::function<void(const BreakEvenMap&)>& filled, const EmitRace& emit) {
    for (BreakEvenCell& cell : map_.cells) predict(cell);
    if (filled) filled(map_);
    if (!wish_.measure) return std::move(map_);
    std::vector<std::size_t> order(map_.cells.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // Small data first, so that most of the map is filled soon.
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return map_.cells[i].edge; });
    for (const std::size_t i : order) {
      control_.report(static_cast<double>(map_.done) / static_cast<double>(order.size()), cellName(map_.cells[i]));
      if (map_.cells[i].reason.empty()) measure(map_.cells[i], emit);
      ++map_.done;
      if (filled) filled(map_);
    }
    return std::move(map_);
  }

 private:
  [[nodiscard]] std::string cellName(const BreakEvenCell& cell) const {
    const std::string edge = "edge " + std::to_string(cell.edge);
    return wish_.axes.parameter.empty() ? edge : edge + ", " + wish_.axes.parameter + "=" + axisText({cell.value});
  }

  [[nodiscard]] CaseRecipe recipeOf(const BreakEvenCell& cell) const {
    CaseRecipe recipe =
        wish_.axes.parameter.empty() ? wish_.recipe : withParameter(wish_.recipe, wish_.axes.parameter, cell.value);
    recipe.data.spec = specOf(wish_, cell.edge);
    return recipe;
  }

  [[nodiscard]] std::unique_ptr<Workload> workloadOf(const BreakEvenCell& cell) const {
    const CaseRecipe recipe = recipeOf(cell);
    return makeWorkload(recipe, recipe.data.spec, wish_.geometry);
  }

  void predict(BreakEvenCell& cell) {
    control_.check();
    std::unique_ptr<Workload> workload;
    try {
      workload = workloadOf(cell);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Usage && error.kind() != ErrorKind::BadData) throw;
      cell.reason = error.what();
      return;
    }
    for (std::size_t i = 0; i < wish_.contenders.size(); ++i) {
      const BenchRow& contender = wish_.contenders[i];
      const EngineInfo* info = track_.engines.find(contender.engine);
      if (info == nullptr || !info->available()) {
        cell.times[i].reason = info == nullptr ? "there is no such engine" : info->absentReason;
        continue;
      }
      const PrepareOptions how{wish_.how.threads, 0, contender.values, storedCeilings(*info, wish_.how.threads)};
      try {
        cell.times[i].predicted =
            track_.variants.predict(track_.engines.at(contender.engine), *workload, contender.variant, how);
      } catch (const Error& error) {
        cell.times[i].reason = error.what();
      }
    }
  }

  void measure(BreakEvenCell& cell, const EmitRace& emit) {
    try {
      const Control quiet{control_.stop, {}};
      const CaseRecipe recipe = recipeOf(cell);
      const RaceWish race = raceOf(wish_, recipe, workloadOf(cell), quiet);
      const std::vector<Lane> lanes = executeRace(track_, race, emit, quiet);
      for (std::size_t i = 0; i < lanes.size(); ++i) {
        CellTime& time = cell.times[i];
        if (!lanes[i].hasFigures()) {
          time.reason = lanes[i].reason();
          continue;
        }
        time.kernel = lanes[i].kernel().median;
        time.total = lanes[i].total().median;
        cell.measured = true;
      }
    } catch (const Canceled&) {
      throw;
    } catch (const std::exception& error) {
      cell.reason = wordsOf(error);
    }
  }

  const RaceTrack& track_;
  const BreakEvenWish& wish_;
  const Control& control_;
  BreakEvenMap map_;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool enabled(const nlohmann::json& filter) { return filter.value("enabled", true); }

const nlohmann::json* filtersOf(const CaseRecipe& recipe) {
  const auto found = recipe.parameters.find("filters");
  return found == recipe.parameters.end() || !found->is_array() ? nullptr : &*found;
}

// The parameter's value in the filters or the workload; empty: there is no such number.
std::optional<double> valueOf(const CaseRecipe& recipe, const std::string& parameter) {
  if (const nlohmann::json* filters = filtersOf(recipe)) {
    if (parameter == kFilterCount)
      return static_cast<double>(std::ranges::count_if(*filters, [](const auto& each) { return enabled(each); }));
    for (const nlohmann::json& filter : *filters) {
      const auto params = filter.find("params");
      if (!enabled(filter) || params == filter.end()) continue;
      if (const auto value = params->find(parameter); value != params->end() && value->is_number())
        return value->get<double>();
    }
    return {};
  }
  if (const auto value = recipe.parameters.find(parameter); value != recipe.parameters.end() && value->is_number())
    return value->get<double>();
  const Option* option = findOption(optionsOf(recipe), parameter);
  if (option == nullptr) return {};
  if (option->type == OptionType::Integer) return static_cast<double>(std::get<std::int64_t>(option->fallback));
  if (option->type == OptionType::Real) return std::get<double>(option->fallback);
  return {};
}

}  // namespace

std::optional<CellWinner> winnerOf(const BreakEvenCell& cell, CellTimes which) {
  std::optional<CellWinner> winner;
  double best = 0, next = 0;
  for (std::size_t i = 0; i < cell.times.size(); ++i) {
    const double time = timeOf(cell.times[i], which);
    if (!(time > 0)) continue;
    if (!winner || time < best) {
      next = winner ? best : 0;
      best = time;
      winner = CellWinner{i, 1, which != CellTimes::Predicted};
    } else if (next == 0 || time < next) {
      next = time;
    }
  }
  if (winner && next > 0) winner->factor = next / best;
  return winner;
}

ModelError modelError(const BreakEvenMap& map) {
  std::vector<double> factors;
  ModelError error;
  for (const BreakEvenCell& cell : map.cells) {
    for (const CellTime& time : cell.times)
      if (time.predicted > 0 && time.kernel > 0)
        factors.push_back(std::max(time.kernel / time.predicted, time.predicted / time.kernel));
    const auto predicted = winnerOf(cell, CellTimes::Predicted), measured = winnerOf(cell, CellTimes::Kernel);
    if (!predicted || !measured) continue;
    ++error.winners;
    if (predicted->contender == measured->contender) ++error.sameWinner;
  }
  error.count = factors.size();
  if (factors.empty()) return error;
  error.typical = spreadOf(factors).median;
  error.largest = *std::ranges::max_element(factors);
  return error;
}

CaseRecipe withParameter(CaseRecipe recipe, const std::string& parameter, double value) {
  nlohmann::json number = value;
  if (std::floor(value) == value && std::abs(value) < 1e9) number = static_cast<std::int64_t>(value);
  const auto filters = recipe.parameters.find("filters");
  if (filters == recipe.parameters.end()) {
    recipe.parameters[parameter] = number;
    return recipe;
  }
  if (parameter == kFilterCount) {
    *filters = countedFilters(*filters, value);
    return recipe;
  }
  bool found = false;
  for (nlohmann::json& filter : *filters)
    if (hasParameter(filter, parameter)) {
      filter["params"][parameter] = number;
      found = true;
    }
  if (!found) throw Error(ErrorKind::Usage, "no filter has an option " + parameter, "let another one vary");
  return recipe;
}

BreakEvenMap breakEven(const RaceTrack& track, const BreakEvenWish& wish,
                       const std::function<void(const BreakEvenMap&)>& filled, const EmitRace& emit,
                       const Control& control) {
  return Mapping(track, wish, control).run(filled, emit);
}

std::vector<double> numbersFrom(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view one = trimmed(text.substr(at, comma - at));
    double value = 0;
    const auto [end, code] = std::from_chars(one.data(), one.data() + one.size(), value);
    if (one.empty() || code != std::errc() || end != one.data() + one.size() || !std::isfinite(value))
      throw Error(ErrorKind::Usage, "\"" + std::string(one) + "\" is not a number", "write numbers such as 1,2.5,4");
    numbers.push_back(value);
    at = comma + 1;
  }
  if (numbers.size() > kMostOnAxis)
    throw Error(ErrorKind::Usage, "an axis of the map takes at most " + std::to_string(kMostOnAxis) + " numbers",
                "leave some out");
  return numbers;
}

std::vector<std::int64_t> edgesFrom(std::string_view text) {
  std::vector<std::int64_t> edges;
  for (const double value : numbersFrom(text)) {
    if (!(value >= 1 && value <= static_cast<double>(kLongestEdge)) || value != std::floor(value))
      throw Error(ErrorKind::Usage, "an edge is a whole number from 1 to " + std::to_string(kLongestEdge),
                  "write edges such as 32, 64, 128");
    edges.push_back(static_cast<std::int64_t>(value));
  }
  return edges;
}

void requireDistinct(const BreakEvenAxes& axes) {
  const auto require = [](const std::string& what, auto numbers) {
    std::ranges::sort(numbers);
    const auto twice = std::ranges::adjacent_find(numbers);
    if (twice == numbers.end()) return;
    throw Error(ErrorKind::Usage, "the map has " + what + plainNumber(static_cast<double>(*twice)) + " twice",
                "name each once");
  };
  require("edge ", axes.edges);
  require(axes.parameter + "=", axes.values);
}

std::string axisText(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", value);
  return text;
}

std::vector<std::string> variedParameters(const CaseRecipe& recipe) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end() && valueOf(recipe, name)) names.push_back(name);
  };
  if (const nlohmann::json* filters = filtersOf(recipe)) {
    for (const nlohmann::json& filter : *filters)
      if (const auto params = filter.find("params"); enabled(filter) && params != filter.end() && params->is_object())
        for (const auto& [name, value] : params->items()) add(name);
    add(kFilterCount);
  } else {
    for (const Option& option : optionsOf(recipe))
      if (option.name != "seed") add(option.name);
  }
  return names;
}

std::vector<double> proposedValues(const CaseRecipe& recipe, const std::string& parameter) {
  const std::optional<double> now = valueOf(recipe, parameter);
  if (!now) return {};
  if (parameter == kFilterCount) return {1, 2, 4, 8, 16};
  // Odd sizes of windows stay odd, and orders stay whole numbers.
  const bool whole = *now == std::floor(*now) && *now >= 3, odd = whole && std::fmod(*now, 2) == 1;
  if (odd) return {*now, 2 * *now - 1, 4 * *now - 3, 8 * *now - 7};
  if (whole || *now <= 0) return {*now, *now == 0 ? 1 : 2 * *now};
  return {*now / 2, *now, 2 * *now, 4 * *now};
}

std::vector<std::int64_t> proposedEdges(const CaseRecipe& recipe) {
  if (recipe.data.spec.extent[2] == 1) return {256, 512, 1024, 2048};
  return {32, 64, 96, 128};
}

}  // namespace sscope::compare
