#include "app/mpi/exchange.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/mpi/calls.h"

namespace sscope::mpi {

namespace {

// MPI counts with int.
constexpr std::size_t kLongest = std::size_t{1} << 30;

// Also an empty message is one.
template <class Bytes, class Begin>
void inPieces(const Bytes& bytes, const Begin& begin) {
  std::size_t done = 0;
  do {
    const std::size_t piece = std::min(kLongest, bytes.size() - done);
    begin(bytes.data() + done, static_cast<int>(piece));
    done += piece;
  } while (done < bytes.size());
}

}  // namespace

MpiExchange::MpiExchange(MPI_Comm comm, const Outcome& outcome, std::span<const reach::Send> sends,
                         std::span<const reach::Receive> receives, std::shared_ptr<const void> keeps)
    : outcome_(outcome), keeps_(std::move(keeps)) {
  // Receives first: what comes then has a place to go.
  for (const reach::Receive& each : receives)
    inPieces(each.bytes, [&](std::byte* data, int count) {
      call("receive a message", [&] {
        return MPI_Irecv(data, count, MPI_BYTE, each.rank, each.tag, comm, &requests_.emplace_back(MPI_REQUEST_NULL));
      });
    });
  receives_ = requests_.size();
  for (const reach::Send& each : sends)
    inPieces(each.bytes, [&](const std::byte* data, int count) {
      call("send a message", [&] {
        return MPI_Isend(data, count, MPI_BYTE, each.rank, each.tag, comm, &requests_.emplace_back(MPI_REQUEST_NULL));
      });
    });
}

bool MpiExchange::arrived() {
  int done = 0;
  call("exchange messages",
       [&] { return MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE); });
  if (done != 0) requests_.clear();
  return requests_.empty();
}

void MpiExchange::end(const Control& control) {
  Pause pause;
  while (!arrived()) {
    outcome_.check(control);
    pause();
  }
}

// Only a receive whose message has begun to come goes on after it was canceled. No MPI takes back what is being sent,
// which another rank may be reading where it is. Both mostly end soon; what does not, because it is long or the other
// rank is gone, keeps its memory.
MpiExchange::~MpiExchange() {
  constexpr auto kWait = std::chrono::milliseconds(100);
  const auto last = std::chrono::steady_clock::now() + kWait;
  Pause pause;
  bool all = requests_.empty();
  try {
    for (std::size_t i = 0; i < std::min(receives_, requests_.size()); ++i) {
      if (ended(requests_[i])) continue;
      call("take back a receive", [&] { return MPI_Cancel(&requests_[i]); });
      while (!ended(requests_[i]) && std::chrono::steady_clock::now() < last) pause();
    }
    const auto sent = [](MPI_Request& request) { return ended(request); };
    const auto first = requests_.begin() + static_cast<std::ptrdiff_t>(std::min(receives_, requests_.size()));
    while (!std::all_of(first, requests_.end(), sent) && std::chrono::steady_clock::now() < last) pause();
    all = std::all_of(requests_.begin(), requests_.end(), sent);
  } catch (const Error&) {
    // the job is ending, or has failed already
  }
  if (!all) keepForever(std::move(keeps_));
}

}  // namespace sscope::mpi
