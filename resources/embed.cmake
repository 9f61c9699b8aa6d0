# cmake -DOUTPUT=<file.cpp> -DFILES=<a;b> -DHEADER=<h> -DTYPE=<struct> -DFUNCTION=<name> -P embed.cmake: writes the
# files as one table of raw strings, {name, text} each, behind the function that the header declares.
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"__embedded__(${text})__embedded__\"},\n")
endforeach()
file(WRITE ${OUTPUT}
     "// Made by resources/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace sscope {\n\n"
     "namespace {\nconstexpr ${TYPE} kFiles[] = {\n${rows}};\n}  // namespace\n\n"
     "std::span<const ${TYPE}> ${FUNCTION}() { return kFiles; }\n\n}  // namespace sscope\n")
