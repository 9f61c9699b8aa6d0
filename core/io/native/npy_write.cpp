#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/formats.h"
#include "core/io/base/sniff.h"
#include "core/io/base/zip_archive.h"
#include "core/io/native/npy.h"

namespace sscope::io {

namespace {

int framesOfAxis(const VolumeOutline& volume, const Metadata& metadata) {
  return metadata.frames > 1 && volume.shape.components % metadata.frames == 0 ? metadata.frames : 1;
}

// The values, points in time first.
void writeValues(const Volume& volume, int frames, const TakeMember& take, const Control& control) {
  const auto all = static_cast<std::size_t>(volume.bytes());
  if (frames == 1) return take({volume.data(), all}, control);
  constexpr std::size_t kVoxelsAtOnce = 1 << 16;
  const auto voxels = static_cast<std::size_t>(volume.shape().voxels());
  const std::size_t voxelBytes = all / voxels, bytes = voxelBytes / static_cast<std::size_t>(frames);
  std::vector<std::byte> piece(std::min(kVoxelsAtOnce, voxels) * bytes);
  for (std::size_t t = 0; t < static_cast<std::size_t>(frames); ++t)
    for (std::size_t begin = 0; begin < voxels; begin += kVoxelsAtOnce) {
      control.check();
      const std::size_t count = std::min(kVoxelsAtOnce, voxels - begin);
      for (std::size_t v = 0; v < count; ++v)
        std::memcpy(piece.data() + v * bytes, volume.data() + (begin + v) * voxelBytes + t * bytes, bytes);
      take(std::span<const std::byte>(piece).first(count * bytes), {});
      control.report(static_cast<double>(t * voxels + begin) / static_cast<double>(all / bytes), "writing");
    }
}

}  // namespace

namespace {

std::string npyHeaderOf(std::string text) {
  // Values begin at a multiple of 64 bytes.
  constexpr std::size_t kBefore = 10, kAligned = 64;
  text.resize((kBefore + text.size() + 1 + kAligned - 1) / kAligned * kAligned - kBefore - 1, ' ');
  text += '\n';
  return std::string(kNpyMagic) + '\1' + '\0' + static_cast<char>(text.size() & 0xff) +
         static_cast<char>(text.size() >> 8) + text;
}

// An array of one text, of ASCII, without axes: four bytes for each character.
std::string textArray(const std::string& text) {
  std::string array =
      npyHeaderOf("{'descr': '<U" + std::to_string(text.size()) + "', 'fortran_order': False, 'shape': (), }");
  for (const char c : text) array += c + std::string(3, '\0');
  return array;
}

}  // namespace

std::vector<std::byte> formatNpyHeader(const VolumeOutline& volume, const Metadata& metadata) {
  constexpr const char* kTypes[] = {"u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"};
  const VolumeShape& s = volume.shape;
  const int frames = framesOfAxis(volume, metadata), components = s.components / frames;
  std::vector<std::int64_t> shape = {s.ny, s.nx};
  if (s.nz > 1 || s.components > 1) shape.insert(shape.begin(), s.nz);
  if (s.components > 1) shape.insert(shape.begin(), frames);
  if (components > 1) shape.push_back(components);
  const std::string type = kTypes[static_cast<std::size_t>(volume.type)];
  const char* order = type.ends_with('1') ? "|" : std::endian::native == std::endian::big ? ">" : "<";
  std::string text = "{'descr': '" + std::string(order) + type + "', 'fortran_order': False, 'shape': (";
  for (std::size_t a = 0; a < shape.size(); ++a) text += (a == 0 ? "" : ", ") + std::to_string(shape[a]);
  const std::string header = npyHeaderOf(text + "), }");
  const auto bytes = std::as_bytes(std::span(header));
  return {bytes.begin(), bytes.end()};
}

void writeNpy(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control) {
  const VolumeOutline outline = outlineOf(volume);
  const std::vector<std::byte> header = formatNpyHeader(outline, options.metadata);
  const int frames = framesOfAxis(outline, options.metadata);
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        ChunkedWriter file(part, path);
        const auto fill = [&](const TakeMember& take) {
          take(header, {});
          writeValues(volume, frames, take, control);
        };
        if (isNpz(path)) {
          std::vector<NewMember> members{{std::string(kNpzValues), fill}};
          const auto add = [&members](std::string_view name, const std::string& said) {
            if (!said.empty())
              members.push_back({std::string(name), [text = textArray(said)](const TakeMember& take) {
                                   take(std::as_bytes(std::span(text)), {});
                                 }});
          };
          add(kNpzMeaning, meaningText(options.metadata, saidBy(FormatId::npy)));
          add(kNpzProvenance, options.metadata.provenance);
          writeZip(file, members, options.compress);
        } else {
          fill([&](std::span<const std::byte> bytes, const Control& stop) { file.write(bytes, stop); });
        }
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
