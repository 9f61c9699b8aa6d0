#pragma once
// Ranks that share one job: processes of one or several machines (MPI), threads of one process with a device each, or
// a process by itself. Learned from QUDA's communicator: whoever computes knows ranks and messages, not what carries
// them.

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.h"

namespace sscope::reach {

// To or from another rank, which names the same tag. Bytes stay where they are until the exchange has ended, or longer
// (Communicator::begin).
struct Send {
  int rank = 0;
  int tag = 0;  // 0..32767
  std::span<const std::byte> bytes;
};
struct Receive {
  int rank = 0;
  int tag = 0;
  std::span<std::byte> bytes;
};

// Messages on their way.
class Exchange {
 public:
  virtual ~Exchange() = default;  // waits for nothing; what is not ended is given up
  // Waits until everything has come and may be written again. Throws Canceled, or Error(Io) when a rank is lost.
  virtual void end(const Control& control) = 0;
};

// Calls that say "every rank" must be made by every rank, in the same order. All waits are canceled within 100 ms, and
// end when another rank fails: its work has thrown, of which whoever started the ranks tells the others, or it is gone.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual int rank() const = 0;  // 0..size() - 1
  [[nodiscard]] virtual int size() const = 0;
  // This rank's number among those of its machine, from 0, and how many they are: for devices and cores.
  [[nodiscard]] virtual int localRank() const = 0;
  [[nodiscard]] virtual int localSize() const = 0;

  // Messages to a rank itself are allowed. Several exchanges may be on their way with different tags. `keeps` owns all
  // the bytes: of an exchange that was given up, MPI may still read and write them, and they are kept as long as it
  // may.
  [[nodiscard]] virtual std::unique_ptr<Exchange> begin(std::span<const Send> sends, std::span<const Receive> receives,
                                                        std::shared_ptr<const void> keeps = {}) = 0;
  // Every rank: the values of all ranks one after the other, in the order of the ranks; each may give another number.
  // Sums in a fixed order are made of this.
  [[nodiscard]] virtual std::vector<double> gather(std::span<const double> values, const Control& control) = 0;
  // Every rank: what `root` has; all give as many bytes.
  virtual void broadcast(std::span<std::byte> bytes, int root, const Control& control) = 0;
  // Every rank: waits for all.
  virtual void barrier(const Control& control) = 0;
  // Every rank: returns if no rank has an error; else throws on every rank the error of the first rank that has one,
  // with its kind and sentence.
  virtual void agree(const std::exception_ptr& own, const Control& control) = 0;
};

// A process by itself: rank 0 of 1.
[[nodiscard]] std::unique_ptr<Communicator> loneRank();

}  // namespace sscope::reach
