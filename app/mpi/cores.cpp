#include "app/mpi/cores.h"

#include <sched.h>

#include <algorithm>
#include <vector>

#include "app/mpi/calls.h"

namespace sscope::mpi {

int coresShare(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  int size = 1;
  call("find the ranks of a machine",
       [&] { return MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node); });
  call("count the ranks of a machine", [&] { return MPI_Comm_size(node, &size); });
  cpu_set_t own;
  CPU_ZERO(&own);
  ::sched_getaffinity(0, sizeof own, &own);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(size));
  call("ask for the cores of the ranks",
       [&] { return MPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, node); });
  call("free a communicator", [&] { return MPI_Comm_free(&node); });
  double share = 0;
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &own))
      share += 1.0 / static_cast<double>(
                         std::ranges::count_if(all, [core](const cpu_set_t& each) { return CPU_ISSET(core, &each); }));
  constexpr double kRounding = 1e-6;
  return std::max(1, static_cast<int>(share + kRounding));
}

}  // namespace sscope::mpi
