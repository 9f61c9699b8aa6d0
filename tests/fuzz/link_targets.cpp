// Gauge configurations.

#include "core/io/base/decoder.h"
#include "core/io/lattice/decoded.h"
#include "core/io/lattice/links_protocol.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"

namespace sscope::test {

namespace {

using namespace io;

RawLinks readOf(const std::string& path, std::vector<std::byte>& bytes) {
  const AllocateLinks allocate = [&](std::int64_t size, std::int64_t held) {
    requireMemory(path, static_cast<double>(held), static_cast<double>(kMostBytes));
    bytes.resize(static_cast<std::size_t>(size));
    return std::span(bytes);
  };
  try {
    return readLinks(path, {}, allocate, {});
  } catch (const lattice::MissingExtents&) {
    return readLinks(path, lattice::Extents{2, 2, 2, 2}, allocate, {});
  }
}

std::string wrongLinks(const std::string& content) {
  return outcomeOf([&] {
    const std::string path = putFile("input.links", content);
    static_cast<void>(looksLikeLinks(ConfigurationFile(path)));
    std::vector<std::byte> bytes;
    const RawLinks links = readOf(path, bytes);
    const lattice::Lattice lattice(links.extents);
    if (static_cast<std::size_t>(lattice.volume()) * links.layout.siteBytes() != bytes.size())
      return std::string("it holds fewer links than it should");
    static_cast<void>(decodeLinks(lattice, links.layout, bytes, {}));
    if (!std::holds_alternative<RawLinks>(decodeLinksReply(encodeReply(links))))
      return std::string("its description cannot be sent");
    return std::string();
  });
}

}  // namespace

std::vector<Target> linkTargets() {
  return {{"nersc", wrongLinks, nerscSeeds, {".nersc"}},
          {"lime", wrongLinks, limeSeeds, {".lime"}},
          {"milc", wrongLinks, milcSeeds, {}}};
}

}  // namespace sscope::test
