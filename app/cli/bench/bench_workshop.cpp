#include "app/cli/bench/bench_workshop.h"

#ifdef SSCOPE_WITH_PEERS
#include "app/peers/peers.h"
#endif

namespace sscope::cli {

Workshop makeBenchWorkshop() {
  Workshop workshop = makeWorkshop();
#ifdef SSCOPE_WITH_PEERS
  addPeerEngines(workshop.engines);
  addPeerVariants(workshop.variants);
#endif
  return workshop;
}

}  // namespace sscope::cli
