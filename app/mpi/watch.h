#pragma once
// A thread beside the work of a rank: it hears when another rank has failed, and notices when one is gone that told
// nobody. Each rank is watched by the next one, the last by the first.

#include <mpi.h>

#include <chrono>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/mpi/outcome.h"

namespace sscope::mpi {

class Watch {
 public:
  using Seconds = std::chrono::duration<double>;

  // Of the ranks of `comm`, which nothing else uses. A rank is lost after `patience` without a sign of life; 0: never.
  // `hosts`: the machine of each rank. `outcome` outlives it.
  Watch(MPI_Comm comm, Outcome& outcome, Seconds patience, std::vector<std::string> hosts);
  ~Watch();  // stops
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Tells every other rank. Returns when MPI has taken the messages, or after a short while.
  void tell(const Failure& failure);

 private:
  void run(const std::stop_token& stop);
  void beat();
  void hear();
  void countSilence(Seconds passed);

  // A sentence on its way: a rank that is lost may never take it, and MPI reads it until then.
  struct Told {
    std::string text;
    std::vector<MPI_Request> requests;
  };

  MPI_Comm comm_;
  Outcome& outcome_;
  Seconds patience_, silence_{0}, sinceBeat_{0};
  std::vector<std::string> hosts_;
  int rank_ = 0, size_ = 1;
  std::mutex telling_;
  std::list<Told> told_;
  std::jthread thread_;  // last: it is the first to end
};

}  // namespace sscope::mpi
