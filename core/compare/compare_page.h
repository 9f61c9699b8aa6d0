#pragma once
// A comparison as one HTML page that loads nothing else and holds its capsule.

#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace sscope::compare {

// A section that the caller has already written as HTML: agreement, break-even, contract.
struct PageSection {
  std::string title;
  std::string html;  // without the heading
};

// `others` are lanes in gray. The capsule is left out where another machine cannot make the case again (notPortable).
[[nodiscard]] std::string toPage(const Comparison& comparison, std::span<const Comparison> others = {},
                                 std::span<const PageSection> sections = {});

}  // namespace sscope::compare
