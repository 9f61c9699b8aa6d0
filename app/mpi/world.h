#pragma once
// The processes that mpirun started together, from MPI's beginning to its end, and how their job ends: on all of them
// in the same way, with one sentence for all.

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/mpi/mpi_ranks.h"
#include "app/mpi/outcome.h"
#include "app/mpi/watch.h"

namespace sscope::mpi {

// How this process is to end.
struct Ending {
  int status = 0;        // its exit status, the same for all ranks
  std::string sentence;  // to be told by this one; empty: by another, or there is nothing to tell
  bool alone = false;    // some rank does not answer any more: the others are to be killed
};

class World {
 public:
  // Starts MPI. Every process makes one, once, before other threads use MPI. Throws Error(Unsupported) where this MPI
  // allows one thread only.
  World(int& argc, char**& argv);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] MpiRanks& ranks() { return *ranks_; }
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }  // of each rank
  // This rank's fair share of the processor's cores that it may use; at least 1.
  [[nodiscard]] int cores() const { return cores_; }
  // Called, on any thread, when a rank fails: its work is to be canceled.
  void listen(std::function<void(const Failure&)> listener) { outcome_.listen(std::move(listener)); }

  // Every rank: how its work ended, by an error or a status. `signaled`: by a signal to this process; it waits for
  // nobody then. Returns when all have told, or when one of them no longer answers.
  [[nodiscard]] Ending conclude(const std::exception_ptr& own, int status, bool signaled);
  // Every rank that conclude() left with a status and neither alone nor by a signal: waits, not for long, until the
  // sentence has been told. A process that leaves a failed job first has mpirun end the others.
  void awaitTold();
  // After a job that went well on all ranks: ends MPI.
  void finish();
  // Ends this process at once, and where `ending.alone` the others too.
  [[noreturn]] static void end(const Ending& ending);

 private:
  enum class Wait { Over, Lost, Stuck };
  [[nodiscard]] Wait await(MPI_Request& request, const std::function<void()>& whileWaiting = {});
  [[nodiscard]] Ending concludeSignaled();
  [[nodiscard]] Ending without(Wait wait, int status, const std::string& ownSentence) const;

  Outcome outcome_;
  MPI_Comm control_ = MPI_COMM_NULL;
  std::unique_ptr<MpiRanks> ranks_;
  std::vector<std::string> hosts_;
  int cores_ = 1;
  std::unique_ptr<Watch> watch_;
};

}  // namespace sscope::mpi
