#!/bin/sh
# Arrows between the folders point one way only (docs/dev/architecture.md). The linker enforces most of it; headers
# without symbols slip through, so the includes are read here.
set -u
status=0

# forbid FOLDER WHAT PATTERN: no file of FOLDER may include anything that matches the extended PATTERN.
forbid() {
  [ -d "$1" ] || return 0
  found=$(grep -rnE "^ *# *include *[<\"]($3)" --include='*.h' --include='*.cpp' --include='*.inc' "$1" | grep -vE "${4:-^$}")
  if [ -n "$found" ]; then
    echo "$1 must not include $2:"
    echo "$found"
    status=1
  fi
}

qt='Q[A-Z]|Qt'
vtk='vtk'
itk='itk|gdcm'
opencl='CL/'
cuda='cuda|nvrtc'
mpi='mpi\.h|app/mpi/'

forbid core "Qt, OpenCL or CUDA" "$qt|$opencl|$cuda"
forbid core "VTK or ITK outside core/io" "$vtk|$itk" '^core/io/'
forbid core "gpu, ui, app or datasets" 'gpu/|ui/|app/|datasets/'
forbid core "core/io from the rest of core" 'core/io/' '^core/io/'
forbid core/io "VTK's rendering" 'vtkRender|vtkOpenGL|vtkChart|vtkVolumeMapper|vtkGPU'
forbid gpu "Qt, VTK or ITK" "$qt|$vtk|$itk"
forbid gpu "core/io, ui, app or datasets" 'core/io/|ui/|app/|datasets/'
forbid ui "ITK, OpenCL or CUDA" "$itk|$opencl|$cuda"
forbid ui "gpu, core/io or app" 'gpu/|core/io/|app/'
forbid ui/rooms "the window" 'ui/window/'
forbid ui/window "a room by its name" 'ui/rooms/[a-z]+/'
for below in base charts controls model panels views; do
  forbid ui/$below "the rooms or the window" 'ui/rooms/|ui/window/'
done
forbid datasets "anything but core" "$qt|$vtk|$itk|$opencl|$cuda|core/io/|gpu/|ui/|app/"
for folder in core gpu ui datasets app tests; do
  forbid $folder "MPI outside app/mpi and the ranks of the tests" "$mpi" '^(app/mpi|tests/mpi/probe)/'
done
forbid tests "Catch2 but by tests/support/catch.h, which knows its versions" 'catch2/' '^tests/support/catch'

# Subjects know the spine and themselves, on every floor; the spine knows no subject. What is left to do is listed here
# and nowhere else: the tables in which the subjects are entered, that a session holds a bank, and which filters come from
# wavelets.
entered='^(core/subjects\.cpp|core/session_parts\.cpp|gpu/subjects\.cpp|core/session/session\.(h|cpp)|core/filter/families/wavelet_families\.cpp|core/io/reader/other_requests\.cpp):'
forbid core/session "the subjects wavelet and lattice" 'core/(wavelet|lattice)/'
forbid ui/model "the settings of a room" 'core/[a-z]+/(job/)?[a-z]+_settings'
forbid ui/window "the settings of a room" 'core/[a-z]+/(job/)?[a-z]+_settings'
subject() { echo "(core|core/cpu|core/io|gpu)/$1/"; }
filter=$(subject filter) wavelet=$(subject wavelet) lattice=$(subject lattice)
for floor in core core/cpu core/io gpu; do
  forbid $floor/filter "the subjects wavelet and lattice" "$wavelet|$lattice" "$entered"
  forbid $floor/wavelet "the subjects filter and lattice" "$filter|$lattice" "$entered"
  forbid $floor/lattice "the subjects filter and wavelet" "$filter|$wavelet" "$entered"
done
for spine in core gpu; do
  forbid $spine "a subject from the spine" "$filter|$wavelet|$lattice" "$entered|^$filter|^$wavelet|^$lattice"
done

# Folders form no circle, however long: each knows those below it, and none above.
edges=$(git grep -oE '^#include "(app|core|gpu|ui|datasets)/[^"]+"' -- app core gpu ui datasets | awk -F: '
    { from = $1; sub(/\/[^\/]*$/, "", from); to = $2; gsub(/^#include "|"$/, "", to); sub(/\/[^\/]*$/, "", to)
      if (from != to) print from, to }' | sort -u)
loops=$(printf '%s\n' "$edges" | tsort 2>&1 >/dev/null) || {
  echo "folders include each other in a circle:"
  echo "$loops"
  status=1
}

# A pattern that matches nothing any more would make this script blind.
grep -rqE "^ *# *include *[<\"](core/)" --include='*.cpp' core || { echo "the patterns match nothing"; status=1; }
exit $status
