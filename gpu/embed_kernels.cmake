# cmake -DOUTPUT=<file.cpp> -DFILES=<a;b> -P embed_kernels.cmake: writes the kernel files as one table of raw strings.
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"__kernel__(${text})__kernel__\"},\n")
endforeach()
file(WRITE ${OUTPUT}
     "// Made from resources/kernels by embed_kernels.cmake.\n#include \"gpu/kernel_files.h\"\n\nnamespace sscope {\n\n"
     "namespace {\nconstexpr KernelFile kFiles[] = {\n${rows}};\n}  // namespace\n\n"
     "std::span<const KernelFile> kernelFiles() { return kFiles; }\n\n}  // namespace sscope\n")
