#include <algorithm>
#include <bit>
#include <string_view>

#include "core/base/paths.h"
#include "core/io/base/chunked_file.h"
#include "core/io/base/formats.h"
#include "core/io/base/sniff.h"
#include "core/io/native/npy.h"
#include "core/io/native/zip_archive.h"
#include "core/io/planes/file_layout.h"

namespace sscope::io {

namespace {

int framesOfAxis(const VolumeOutline& volume, const Metadata& metadata) {
  return metadata.frames > 1 && volume.shape.components % metadata.frames == 0 ? metadata.frames : 1;
}

std::string npyHeaderOf(std::string text) {
  // Values begin at a multiple of 64 bytes.
  constexpr std::size_t kBefore = 10, kAligned = 64;
  text.resize((kBefore + text.size() + 1 + kAligned - 1) / kAligned * kAligned - kBefore - 1, ' ');
  text += '\n';
  return std::string(kNpyMagic) + '\1' + '\0' + static_cast<char>(text.size() & 0xff) +
         static_cast<char>(text.size() >> 8) + text;
}

// An array without axes of one ASCII text: four bytes for each character.
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

void writeNpz(const std::filesystem::path& path, const Volume& volume, const WriteOptions& options,
              const Control& control) {
  FileLayout layout;
  layout.volume = outlineOf(volume);
  layout.before = formatNpyHeader(layout.volume, options.metadata);
  layout.order.each = volume.shape().components / framesOfAxis(layout.volume, options.metadata);
  std::vector<NewMember> members{{std::string(kNpzValues), [&](const TakeMember& take) {
                                    take(layout.before, {});
                                    placePlanes(
                                        layout, 0, {volume.data(), static_cast<std::size_t>(volume.bytes())},
                                        [&](std::int64_t, std::span<const std::byte> bytes) {
                                          take(bytes, {control.stop, {}});
                                        },
                                        control);
                                  }}};
  const auto add = [&members](std::string_view name, const std::string& said) {
    if (!said.empty())
      members.push_back({std::string(name), [text = textArray(said)](const TakeMember& take) {
                           take(std::as_bytes(std::span(text)), {});
                         }});
  };
  add(kNpzMeaning, meaningText(options.metadata, saidBy(FormatId::npy)));
  add(kNpzProvenance, options.metadata.provenance);
  writeAtomically(
      path,
      [&](const std::filesystem::path& part) {
        ChunkedWriter file(part, path);
        writeZip(file, members, options.compress);
        file.finish();
      },
      options.names);
}

}  // namespace sscope::io
