#pragma once
// What the reader program may take from the machine.

namespace sscope::io {

// No core files, death with the parent, address space limited to what is free now. Called once at the start.
void limitThisProcess();

// Bytes that may still be allocated: free memory less a reserve for everyone else; 0 when unknown.
[[nodiscard]] double memoryAllowance();

}  // namespace sscope::io
