#include "app/mpi/mpi_ranks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <numeric>
#include <optional>
#include <utility>

#include "app/mpi/calls.h"
#include "app/mpi/exchange.h"

namespace sscope::mpi {

namespace {

// What most sums are: this many numbers of every rank, and how many of them count, in one message.
constexpr std::size_t kShort = 8;

}  // namespace

// Made at the start of the job or of a part of it, by all: these two calls may wait for the others.
MpiRanks::MpiRanks(MPI_Comm group, const Outcome& outcome) : outcome_(outcome) {
  MPI_Comm node = MPI_COMM_NULL;
  call("make a communicator", [&] { return MPI_Comm_dup(group, &comm_); });
  call("set its errors", [&] { return MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN); });
  call("count the ranks", [&] { return MPI_Comm_rank(comm_, &rank_); });
  call("count the ranks", [&] { return MPI_Comm_size(comm_, &size_); });
  call("find the ranks of a machine",
       [&] { return MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node); });
  call("count the ranks of a machine", [&] { return MPI_Comm_rank(node, &localRank_); });
  call("count the ranks of a machine", [&] { return MPI_Comm_size(node, &localSize_); });
  call("free a communicator", [&] { return MPI_Comm_free(&node); });
}

// After a failure the others need not be there to free it with.
MpiRanks::~MpiRanks() {
  if (outcome_.failure()) return;
  const std::lock_guard lock(turn());
  MPI_Comm_free(&comm_);
}

std::unique_ptr<reach::Exchange> MpiRanks::begin(std::span<const reach::Send> sends,
                                                 std::span<const reach::Receive> receives,
                                                 std::shared_ptr<const void> keeps) {
  return std::make_unique<MpiExchange>(comm_, outcome_, sends, receives, std::move(keeps));
}

void MpiRanks::await(MPI_Request& request, const std::shared_ptr<const void>& keeps, const Control& control) const {
  try {
    Pause pause;
    while (!ended(request)) {
      outcome_.check(control);
      pause();
    }
  } catch (...) {
    keepForever(keeps);
    throw;
  }
}

std::vector<double> MpiRanks::gather(std::span<const double> values, const Control& control) {
  struct Memory {
    std::array<double, kShort> mine{};
    std::vector<double> all, more, own;
    std::vector<int> counts, begins;
  };
  const auto memory = std::make_shared<Memory>();
  const auto ranks = static_cast<std::size_t>(size_);
  MPI_Request request = MPI_REQUEST_NULL;
  memory->mine[0] = static_cast<double>(values.size());
  std::copy_n(values.begin(), std::min(values.size(), kShort - 1), memory->mine.begin() + 1);
  memory->all.resize(ranks * kShort);
  call("gather numbers", [&] {
    return MPI_Iallgather(memory->mine.data(), kShort, MPI_DOUBLE, memory->all.data(), kShort, MPI_DOUBLE, comm_,
                          &request);
  });
  await(request, memory, control);
  for (std::size_t r = 0; r < ranks; ++r) memory->counts.push_back(static_cast<int>(memory->all[r * kShort]));
  std::vector<double> result;
  if (std::ranges::all_of(memory->counts, [](int count) { return count < static_cast<int>(kShort); })) {
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto first = memory->all.begin() + static_cast<std::ptrdiff_t>(r * kShort) + 1;
      result.insert(result.end(), first, first + memory->counts[r]);
    }
    return result;
  }
  memory->begins.resize(ranks);
  std::exclusive_scan(memory->counts.begin(), memory->counts.end(), memory->begins.begin(), 0);
  memory->more.resize(static_cast<std::size_t>(memory->begins.back() + memory->counts.back()));
  memory->own.assign(values.begin(), values.end());
  call("gather numbers", [&] {
    return MPI_Iallgatherv(memory->own.data(), static_cast<int>(values.size()), MPI_DOUBLE, memory->more.data(),
                           memory->counts.data(), memory->begins.data(), MPI_DOUBLE, comm_, &request);
  });
  await(request, memory, control);
  return std::move(memory->more);
}

void MpiRanks::broadcast(std::span<std::byte> bytes, int root, const Control& control) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto piece = std::make_shared<std::vector<std::byte>>();
  for (std::size_t done = 0; done < bytes.size(); done += piece->size()) {
    const std::span<std::byte> part = bytes.subspan(done, std::min(kPiece, bytes.size() - done));
    piece->assign(part.begin(), part.end());
    MPI_Request request = MPI_REQUEST_NULL;
    call("broadcast",
         [&] { return MPI_Ibcast(piece->data(), static_cast<int>(piece->size()), MPI_BYTE, root, comm_, &request); });
    await(request, piece, control);
    std::copy(piece->begin(), piece->end(), part.begin());
  }
}

void MpiRanks::barrier(const Control& control) {
  MPI_Request request = MPI_REQUEST_NULL;
  call("wait for the others", [&] { return MPI_Ibarrier(comm_, &request); });
  await(request, nullptr, control);
}

void MpiRanks::agree(const std::exception_ptr& own, const Control& control) {
  const std::optional<reach::RankError> error = reach::errorOf(own);
  if (error && error->kind == ErrorKind::Canceled) std::rethrow_exception(own);  // the others are told otherwise
  const std::string mine = error ? packed(*error) : std::string();
  const auto length = static_cast<double>(mine.size());
  const std::vector<double> lengths = gather({&length, 1}, control);
  const auto first = std::ranges::find_if(lengths, [](double each) { return each > 0; });
  if (first == lengths.end()) return;
  const auto root = static_cast<int>(first - lengths.begin());
  std::string text = root == rank_ ? mine : std::string(static_cast<std::size_t>(*first), ' ');
  broadcast(std::as_writable_bytes(std::span(text)), root, control);
  reach::raise(unpacked(text));
}

std::unique_ptr<MpiRanks> MpiRanks::first(int count, const Control& control) {
  barrier(control);  // from here on nobody has to wait long
  MPI_Comm group = MPI_COMM_NULL;
  call("make a communicator", [&] { return MPI_Comm_split(comm_, rank_ < count ? 0 : MPI_UNDEFINED, rank_, &group); });
  if (group == MPI_COMM_NULL) return nullptr;
  auto ranks = std::make_unique<MpiRanks>(group, outcome_);
  call("free a communicator", [&] { return MPI_Comm_free(&group); });
  return ranks;
}

std::string packed(const reach::RankError& error) {
  return std::to_string(static_cast<int>(error.kind)) + " " + error.sentence;
}

reach::RankError unpacked(const std::string& text) {
  int kind = static_cast<int>(ErrorKind::Io);
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), kind);
  static_cast<void>(code);
  const auto begin = static_cast<std::size_t>(end - text.data());
  return {static_cast<ErrorKind>(kind), begin < text.size() ? text.substr(begin + 1) : std::string()};
}

}  // namespace sscope::mpi
