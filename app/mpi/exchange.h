#pragma once
// Messages between two ranks each, on their way.

#include <mpi.h>

#include <memory>
#include <span>
#include <vector>

#include "app/mpi/outcome.h"
#include "core/parts/communicator.h"

namespace sscope::mpi {

class MpiExchange final : public reach::Exchange {
 public:
  // Begins. Messages of any length: long ones travel in pieces, which MPI keeps in order.
  MpiExchange(MPI_Comm comm, const Outcome& outcome, std::span<const reach::Send> sends,
              std::span<const reach::Receive> receives, std::shared_ptr<const void> keeps);
  // What has not ended is given up: nothing is received any more, as far as MPI can take that back, and what it still
  // may read or write is never freed.
  ~MpiExchange() override;
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  void end(const Control& control) override;

 private:
  [[nodiscard]] bool arrived();

  const Outcome& outcome_;
  std::size_t receives_ = 0;  // the first ones of requests_
  std::vector<MPI_Request> requests_;
  std::shared_ptr<const void> keeps_;
};

}  // namespace sscope::mpi
