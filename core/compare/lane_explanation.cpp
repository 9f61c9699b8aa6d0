#include "core/compare/lane_explanation.h"

#include <algorithm>
#include <utility>

#include "core/base/words.h"
#include "core/compare/agreement.h"
#include "core/compare/lane_figures.h"
#include "core/measure/table.h"
#include "core/report/svg.h"

namespace sscope::compare {

namespace {

std::string ranWords(const Lane& lane) {
  const Measurement& m = lane.measurement;
  std::string text = (m.ran.empty() ? m.variant : m.ran) + " on " + m.engine;
  if (!m.engineName.empty()) text += " (" + m.engineName + ")";
  if (m.engineKind == EngineKind::Cpu) text += ", " + counted(m.threads, "thread");
  return text;
}

std::string whyWords(const Lane& lane) {
  if (!lane.why.empty()) return lane.why;
  const std::string& asked = lane.measurement.variant;
  return asked.empty() || asked == "auto" ? "there was nothing to choose from" : "it was asked for by name";
}

std::string workWords(const Measurement& m) {
  std::string text = shortNumber(m.operations * 1e-9) + " GFLOP counted";
  if (m.executedOperations > 0 && m.executedOperations != m.operations)
    text += ", " + shortNumber(m.executedOperations * 1e-9) + " executed";
  return text + "; " + shortNumber(m.bytes * 1e-6) + " MB have to be moved at least";
}

std::string predictionWords(const Lane& lane) {
  const double predicted = lane.measurement.predictedSeconds, took = lane.kernel().median;
  if (!(predicted > 0)) return "this variant has no prediction; it took " + durationText(took) + " without transfers";
  const double factor = took > predicted ? took / predicted : predicted / took;
  return durationText(predicted) + " without transfers; it took " + durationText(took) + ", " + shortNumber(factor) +
         (took > predicted ? " times as long" : " times as fast");
}

// The parts of a quoted run's time.
std::string phaseWords(const Lane& lane) {
  const double total = lane.total().median;
  const RunParts parts = partsOfRun(lane.measurement.phases, false, total);
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!(parts[i] > 0)) continue;
    text += (text.empty() ? "" : ", ") + std::string(kRunParts[i]) + " " + durationText(parts[i]) + " (" +
            inPercent(parts[i] / total) + ")";
  }
  return text + (lane.measurement.phases.overlap > 0 ? "; some of them at the same time" : "");
}

std::string roofWords(const Measurement& m) {
  const std::optional<double> share = m.share();
  std::string text = shortNumber(m.gflops()) + " GFLOP/s and " + shortNumber(m.gbs()) + " GB/s";
  if (!share) return text + "; the roofs of the engine were not measured";
  const double memory = m.ceilings->gbs * m.leastOperations() / m.bytes;
  return text + ", " + inPercent(*share) + " of the roof, which " +
         (memory < m.ceilings->gflops(m.precision) ? "memory" : "arithmetic") + " sets";
}

std::string launchWords(const Measurement& m) {
  std::string text;
  for (const auto& [name, value] : m.launch) text += (text.empty() ? "" : ", ") + name + " " + shortNumber(value);
  return text;
}

// The recorded spans of a slab, after its preparation.
void addSpans(const SlabTime& slab, int number, KernelTrace& trace) {
  if (const double ready = std::min(slab.end, slab.begin + slab.phases.compile); ready > slab.begin)
    trace.spans.push_back({kRunParts[0], slab.begin, ready, number});
  for (const RunSpan& span : slab.spans) {
    const double begin = std::max(slab.begin, span.begin), end = std::min(slab.end, span.end);
    if (end > begin) trace.spans.push_back({span.what, begin, end, number});
  }
}

// The slab's phases one after the other, scaled to the time that they take together.
void addPhases(const SlabTime& slab, int number, KernelTrace& trace) {
  const Phases& phases = slab.phases;
  const double apart = phases.upload + phases.kernel + phases.download;
  const double squeeze = apart > 0 ? std::max(0.0, phases.together()) / apart : 1;
  double at = slab.begin;
  const auto add = [&](const char* name, double seconds) {
    const double end = std::min(slab.end, at + seconds);
    if (end > at) trace.spans.push_back({name, at, end, number});
    at = std::max(at, end);
  };
  add(kRunParts[0], phases.compile);
  add(kRunParts[1], phases.upload * squeeze);
  add(kRunParts[2], phases.kernel * squeeze);
  add(kRunParts[3], phases.download * squeeze);
  add(kRunParts[4], slab.end - at);
}

std::vector<MemoryRow> memoryRows(const Lane& lane) {
  if (!lane.first) return {};
  const LaneMemory& memory = lane.first->memory;
  const std::string& device = lane.measurement.engine;
  std::vector<MemoryRow> rows{{"host", "input", memory.input}, {"host", "results", memory.outputs}};
  for (const PlanBuffer& one : lane.first->buffers) {
    const std::string& engine = one.engine.empty() ? device : one.engine;
    rows.push_back({one.onDevice ? engine : "host",
                    one.onDevice || one.engine.empty() ? one.what : engine + ": " + one.what, one.bytes});
  }
  if (lane.first->buffers.empty()) rows.push_back({"host", "scratch of the plan", lane.first->scratchBytes});
  if (memory.device.budget == 0) return rows;
  rows.push_back({device, "data and buffers of plans", memory.device.buffers});
  rows.push_back({device, "results that stay there", memory.device.results});
  rows.push_back({device, "the most that it takes", memory.device.budget});
  return rows;
}

}  // namespace

LaneExplanation explained(const Lane& lane) {
  LaneExplanation explanation;
  const auto add = [&](const char* topic, std::string words) {
    if (!words.empty()) explanation.rows.push_back({topic, std::move(words)});
  };
  if (!lane.hasFigures()) {
    add("no figures", lane.reason());
  } else {
    add("ran", ranWords(lane));
    add("why", whyWords(lane));
  }
  if (lane.first) add("plan", lane.first->plan);
  if (lane.hasFigures()) {
    add("work", workWords(lane.measurement));
    add("predicted", predictionWords(lane));
    add("time of a run", phaseWords(lane));
    add("reached", roofWords(lane.measurement));
    add("launch", launchWords(lane.measurement));
  }
  if (lane.first) {
    add("first result", durationText(lane.first->seconds) + " from nothing, in " +
                            std::to_string(lane.first->slabs.size()) +
                            (lane.first->slabs.size() == 1 ? " part" : " slabs"));
    for (std::size_t i = 0; i < lane.first->slabs.size(); ++i) {
      const SlabTime& slab = lane.first->slabs[i];
      (slab.spans.empty() ? addPhases : addSpans)(slab, static_cast<int>(i) + 1, explanation.slabs);
    }
  }
  explanation.memory = memoryRows(lane);
  return explanation;
}

namespace {

// Topics with words, and memory by place.
TextRows tableOf(const LaneExplanation& explanation) {
  TextRows rows{{"what", "why and how much"}};
  for (const ExplainedRow& row : explanation.rows) rows.push_back({row.topic, row.words});
  for (const MemoryRow& row : explanation.memory)
    rows.push_back(
        {"memory", row.what + " on " + row.where + ": " + shortNumber(1e-6 * static_cast<double>(row.bytes)) + " MB"});
  return rows;
}

}  // namespace

std::string explanationText(const std::vector<Lane>& lanes) {
  std::string text;
  for (const Lane& lane : lanes) text += lane.name() + "\n" + textTable(tableOf(explained(lane))) + "\n";
  return text;
}

std::string explanationHtml(const std::vector<Lane>& lanes) {
  std::string html;
  for (const Lane& lane : lanes)
    html += "<h3>" + escaped(lane.name()) + "</h3>\n" + htmlTable(tableOf(explained(lane)));
  return html;
}

std::string explanationCsv(const std::vector<Lane>& lanes) {
  TextRows rows{{"lane", "topic", "words"}};
  for (const Lane& lane : lanes) {
    const LaneExplanation explanation = explained(lane);
    for (const ExplainedRow& row : explanation.rows) rows.push_back({lane.name(), row.topic, row.words});
    for (const MemoryRow& row : explanation.memory)
      rows.push_back({lane.name(), "memory on " + row.where + ": " + row.what, std::to_string(row.bytes)});
  }
  return csvTable(rows);
}

}  // namespace sscope::compare
