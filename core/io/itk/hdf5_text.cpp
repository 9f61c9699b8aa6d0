#include "core/io/itk/hdf5_text.h"

#include <hdf5.h>

#include "core/io/base/file_error.h"
#include "core/volume/meaning.h"
#include "core/volume/provenance.h"

namespace sscope::io {

namespace {

// A number of the library's, with how to give it back.
struct Object {
  hid_t id;
  herr_t (*close)(hid_t);
  Object(hid_t made, herr_t (*give)(hid_t)) : id(made), close(give) {}
  ~Object() {
    if (id >= 0) close(id);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  explicit operator bool() const { return id >= 0; }
};

Object opened(const std::string& path, unsigned how) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return {H5Fopen(path.c_str(), how, H5P_DEFAULT), H5Fclose};
}

std::string textOf(const Object& file, const char* name) {
  if (!file || H5Aexists(file.id, name) <= 0) return {};
  const Object attribute(H5Aopen(file.id, name, H5P_DEFAULT), H5Aclose);
  const Object type(attribute ? H5Aget_type(attribute.id) : -1, H5Tclose);
  const Object space(attribute ? H5Aget_space(attribute.id) : -1, H5Sclose);
  if (!type || !space || H5Tget_class(type.id) != H5T_STRING || H5Tis_variable_str(type.id) != 0 ||
      H5Sget_simple_extent_npoints(space.id) != 1)
    return unreadable("its attribute is no text of fixed length");
  const std::size_t size = H5Tget_size(type.id);
  if (size > kLongestProvenance) return unreadable("it is too long");
  std::string text(size, '\0');
  if (H5Aread(attribute.id, type.id, text.data()) < 0) return unreadable("its attribute cannot be read");
  return text.substr(0, text.find('\0'));
}

bool put(const Object& file, const char* name, const std::string& text) {
  if (text.empty()) return true;
  const Object type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type.id, text.size());
  H5Tset_strpad(type.id, H5T_STR_NULLPAD);
  const Object attribute(H5Acreate2(file.id, name, type.id, space.id, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return attribute && H5Awrite(attribute.id, type.id, text.data()) >= 0;
}

}  // namespace

void takeTextsOfHdf5(const std::string& path, VolumeInfo& info) {
  const Object file = opened(path, H5F_ACC_RDONLY);
  takeMeaning(textOf(file, kMeaningKey), info);
  takeProvenance(textOf(file, kProvenanceKey), info);
}

void putTextsOfHdf5(const std::filesystem::path& path, const std::filesystem::path& shown, const Metadata& metadata) {
  const std::string meaning = meaningText(metadata);
  if (meaning.empty() && metadata.provenance.empty()) return;
  const Object file = opened(path.string(), H5F_ACC_RDWR);
  if (!file || !put(file, kMeaningKey, meaning) || !put(file, kProvenanceKey, metadata.provenance) ||
      H5Fflush(file.id, H5F_SCOPE_GLOBAL) < 0)
    throw cannotWrite(ErrorKind::Io, shown, "its HDF5 structure cannot be extended",
                      "check the free space of the folder");
}

}  // namespace sscope::io
