#include "core/io/itk/hdf5_file.h"

#include <array>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string_view>

#include "core/io/base/file_error.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

Handle openedAs(const std::string& path, unsigned how) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return {H5Fopen(path.c_str(), how, H5P_DEFAULT), H5Fclose};
}

std::string textOf(const Handle& file, const char* name) {
  if (!file.valid() || H5Aexists(file.get(), name) <= 0) return {};
  const Handle attribute(H5Aopen(file.get(), name, H5P_DEFAULT), H5Aclose);
  const Handle type(attribute.valid() ? H5Aget_type(attribute.get()) : -1, H5Tclose);
  const Handle space(attribute.valid() ? H5Aget_space(attribute.get()) : -1, H5Sclose);
  if (!type.valid() || !space.valid() || H5Tget_class(type.get()) != H5T_STRING ||
      H5Tis_variable_str(type.get()) != 0 || H5Sget_simple_extent_npoints(space.get()) != 1)
    return unreadable("its attribute is no text of fixed length");
  const std::size_t size = H5Tget_size(type.get());
  if (size > kLongestProvenance) return unreadable("it is too long");
  std::string text(size, '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return unreadable("its attribute cannot be read");
  return text.substr(0, text.find('\0'));
}

bool put(const Handle& file, const char* name, const std::string& text) {
  if (text.empty()) return true;
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.get(), text.size());
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  const Handle attribute(H5Acreate2(file.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute.valid() && H5Awrite(attribute.get(), type.get(), text.data()) >= 0;
}

}  // namespace

Handle openHdf5(const std::string& path) {
  Handle file = openedAs(path, H5F_ACC_RDONLY);
  if (file.valid()) return file;
  const std::optional<std::int64_t> whole = hdf5Bytes(path);
  if (const std::int64_t there = sizeOfFile(path, path); whole && there < *whole)
    throw damaged(path, "it is cut off: " + bytesText(static_cast<double>(there)) + " of " +
                            bytesText(static_cast<double>(*whole)) + " are there");
  throw damaged(path, "its HDF5 structure is damaged");
}

std::optional<std::int64_t> hdf5Bytes(const std::string& path) {
  constexpr std::string_view kSignature("\x89HDF\r\n\x1a\n", 8);
  std::array<char, 64> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  const auto got = static_cast<std::size_t>(file.gcount());
  if (!std::string_view(head.data(), got).starts_with(kSignature) || got < head.size()) return {};
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  // Of version 0 and 1: sizes of offsets at byte 13, then the base address, that of free space and the end of the file,
  // from byte 24 or 28 on. Of version 2 and 3: sizes at byte 9, and the end as the third address from byte 12 on.
  const unsigned version = byteAt(8);
  if (version > 3) return {};
  const std::size_t width = byteAt(version < 2 ? 13 : 9), first = version == 0 ? 24 : version == 1 ? 28 : 12;
  if (width != 8) return {};
  std::uint64_t end = 0;
  for (std::size_t k = width; k-- > 0;) end = end << 8 | byteAt(first + 2 * width + k);
  if (end > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
  return static_cast<std::int64_t>(end);
}

void takeTextsOfHdf5(const std::string& path, VolumeInfo& info) {
  const Handle file = openedAs(path, H5F_ACC_RDONLY);
  takeMeaning(textOf(file, kMeaningKey), info);
  takeProvenance(textOf(file, kProvenanceKey), info);
}

void putTextsOfHdf5(const std::filesystem::path& path, const std::filesystem::path& shown, const Metadata& metadata) {
  const std::string meaning = meaningText(metadata);
  if (meaning.empty() && metadata.provenance.empty()) return;
  const Handle file = openedAs(path.string(), H5F_ACC_RDWR);
  if (!file.valid() || !put(file, kMeaningKey, meaning) || !put(file, kProvenanceKey, metadata.provenance) ||
      H5Fflush(file.get(), H5F_SCOPE_GLOBAL) < 0)
    throw cannotWrite(ErrorKind::Io, shown, "its HDF5 structure cannot be extended",
                      "check the free space of the folder");
}

}  // namespace sscope::io
