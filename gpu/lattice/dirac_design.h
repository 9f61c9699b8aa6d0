#pragma once
// A way to apply Wilson's operator on a device: a sequence of launches.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/lattice/workload/dirac_workload.h"
#include "gpu/device/device.h"
#include "gpu/device/kernel_source.h"

namespace sscope {

// The layout of the links in device memory.
enum class LinkOrder : std::uint8_t {
  SiteDirections,  // eight a site, as the paper's first versions: U_mu(site) and U_mu(site - mu)^dagger, the sign of
                   // the boundary in time included; rows of columns
  Regrouped,       // the same by direction, transposed, columns of two neighbor sites side by side
  Planes,          // four a site: number k of U_mu of all sites, then number k + 1
  PlanesTwoRows,   // the same without the third rows
};

// The arrays that a launch reads and writes.
enum class DiracArray : std::uint8_t { Input, Output, First, Second };
// The phase of a run that a launch counts toward; reordering a field counts as transfer.
enum class DiracPhase : std::uint8_t { Upload, Kernel, Download };

// Its kernel takes dirac_common.h's arguments; rows of work items are time slices.
struct DiracStep {
  KernelSource source;
  DiracArray from = DiracArray::Input, to = DiracArray::Output;
  DiracPhase phase = DiracPhase::Kernel;
  std::int32_t direction = 0;
  std::int64_t columns = 1;  // work items of a time slice
  double operationsPerSite = 0;
};

struct DiracDesign {
  std::string variant;
  Precision stored = Precision::f64;  // links, and fields in planes
  LinkOrder links = LinkOrder::SiteDirections;
  bool neighborTable = false;
  std::vector<DiracStep> steps;
  std::int64_t sitesBeyond = 0;  // padding after the last site of the output
  double executedPerSite = 0;    // operations, if different from the counted ones
  std::string description;
};

// Definitions of dirac_common.h, in the source's precision; `stored`: the type FIELD.
void defineDirac(KernelSource& source, const DiracWorkload& workload, bool neighborTable,
                 Precision stored = Precision::f64);
// Definitions of dirac_spin.h.
void defineSpin(KernelSource& source, const DiracWorkload& workload, bool sparse);

// The links in this layout.
[[nodiscard]] std::vector<double> orderedLinks(const DiracWorkload& workload, LinkOrder order);
// The numbers as bytes in this precision.
[[nodiscard]] std::vector<std::byte> bytesOf(std::span<const double> numbers, Precision precision);
// Eight a site: ahead along x y z t, then back.
[[nodiscard]] std::vector<std::int32_t> neighborTable(const lattice::Lattice& lattice);

}  // namespace sscope
