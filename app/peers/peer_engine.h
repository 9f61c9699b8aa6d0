#pragma once
// Shared by the rows of peer libraries.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/filter/workload/filter_workload.h"

namespace sscope::peers {

// The filter of another library on dense data of the row's type: reads in, fills out (already allocated), and returns
// the library's own time in seconds, without copies between its memory and ours.
using PeerFunction = std::function<double(const std::byte* in, std::byte* out, const Control& control)>;

// A peer library as an engine. Its ceilings are those of the processor's widest instruction set.
[[nodiscard]] std::unique_ptr<Engine> makePeerEngine(std::string id, std::string name);

struct PeerRow {
  std::string engine;  // "peer:itk"
  std::string name, explanation, source;
  std::string workload = "filter";
  ElementType type = ElementType::f32;  // of input and output
  bool ranks = false;                   // finds order statistics; else sums of products
  // Restrictions of this row in addition to the common ones, as half a sentence; empty if it can run.
  std::function<std::string(const FilterWorkload&)> restriction;
  std::function<PeerFunction(const FilterWorkload&, int threads)> make;
  bool otherDefinition = false;  // another filter by definition
  bool linear = true;            // takes linear filters; else those that its restriction lets pass
};

[[nodiscard]] Variant peerVariant(PeerRow row);

}  // namespace sscope::peers
