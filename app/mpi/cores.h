#pragma once
// How the ranks of a machine share its cores.

#include <mpi.h>

namespace sscope::mpi {

// Every rank: the cores that this one may use (mpirun and Slurm bind ranks to some), each divided by the ranks of the
// machine that may use it too; at least 1.
[[nodiscard]] int coresShare(MPI_Comm comm);

}  // namespace sscope::mpi
