#pragma once
// Other libraries are in a program of their own, sscope-peers, which is sscope with them: not every build has it, and
// their shared libraries do not slow down every start.

namespace sscope::cli {

// If the arguments of bench or compare name an engine of another library (peers, peer:ID), becomes sscope-peers beside
// the running program, with the same arguments. Throws Error(Usage) if it is not there. Otherwise returns.
void becomePeerProgramIfNamed(int argc, char** argv);

}  // namespace sscope::cli
