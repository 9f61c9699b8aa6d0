#pragma once
// The ranks of a communicator of MPI.

#include <mpi.h>

#include <memory>
#include <string>

#include "app/mpi/outcome.h"
#include "core/parts/communicator.h"
#include "core/parts/rank_error.h"

namespace sscope::mpi {

class MpiRanks final : public reach::Communicator {
 public:
  // All processes that `group` has; its messages are apart from others'. Every process of the group makes one at the
  // same time. Throws Error(Io), and as Outcome::check. `outcome` outlives it.
  MpiRanks(MPI_Comm group, const Outcome& outcome);
  ~MpiRanks() override;
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int localRank() const override { return localRank_; }
  [[nodiscard]] int localSize() const override { return localSize_; }

  [[nodiscard]] std::unique_ptr<reach::Exchange> begin(std::span<const reach::Send> sends,
                                                       std::span<const reach::Receive> receives,
                                                       std::shared_ptr<const void> keeps) override;
  [[nodiscard]] std::vector<double> gather(std::span<const double> values, const Control& control) override;
  void broadcast(std::span<std::byte> bytes, int root, const Control& control) override;
  void barrier(const Control& control) override;
  void agree(const std::exception_ptr& own, const Control& control) override;

  // Every rank: the first `count` of them by themselves, for measurements; null on the others. Destroyed by all that
  // have it.
  [[nodiscard]] std::unique_ptr<MpiRanks> first(int count, const Control& control);

 private:
  // Waits for what all ranks do together. `keeps`: memory that MPI uses; if the wait ends early, it is never freed.
  void await(MPI_Request& request, const std::shared_ptr<const void>& keeps, const Control& control) const;

  const Outcome& outcome_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1, localRank_ = 0, localSize_ = 1;
};

// An error as the bytes that travel, and back.
[[nodiscard]] std::string packed(const reach::RankError& error);
[[nodiscard]] reach::RankError unpacked(const std::string& text);

}  // namespace sscope::mpi
