# What reads bytes that others wrote (fuzz_readers), the functions around it (fuzz_targets), and for a program that has
# nothing else of core what those need (fuzz_needed). Includes neither ITK nor VTK.
set(core ${PROJECT_SOURCE_DIR}/core)
file(GLOB fuzz_readers CONFIGURE_DEPENDS
     ${core}/io/base/*.cpp ${core}/io/planes/*.cpp ${core}/io/lattice/*.cpp ${core}/io/native/*.cpp
     ${core}/io/process/protocol.cpp ${core}/io/process/reply_json.cpp ${core}/session/*.cpp
     ${core}/session_parts.cpp
     ${core}/ladder/ladder_settings.cpp ${core}/lattice/job/lattice_settings.cpp ${core}/wavelet/job/wavelet_settings.cpp
     ${core}/filter/recipe.cpp ${core}/filter/formula/*.cpp ${core}/options/*.cpp)
list(FILTER fuzz_readers EXCLUDE REGEX "configuration_io|_write\\.cpp$|kept_session")
file(GLOB fuzz_needed CONFIGURE_DEPENDS
     ${core}/base/*.cpp ${core}/boundary/boundary.cpp ${core}/filter/*.cpp ${core}/filter/families/*.cpp
     ${core}/filter/program/program.cpp ${core}/filter/job/filter_view.cpp ${core}/filter/job/volume_settings.cpp
     ${core}/filter/laboratory/laboratory_view.cpp ${core}/volume/*.cpp
     ${core}/io/native/*_write.cpp ${core}/lattice/fields.cpp ${core}/lattice/lattice.cpp
     ${core}/lattice/observables.cpp ${core}/lattice/parallel.cpp ${core}/lattice/su3.cpp
     ${core}/cpu/run/kernels_s*.cpp ${core}/cpu/lattice/clover_densities.cpp ${core}/cpu/lattice/link_*.cpp
     ${core}/cpu/lattice/plaquette_walk.cpp ${core}/wavelet/magic_taps.cpp ${core}/wavelet/quad.cpp
     ${core}/wavelet/spectral_factor.cpp ${core}/wavelet/wavelet.cpp)
set(fuzz_targets ${CMAKE_CURRENT_LIST_DIR}/targets.cpp ${CMAKE_CURRENT_LIST_DIR}/volume_targets.cpp
                 ${CMAKE_CURRENT_LIST_DIR}/link_targets.cpp ${CMAKE_CURRENT_LIST_DIR}/text_targets.cpp
                 ${CMAKE_CURRENT_LIST_DIR}/volume_seeds.cpp ${CMAKE_CURRENT_LIST_DIR}/other_seeds.cpp
                 ${CMAKE_CURRENT_LIST_DIR}/bounded_memory.cpp)
find_package(ZLIB)
find_package(TIFF)
find_package(JPEG)
find_package(EXPAT)
set(fuzz_definitions "")
set(fuzz_libraries "")
if(ZLIB_FOUND)
  list(APPEND fuzz_definitions SSCOPE_IO_ZLIB)
  list(APPEND fuzz_libraries ZLIB::ZLIB)
endif()
if(ZLIB_FOUND AND TIFF_FOUND AND JPEG_FOUND AND EXPAT_FOUND)
  list(APPEND fuzz_definitions SSCOPE_FUZZ_TIFF)
  list(APPEND fuzz_libraries TIFF::TIFF JPEG::JPEG EXPAT::EXPAT)
  list(APPEND fuzz_targets ${PROJECT_SOURCE_DIR}/tests/io/dicom_file.cpp)
  file(GLOB imaging CONFIGURE_DEPENDS ${core}/io/nifti/*.cpp ${core}/io/tiff/*.cpp ${core}/io/jpeg/*.cpp
       ${core}/io/itk/dicom_extent.cpp)
  foreach(file IN LISTS imaging)
    if(file MATCHES "_write\\.cpp$")
      list(APPEND fuzz_needed ${file})
    else()
      list(APPEND fuzz_readers ${file})
    endif()
  endforeach()
endif()
list(REMOVE_ITEM fuzz_needed ${fuzz_readers})
# The checks that cost the compiler little; ./test --sanitize has all of them.
string(JOIN "," fuzz_checks address signed-integer-overflow shift bounds float-cast-overflow integer-divide-by-zero bool
       enum return unreachable vla-bound builtin pointer-overflow)
set(fuzz_headers <algorithm> <array> <filesystem> <fstream> <functional> <optional> <sstream> <string> <vector>
                 <nlohmann/json.hpp>)
