#pragma once
// Measurements that the papers state, shown next to ours and never mixed with them. They are in
// resources/published/*.json and embedded in the program.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace sscope {

struct PublishedValue {
  std::string workload;  // "bank"
  std::string variant;   // our name of the rung: "naive-array"; empty: the paper does not say
  nlohmann::json params = nlohmann::json::object();  // as in Measurement::params; those the paper states
  std::string hardware;                              // "NVIDIA GeForce 8800 GT"
  // kernel_s    time of one run            memory_s     of the same with the arithmetic left out
  // filter_s    time for each filter of a bank
  // gflops      mean rate over the filter sizes, 2 operations a tap
  // tiling      mean tiling factor         occupancy    mean, 0..1
  // relative    performance over that of the rung below tiling
  // kernel_share      of the time that a trace covers, 0..1, of the kernel in params
  // speedup_threads   over the paper's program for all threads of its processor
  // cycles, instructions, l1d_accesses, l1d_misses, l2_misses   hardware counters of one run
  // program_s, program_speedup   of a whole program that uses the workload, over its run on one process
  // gflops_per_device   of each of several devices that share a computation
  // fp64_units, clock_mhz, peak_gflops, memory_mb, memory_mhz   the paper's table of devices, in double precision
  // utilization share of the peak, 0..1    peak_gmacs   peak as the paper counts it: multiply-adds are one operation
  std::string quantity;
  double value = 0;
  std::string source;  // where the paper states it: "The first naive implementation", "table 2"
  std::string unit;    // "s", "GFLOP/s"; empty: a plain number
};

// Schema "stencilscope.published/1". Throws Error(BadData) for anything else.
[[nodiscard]] std::vector<PublishedValue> parsePublished(std::string_view json);

// All of resources/published.
[[nodiscard]] const std::vector<PublishedValue>& publishedValues();

// The files of resources/published, as the build embeds them.

struct PublishedFile {
  std::string_view name;  // "bank.json"
  std::string_view text;
};

[[nodiscard]] std::span<const PublishedFile> publishedFiles();

}  // namespace sscope
