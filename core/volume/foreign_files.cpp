#include "core/volume/foreign_files.h"

#include <system_error>

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/leftovers.h"

namespace sscope {

ForeignCopy::~ForeignCopy() {
  if (!folder_.empty()) removeTemporary(folder_);
}

void ForeignFiles::convertTo(const std::string& path, const std::filesystem::path& target,
                             const Control& control) const {
  AtomicFile file(target);
  const ForeignCopy copy = convert(path, file.temporary().parent_path(), control);
  std::error_code code;
  std::filesystem::rename(copy.file(), file.temporary(), code);
  if (code)
    throw Error(ErrorKind::Io, "cannot write " + target.string() + " (" + code.message() + ")",
                "check the free space and the permissions of the folder");
  file.commit();
}

}  // namespace sscope
