#pragma once
// The processor's clock from the time that a chain of dependent instructions takes.

namespace sscope::cpu {

// MHz of the core that the calling thread is on; takes some 0.2 ms. A multiplication of 64-bit integers waits three
// cycles for the one before it on Intel's processors since 2008 and on AMD's since 2017; elsewhere the figure is off by
// a constant factor, which comparisons do not feel. 0 where this program has no such chain.
[[nodiscard]] double serialMegahertz();

}  // namespace sscope::cpu
