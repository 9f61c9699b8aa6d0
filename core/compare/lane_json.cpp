#include "core/compare/capsule.h"
#include "core/compare/checked_json.h"

#include <algorithm>
#include <limits>

#include "core/base/words.h"

namespace sscope::compare {

namespace {

using nlohmann::json;

constexpr std::size_t kMostSamples = 1000000, kMostSlabs = 4096, kMostBuffers = 256;
constexpr std::int64_t kMost = std::int64_t{1} << 48;
constexpr double kAnyRate = 1e15, kAnyWork = 1e30;

json boxJson(const Box& box) { return {box.begin[0], box.begin[1], box.begin[2], box.end[0], box.end[1], box.end[2]}; }

Box boxFrom(const CheckedJson& value) {
  const std::vector<CheckedJson> numbers = value.list(6);
  if (numbers.size() != 6) value.refuse("must have six numbers");
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.begin[axis] = numbers[axis].whole(0, kMost);
    box.end[axis] = numbers[3 + axis].whole(box.begin[axis], kMost);
  }
  return box;
}

Phases phasesFrom(const CheckedJson& value) {
  return {value.at("compile_s").seconds(),  value.at("upload_s").seconds(),  value.at("kernel_s").seconds(),
          value.at("download_s").seconds(), value.at("overlap_s").seconds(), value.at("total_s").seconds()};
}

json verificationJson(const Verification& found) {
  json object{{"verified", found.verified},
              {"rel_l2", found.relativeL2},
              {"max_ulp", found.maximumUlp},
              {"compared", found.compared},
              {"coverage", found.coverage}};
  if (found.full) object["full"] = true;
  if (found.wrong > 0) object["wrong"] = found.wrong;
  if (!found.failure.empty()) object["failure"] = shortened(found.failure, kLongestText);
  return object;
}

// Errors of wrong results may be NaN or infinite, which are null in JSON.
Verification verificationFrom(const CheckedJson& value) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  Verification found;
  found.verified = value.at("verified").truth();
  const double missing = found.verified ? 0 : kNone;
  found.relativeL2 = value.number("rel_l2", 0, kAnyWork, missing);
  found.maximumUlp = value.number("max_ulp", 0, kAnyWork, missing);
  found.compared = value.whole("compared", 0, INT64_MAX, 0);
  found.coverage = value.text("coverage", "");
  found.full = value.truth("full", false);
  found.wrong = value.whole("wrong", 0, INT64_MAX, 0);
  found.failure = value.text("failure", "");
  return found;
}

std::optional<RowClock> clockFrom(const CheckedJson& row) {
  const auto value = row.find("clock");
  if (!value) return {};
  RowClock clock;
  clock.first = value->at("first_mhz").number(0, 1e6);
  clock.last = value->at("last_mhz").number(0, 1e6);
  clock.lowest = value->at("lowest_mhz").number(0, 1e6);
  clock.highest = value->at("highest_mhz").number(0, 1e6);
  clock.memory = value->number("memory_mhz", 0, 1e6, 0);
  if (const auto limits = value->find("limits"))
    for (const CheckedJson& limit : limits->list(32)) clock.limits.push_back(limit.text());
  return clock;
}

Ceilings roofsFrom(const CheckedJson& value) {
  const auto rate = [&](const char* key) { return value.number(key, 0, kAnyRate, 0); };
  Ceilings roofs;
  roofs.gflopsF32 = rate("gflops_f32");
  roofs.gflopsF64 = rate("gflops_f64");
  roofs.gbs = rate("gbs");
  roofs.threads = static_cast<int>(value.whole("threads", 0, 1 << 20, 1));
  roofs.date = value.text("date", "");
  roofs.gflopsLoaded = rate("gflops_loaded");
  roofs.gopsInteger = rate("gops_integer");
  roofs.gbsCache = rate("gbs_cache");
  roofs.gbsLocal = rate("gbs_local");
  return roofs;
}

Precision precisionFrom(const CheckedJson& value) {
  const std::string name = value.text();
  for (const Precision precision : {Precision::f32, Precision::f64})
    if (name == toString(precision)) return precision;
  value.refuse("must be f32 or f64");
}

EngineKind engineKindFrom(const CheckedJson& value) {
  const std::string name = value.text();
  for (const EngineKind kind : {EngineKind::Cpu, EngineKind::OpenCl, EngineKind::Cuda, EngineKind::Peer})
    if (name == toString(kind)) return kind;
  value.refuse("is no kind of engine");
}

// The members of a row that ran.
void addFigures(Measurement& m, const CheckedJson& row) {
  m.samples = row.at("samples_s").numbers(0, 1e9, kMostSamples);
  m.batch = static_cast<int>(row.whole("batch", 1, 1000000, 1));
  m.phases = phasesFrom(row.at("phases"));
  m.operations = row.at("flops").number(0, kAnyWork);
  m.executedOperations = row.number("executed_flops", 0, kAnyWork, 0);
  m.predictedSeconds = row.number("predicted_s", 0, 1e12, 0);
  m.bytes = row.at("bytes").number(0, kAnyWork);
  m.caches = row.text("caches", "");
  if (const auto stolen = row.find("stolen_share")) m.stolen = stolen->number(0, 1);
  m.clock = clockFrom(row);
  m.ceilingsOf = row.text("peak_engine", "");
}

Measurement rowFrom(const CheckedJson& row) {
  Measurement m;
  m.workload = row.at("workload").text();
  m.variant = row.at("variant").text();
  m.engine = row.at("engine").text();
  m.engineName = row.text("engine_name", "");
  const std::vector<CheckedJson> shape = row.at("shape").list(3);
  if (shape.size() != 3) row.at("shape").refuse("must have three numbers");
  for (std::size_t axis = 0; axis < 3; ++axis) m.shape[axis] = shape[axis].whole(0, kMost);
  m.params = row.at("params").object();
  m.input = row.at("input").text();
  m.precision = precisionFrom(row.at("precision"));
  m.skipped = row.text("skipped", "");
  m.failed = row.text("failed", "");
  if (!m.skipped.empty()) return m;
  m.ran = row.text("ran", "");
  m.twinOf = row.text("memory_only_twin_of", "");
  m.lowerPrecision = row.text("lower_precision", "");
  m.threads = static_cast<int>(row.whole("threads", 0, 1 << 20, 1));
  m.approximate = row.truth("approximate", false);
  m.otherFilter = m.approximate && row.truth("another_filter", false);
  m.verification = verificationFrom(row);
  if (const auto launch = row.find("launch"))
    for (const auto& [name, value] : launch->object().items())
      m.launch[name] = CheckedJson(value, "launch." + name).number(-kAnyWork, kAnyWork);
  if (!m.failed.empty()) return m;
  addFigures(m, row);
  if (!m.verification.verified && !m.approximate && m.twinOf.empty())
    row.refuse("has times of a result that was not verified");
  if (m.verification.verified && m.twinOf.empty() && m.verification.compared == 0)
    row.refuse("has times of a result of which nothing was compared");
  return m;
}

json slabJson(const SlabTime& slab) {
  json object{{"box", boxJson(slab.box)},
              {"begin_s", slab.begin},
              {"end_s", slab.end},
              {"phases", sscope::toJson(slab.phases)}};
  for (const RunSpan& span : slab.spans)
    object["spans"].push_back(
        {{"what", shortened(span.what, kLongestText)}, {"begin_s", span.begin}, {"end_s", span.end}});
  return object;
}

SlabTime slabFrom(const CheckedJson& value) {
  SlabTime slab{boxFrom(value.at("box")), value.at("begin_s").seconds(), value.at("end_s").seconds(),
                phasesFrom(value.at("phases"))};
  if (const auto spans = value.find("spans"))
    for (const CheckedJson& span : spans->list(RunTrace::kMostSpans))
      slab.spans.push_back({span.at("what").text(), span.at("begin_s").seconds(), span.at("end_s").seconds()});
  std::ranges::stable_sort(slab.spans, {}, &RunSpan::begin);
  return slab;
}

json firstJson(const FirstResult& first) {
  json slabs = json::array(), buffers = json::array();
  for (const SlabTime& slab : first.slabs) slabs.push_back(slabJson(slab));
  for (std::size_t i = 0; i < std::min(first.buffers.size(), kMostBuffers); ++i) {
    const PlanBuffer& one = first.buffers[i];
    json& buffer = buffers.emplace_back(
        json{{"what", shortened(one.what, kLongestText)}, {"bytes", one.bytes}, {"on_device", one.onDevice}});
    if (!one.engine.empty()) buffer["engine"] = shortened(one.engine, kLongestText);
  }
  return {{"seconds", first.seconds},
          {"phases", sscope::toJson(first.phases)},
          {"slabs", std::move(slabs)},
          {"verification", verificationJson(first.verification)},
          {"plan", shortened(first.plan, kLongestText)},
          {"buffers", std::move(buffers)},
          {"scratch_bytes", first.scratchBytes},
          {"input_bytes", first.memory.input},
          {"output_bytes", first.memory.outputs},
          {"device_buffer_bytes", first.memory.device.buffers},
          {"device_result_bytes", first.memory.device.results},
          {"device_budget_bytes", first.memory.device.budget}};
}

FirstResult firstFrom(const CheckedJson& value) {
  FirstResult first;
  first.seconds = value.at("seconds").seconds();
  first.phases = phasesFrom(value.at("phases"));
  for (const CheckedJson& slab : value.at("slabs").list(kMostSlabs)) first.slabs.push_back(slabFrom(slab));
  if (const auto buffers = value.find("buffers"))
    for (const CheckedJson& one : buffers->list(kMostBuffers))
      first.buffers.push_back({one.at("what").text(), one.at("bytes").whole(0, INT64_MAX),
                               one.truth("on_device", false), one.text("engine", "")});
  first.verification = verificationFrom(value.at("verification"));
  first.plan = value.text("plan", "");
  const auto bytes = [&value](const char* name) { return value.whole(name, 0, INT64_MAX, 0); };
  first.scratchBytes = bytes("scratch_bytes");
  first.memory = {bytes("input_bytes"),
                  bytes("output_bytes"),
                  {bytes("device_result_bytes"), bytes("device_buffer_bytes"), bytes("device_budget_bytes")}};
  return first;
}

}  // namespace

json toJson(const Lane& lane) {
  json object{{"row", sscope::toJson(lane.measurement)},
              {"kind", toString(lane.measurement.engineKind)},
              {"totals_s", lane.totals},
              {"why", shortened(lane.why, kLongestText)}};
  if (lane.measurement.ceilings) object["roofs"] = sscope::toJson(*lane.measurement.ceilings);
  if (lane.first) object["first"] = firstJson(*lane.first);
  const LaneMarks& marks = lane.marks;
  if (marks.beside > 0 || marks.repeated > 0)
    object["marks"] = {{"beside", marks.beside},
                       {"other_cores", marks.otherCores},
                       {"stolen_cores", marks.stolenCores},
                       {"repeated", marks.repeated},
                       {"kept", marks.kept}};
  return object;
}

Lane laneFrom(const CheckedJson& value) {
  Lane lane;
  lane.measurement = rowFrom(value.at("row"));
  lane.measurement.engineKind = engineKindFrom(value.at("kind"));
  if (const auto roofs = value.find("roofs")) lane.measurement.ceilings = roofsFrom(*roofs);
  lane.totals = value.at("totals_s").numbers(0, 1e9, kMostSamples);
  lane.why = value.text("why", "");
  if (const auto first = value.find("first")) lane.first = firstFrom(*first);
  if (const auto marks = value.find("marks")) {
    lane.marks.beside = static_cast<std::size_t>(marks->whole("beside", 0, INT32_MAX, 0));
    lane.marks.otherCores = marks->number("other_cores", 0, 1e6, 0);
    lane.marks.stolenCores = marks->number("stolen_cores", 0, 1e6, 0);
    lane.marks.repeated = static_cast<std::size_t>(marks->whole("repeated", 0, INT32_MAX, 0));
    lane.marks.kept = static_cast<std::size_t>(marks->whole("kept", 0, INT32_MAX, 0));
  }
  return lane;
}

}  // namespace sscope::compare
