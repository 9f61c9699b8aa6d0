#include "core/lattice/ranks/spread.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace sscope::lattice {

namespace {

constexpr int kTag = 5;

// Piece by piece, in memory that can outlive the fields.
template <class Bytes, class Exchange>
void inPieces(Bytes bytes, const Exchange& exchange) {
  constexpr std::size_t kPiece = std::size_t{4} << 20;
  const auto piece = std::make_shared<std::vector<std::byte>>();
  for (std::size_t at = 0; at < bytes.size(); at += kPiece)
    exchange(bytes.subspan(at, std::min(kPiece, bytes.size() - at)), piece);
}

using Piece = std::shared_ptr<std::vector<std::byte>>;

void send(reach::Communicator& communicator, int rank, std::span<const std::byte> bytes, const Control& control) {
  inPieces(bytes, [&](std::span<const std::byte> part, const Piece& piece) {
    piece->assign(part.begin(), part.end());
    const reach::Send one{rank, kTag, *piece};
    communicator.begin({&one, 1}, {}, piece)->end(control);
  });
}

void receive(reach::Communicator& communicator, int rank, std::span<std::byte> bytes, const Control& control) {
  inPieces(bytes, [&](std::span<std::byte> part, const Piece& piece) {
    piece->resize(part.size());
    const reach::Receive one{rank, kTag, *piece};
    communicator.begin({}, {&one, 1}, piece)->end(control);
    std::ranges::copy(*piece, part.begin());
  });
}

const LatticePart& at(std::span<const LatticePart> parts, int rank) { return parts[static_cast<std::size_t>(rank)]; }

std::span<Matrix3> linksIn(GaugeField& field) {
  return {&field.link(0, 0), static_cast<std::size_t>(kDirections * field.lattice().volume())};
}

// Copies this many elements of each of the part's sites to their places in the whole.
template <class T>
void putElements(std::span<const T> own, const LatticePart& part, std::int64_t perSite, std::span<T> whole) {
  std::int64_t t = part.begin[kDirections - 1];
  for (const SiteRun& run : part.slices()) {
    const std::int64_t to = t++ * part.whole.spatialVolume() + part.firstInSlice();
    std::copy_n(own.begin() + run.own * perSite, run.count * perSite, whole.begin() + to * perSite);
  }
}

}  // namespace

GaugeField dealtOut(const GaugeField& whole, std::span<const LatticePart> parts, reach::Communicator& communicator,
                    const Control& control) {
  const int rank = communicator.rank();
  if (rank == 0) {
    for (int other = 1; other < communicator.size(); ++other) {
      const GaugeField part = linksOf(whole, at(parts, other), control);
      send(communicator, other, std::as_bytes(std::span(part.links())), control);
    }
    return linksOf(whole, at(parts, 0), control);
  }
  GaugeField own(at(parts, rank).own, control);
  receive(communicator, 0, std::as_writable_bytes(linksIn(own)), control);
  return own;
}

SpinorField dealtOut(const SpinorField& whole, std::span<const LatticePart> parts, reach::Communicator& communicator,
                     const Control& control) {
  const int rank = communicator.rank();
  if (rank == 0) {
    for (int other = 1; other < communicator.size(); ++other) {
      const SpinorField part = takePart(whole, at(parts, other));
      send(communicator, other, std::as_bytes(std::span(part)), control);
    }
    return takePart(whole, at(parts, 0));
  }
  SpinorField own = zeroSpinor(at(parts, rank).own, control);
  receive(communicator, 0, std::as_writable_bytes(std::span(own)), control);
  return own;
}

GaugeField collected(const GaugeField& own, std::span<const LatticePart> parts, reach::Communicator& communicator,
                     const Control& control) {
  if (communicator.rank() != 0) {
    send(communicator, 0, std::as_bytes(std::span(own.links())), control);
    return {};
  }
  GaugeField whole(at(parts, 0).whole, control);
  putElements<Matrix3>(own.links(), at(parts, 0), kDirections, linksIn(whole));
  for (int other = 1; other < communicator.size(); ++other) {
    GaugeField part(at(parts, other).own, control);
    receive(communicator, other, std::as_writable_bytes(linksIn(part)), control);
    putElements<Matrix3>(part.links(), at(parts, other), kDirections, linksIn(whole));
  }
  return whole;
}

std::vector<double> collected(const std::vector<double>& own, std::span<const LatticePart> parts,
                              reach::Communicator& communicator, const Control& control) {
  if (communicator.rank() != 0) {
    send(communicator, 0, std::as_bytes(std::span(own)), control);
    return {};
  }
  std::vector<double> whole(static_cast<std::size_t>(at(parts, 0).whole.volume()));
  putElements<double>(own, at(parts, 0), 1, whole);
  for (int other = 1; other < communicator.size(); ++other) {
    std::vector<double> part(static_cast<std::size_t>(at(parts, other).own.volume()));
    receive(communicator, other, std::as_writable_bytes(std::span(part)), control);
    putElements<double>(part, at(parts, other), 1, whole);
  }
  return whole;
}

SpinorField collected(const SpinorField& own, std::span<const LatticePart> parts, reach::Communicator& communicator,
                      const Control& control) {
  if (communicator.rank() != 0) {
    send(communicator, 0, std::as_bytes(std::span(own)), control);
    return {};
  }
  SpinorField whole = zeroSpinor(at(parts, 0).whole, control);
  putPart(own, at(parts, 0), whole);
  for (int other = 1; other < communicator.size(); ++other) {
    SpinorField part = zeroSpinor(at(parts, other).own, control);
    receive(communicator, other, std::as_writable_bytes(std::span(part)), control);
    putPart(part, at(parts, other), whole);
  }
  return whole;
}

}  // namespace sscope::lattice
