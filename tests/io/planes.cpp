#include "tests/io/planes.h"

#include <algorithm>
#include <stdexcept>

#include "tests/io/io_support.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

std::int64_t planesOf(const VolumeShape& s) { return s.nz > 1 ? s.nz : s.ny > 1 ? s.ny : s.nx; }

bool canWrite(const VolumeIo& io, const std::string& name, const VolumeShape& shape, ElementType type) {
  try {
    io.checkWritable(name, shape, type);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<VolumeShape> shapesOfRun(const VolumeIo& io, std::size_t name, ElementType type,
                                     const std::vector<VolumeShape>& all) {
  std::vector<VolumeShape> possible, taken;
  for (const VolumeShape& shape : all)
    if (canWrite(io, kSlabNames[name], shape, type)) possible.push_back(shape);
  for (std::size_t i = 0; i < possible.size(); ++i)
    if (takes(i, possible.size(), name + static_cast<std::size_t>(type))) taken.push_back(possible[i]);
  return taken;
}

std::span<const std::byte> bytesOfVolume(const Volume& volume) {
  return {volume.data(), static_cast<std::size_t>(volume.bytes())};
}

namespace {

// The whole volume, read in parts of `thick` planes from the last to the first.
std::vector<std::byte> readBackwards(VolumeSource& source, std::int64_t thick) {
  const VolumeInfo& info = source.info();
  const std::int64_t planes = planesOf(info.shape);
  const VolumeOutline outline{info.shape, info.type, info.geometry};
  const auto plane = static_cast<std::size_t>(outline.bytes() / planes);
  std::vector<std::byte> all(static_cast<std::size_t>(outline.bytes()));
  for (std::int64_t end = planes; end > 0; end -= thick) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - thick);
    source.read(
        begin, end,
        std::span(all).subspan(static_cast<std::size_t>(begin) * plane, static_cast<std::size_t>(end - begin) * plane),
        {});
  }
  return all;
}

}  // namespace

void requireSame(VolumeIo& io, const std::string& name, bool anyOrder, const std::vector<std::int64_t>& parts) {
  CAPTURE(name);
  const LoadedVolume whole = io.read(name, {});
  const VolumeInfo header = io.probe(name, {});
  const auto source = io.openSource(name, {});
  CHECK(source->anyOrder() == anyOrder);
  const VolumeInfo& info = source->info();
  CHECK(info.shape == whole.info.shape);
  CHECK(info.type == whole.info.type);
  CHECK(info.geometry == whole.info.geometry);
  CHECK(info.metadata == whole.info.metadata);
  CHECK(info.fileFrames == whole.info.fileFrames);
  CHECK(info.format == whole.info.format);
  CHECK(info.notices == header.notices);
  for (const std::int64_t thick : parts) {
    const std::vector<std::byte> all = readBackwards(*source, thick);
    CHECK(std::ranges::equal(all, bytesOfVolume(whole.volume)));
  }
}

Error errorOfOpening(VolumeIo& io, const std::string& name) {
  try {
    static_cast<void>(io.openSource(name, {}));
  } catch (const Error& error) {
    CHECK(isOneSentence(error.what()));
    return error;
  }
  FAIL("it was opened");
  throw std::logic_error("never here");
}

}  // namespace sscope::test
