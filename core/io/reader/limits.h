#pragma once
// What the reader program may take from the machine.

#include <string>

namespace sscope::io {

// No core files, death with the parent, address space and sizes of files limited to the memory that is free now, few
// descriptors, no further processes or threads, processor time as `path`, which may be a folder, and that memory can
// need at most. Called once at the start.
void limitThisProcess(const std::string& path);

// Bytes that could be allocated at the start: free memory less a reserve for everyone else; 0 when unknown.
[[nodiscard]] double memoryAllowance();

// From here on not a byte is written into files, the voxel memory among them (mapped memory is no file).
void forbidLargerFiles();

}  // namespace sscope::io
