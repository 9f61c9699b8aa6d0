#include "core/measure/kernel_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/measure/table.h"

namespace sscope {

namespace {

constexpr int kKernels = 1, kIterations = 2;  // rows of the viewer ("threads")

nlohmann::json label(const char* what, int process, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

nlohmann::json bar(const std::string& name, int process, int thread, double start, double end, int iteration) {
  return {{"ph", "X"},
          {"name", name},
          {"pid", process},
          {"tid", thread},
          {"ts", start * 1e6},
          {"dur", (end - start) * 1e6},
          {"args", {{"iteration", iteration}}}};
}

}  // namespace

std::vector<KernelShare> kernelShares(const KernelTrace& trace) {
  std::vector<KernelShare> shares;
  double total = 0;
  for (const KernelSpan& span : trace.spans) {
    auto found = std::find_if(shares.begin(), shares.end(), [&](const auto& one) { return one.kernel == span.kernel; });
    if (found == shares.end()) found = shares.insert(shares.end(), {span.kernel, 0, 0, 0});
    ++found->launches;
    found->seconds += span.end - span.start;
    total += span.end - span.start;
  }
  for (KernelShare& one : shares) one.share = total > 0 ? one.seconds / total : 0;
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return shares;
}

std::string sharesTable(const KernelTrace& trace) {
  TextRows rows{{"kernel", "launches", "ms", "%"}};
  for (const KernelShare& one : kernelShares(trace))
    rows.push_back({one.kernel, std::to_string(one.launches), shortNumber(1e3 * one.seconds),
                    fmt::format("{:.1f}", 100 * one.share)});
  return textTable(rows);
}

nlohmann::json chromeTrace(const std::vector<NamedTrace>& traces) {
  nlohmann::json events = nlohmann::json::array();
  int process = 0;
  for (const NamedTrace& one : traces) {
    ++process;
    events.push_back(label("process_name", process, 0, one.name));
    events.push_back(label("thread_name", process, kKernels, "kernels"));
    events.push_back(label("thread_name", process, kIterations, "iterations"));
    std::map<int, std::pair<double, double>> iterations;
    for (const KernelSpan& span : one.trace.spans) {
      events.push_back(bar(span.kernel, process, kKernels, span.start, span.end, span.iteration));
      const auto [found, isNew] = iterations.try_emplace(span.iteration, span.start, span.end);
      if (!isNew) found->second.second = std::max(found->second.second, span.end);
    }
    for (const auto& [iteration, time] : iterations)
      events.push_back(bar(iteration == 0 ? "before" : "iteration " + std::to_string(iteration), process, kIterations,
                           time.first, time.second, iteration));
  }
  return {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
}

}  // namespace sscope
