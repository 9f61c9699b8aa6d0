// At which points the figures of the magic filter's paper were taken.

#include "core/wavelet/figures/magic_orders.h"
#include "core/wavelet/figures/wavelet_figures.h"
#include "core/wavelet/magic_taps.h"

namespace sscope {

namespace {

// Tables I, II and III for processors, table IV for devices.
std::vector<SweepPart> magicParts() {
  const OptionValues lines{{"passes", std::string("lines")}};
  const OptionValues columns{{"passes", std::string("lines")}, {"transposed", true}};
  const auto pattern = [](std::string_view name) { return name.starts_with("sse-") && name != "sse-t"; };
  const auto column = [](std::string_view name) { return name.ends_with("-t"); };
  SweepPart volume{.values = {{}}}, patterns{.values = {lines}}, turned{.values = {columns}};
  volume.takes = [=](EngineKind kind, std::string_view name) { return !isDevice(kind) && !pattern(name); };
  patterns.shape = turned.shape = {5040, 32, 1};
  patterns.takes = [=](EngineKind kind, std::string_view name) { return hasThreads(kind) && !column(name); };
  turned.takes = [=](EngineKind kind, std::string_view name) {
    return hasThreads(kind) && name != "sse-t" && (column(name) || name == "tuned");
  };
  std::vector<SweepPart> parts{volume, patterns, turned};
  for (const bool inverse : {false, true})
    for (OptionValues values : {columns, OptionValues{}}) {
      if (inverse) values["direction"] = std::string("inverse");
      SweepPart part{.values = {values}};
      part.shape = {124, 132, 130};
      part.takes = [=](EngineKind kind, std::string_view name) {
        const bool backward = name == "magic-inverse";
        return isDevice(kind) && (inverse ? backward || name == "tuned" : !backward);
      };
      parts.push_back(std::move(part));
    }
  return parts;
}

// What each order of the filter costs; its accuracy follows from the taps (core/wavelet/figures/magic_orders.h).
std::vector<SweepPart> magicOrders() {
  SweepPart orders;
  for (std::int64_t order = 1; order <= kMagicMaximumOrder; ++order) orders.values.push_back({{"order", order}});
  return {orders};
}

}  // namespace

std::vector<LadderKind> waveletLadderKinds() {
  LadderKind magic{"magic", [](bool) { return magicParts(); }, magicFigures};
  magic.threads = 1;  // tables I to III are of one core, and the counters of table I can be read of one thread only
  magic.option = "order";
  magic.overOption = magicOrders;
  magic.overTable = magicOrdersTable;
  return {magic, {"dwt", [](bool) { return std::vector<SweepPart>{{.values = {{}}}}; }}};
}

}  // namespace sscope
