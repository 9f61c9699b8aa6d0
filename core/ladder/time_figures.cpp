// The stacked bars of "Convolution Soup": the share of each rung's time that moves data. Ladders without figures of
// their own are drawn the same way.

#include <algorithm>

#include "core/ladder/ladder.h"
#include "core/ladder/ladder_kind.h"
#include "core/measure/table.h"
#include "core/report/figure_data.h"

namespace sscope {

namespace {

constexpr const char* kUsualBlock = "16x16";

// "shared-coalesced 16x8", "shared-coalesced, pitch=unaligned"; the talk's usual block is not written.
std::string categoryOf(const std::string& variant, nlohmann::json params) {
  std::string text = variant;
  if (const auto block = params.find("block"); block != params.end() && block->is_string()) {
    if (*block != kUsualBlock) text += " " + block->get<std::string>();
    params.erase(block);
  }
  const std::string rest = parameterText(params);
  return rest.empty() ? text : text + ", " + rest;
}

// Adds the bar of one rung, in ms; memory < 0: not known.
struct Bar {
  std::string category, stack;
  double total = 0, memory = -1;
  std::string label{};
  std::optional<std::size_t> measurement{}, twin{};
};

template <class Make>
void addBar(Figure& figure, const Bar& bar, Make&& make) {
  const auto x = static_cast<double>(placeOf(figure.categories, bar.category));
  const auto part = [&](const std::string& name, double length, std::optional<std::size_t> measurement) {
    const std::string series = (name.empty() ? "" : name + ", ") + bar.stack;
    seriesOf(figure, series, [&] {
      FigureSeries made = make(series);
      made.variant.clear();
      made.stack = bar.stack;
      made.part = name;
      return made;
    }).points.push_back({x, length, length, bar.label, measurement});
  };
  if (bar.memory < 0) return part("", bar.total, bar.measurement);
  const double memory = std::min(bar.memory, bar.total);
  part("memory", memory, bar.twin);
  part("compute", bar.total - memory, bar.measurement);
}

const Entry* twinOf(const FigureInput& input, const Entry& entry) {
  for (const Entry& other : input.entries)
    if (other.m->twinOf == entry.m->variant && other.m->engine == entry.m->engine && other.own == entry.own)
      return &other;
  return nullptr;
}

void addPublished(Figure& figure, const FigureInput& input, const std::string& source) {
  for (const PublishedValue* value : input.published) {
    if (value->quantity != "kernel_s") continue;
    Bar bar{categoryOf(value->variant, value->params), value->hardware, 1e3 * value->value};
    bar.label = bar.category + ": " + shortNumber(bar.total) + " ms";
    for (const PublishedValue* memory : input.published)
      if (memory->quantity == "memory_s" && memory->variant == value->variant && memory->params == value->params &&
          memory->hardware == value->hardware) {
        bar.memory = 1e3 * memory->value;
        bar.label += ", memory only " + shortNumber(bar.memory) + " ms";
      }
    bar.label += " (" + value->hardware + "; " + value->source + ")";
    addBar(figure, bar, [&](const std::string& name) {
      FigureSeries made = publishedSeries(*value, name);
      if (!source.empty()) made.source = source;
      return made;
    });
  }
}

}  // namespace

std::vector<Figure> timeFigures(std::string_view workload, std::span<const Measurement> measurements,
                                std::span<const PublishedValue> published, const TimeFigureWords& words) {
  const FigureInput input = figureInput(workload, measurements, published, {});
  Figure figure;
  figure.id = input.workload + "-stack";
  figure.title = "Time of each rung";
  figure.kind = FigureKind::StackedBars;
  figure.y = {"time", "ms", false};
  // Rungs of the talk in its order, then the others.
  for (const PublishedValue* value : input.published)
    if (value->quantity == "kernel_s")
      static_cast<void>(placeOf(figure.categories, categoryOf(value->variant, value->params)));
  bool twins = false;
  for (const Entry& entry : input.entries) {
    if (!entry.m->twinOf.empty()) continue;
    Bar bar{categoryOf(entry.m->variant, entry.own), entry.m->engine, 1e3 * entry.m->spread().median};
    bar.label = bar.category + ", " + bar.stack + ": " + shortNumber(bar.total) + " ms";
    bar.measurement = entry.index;
    if (const Entry* twin = twinOf(input, entry)) {
      bar.memory = 1e3 * twin->m->spread().median;
      bar.twin = twin->index;
      bar.label += ", memory only " + shortNumber(bar.memory) + " ms";
      twins = true;
    }
    addBar(figure, bar, [&](const std::string& name) { return measuredSeries(entry, name); });
  }
  addPublished(figure, input, words.source);
  figure.note = "Measured: " + input.setting + ".";
  if (twins || words.twins) {
    figure.title += ", memory and compute";
    figure.note +=
        " Memory is the time of the rung's twin, which moves the same data without the arithmetic; "
        "compute is the rest. Rungs without a twin are one piece.";
  }
  figure.note += words.note;
  return {figure};
}

std::vector<Figure> figuresOf(std::string_view workload, std::span<const Measurement> measurements,
                              std::span<const PublishedValue> published) {
  std::vector<Figure> figures;
  const LadderKind* ladder = findLadderKind(workload);
  if (ladder != nullptr)
    figures = ladder->figures ? ladder->figures(workload, measurements, published)
                              : timeFigures(workload, measurements, published);
  std::erase_if(figures, [](const Figure& figure) { return !hasMeasured(figure); });
  if (!figures.empty())
    for (Figure& table : publishedTables(workload, published)) figures.push_back(std::move(table));
  return figures;
}

}  // namespace sscope
