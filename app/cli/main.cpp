// sscope, and sscope-peers: the command line. main() only starts things and catches.

#include <iostream>

#ifndef SSCOPE_WITH_PEERS
#include "app/cli/peer_program.h"
#endif
#include "app/cli/entry.h"
#include "core/base/words.h"

namespace {

using namespace sscope;
using namespace sscope::cli;

int fail(const std::string& message, int status) {
  tellError(message);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
#ifndef SSCOPE_WITH_PEERS
    becomePeerProgramIfNamed(argc, argv);
#endif
    Interrupt interrupt;
    ProgressLine progress;
    const auto alone = reach::loneRank();
    Program program{interrupt, progress, *alone};
    const int status = runCommandLine(sscopeCommands(), argc, argv, program);
    std::cout.flush();
    interrupt.done(status);
    return status;
  } catch (const Canceled& canceled) {
    fail(canceled.what(), kFailed);
    if (Interrupt::received() != 0) Interrupt::endBySignal();
    return kFailed;
  } catch (const Error& error) {
    return fail(error.what(), statusOf(error.kind()));
  } catch (const std::exception& error) {
    return fail(wordsOf(error), kFailed);
  }
}
