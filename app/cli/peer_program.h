#pragma once
// Other libraries are in a separate program, sscope-peers, which is sscope with these libraries: not every build has
// it, and loading them would slow down every start.

namespace sscope::cli {

// If the arguments of bench or compare name an engine of another library (peers, peer:ID), replaces the process by
// sscope-peers from the same folder, with the same arguments. Throws Error(Usage) if it does not exist. Otherwise
// returns.
void becomePeerProgramIfNamed(int argc, char** argv);

}  // namespace sscope::cli
