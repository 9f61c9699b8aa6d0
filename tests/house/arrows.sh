#!/bin/sh
# Arrows between the folders point one way only (docs/architecture.md). The linker enforces most of it; headers
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

forbid core "Qt, OpenCL or CUDA" "$qt|$opencl|$cuda"
forbid core "VTK or ITK outside core/io" "$vtk|$itk" '^core/io/'
forbid core "gpu, ui, app or datasets" 'gpu/|ui/|app/|datasets/'
forbid core "core/io from the rest of core" 'core/io/' '^core/io/'
forbid core/io "VTK's rendering" 'vtkRender|vtkOpenGL|vtkChart|vtkVolumeMapper|vtkGPU'
forbid gpu "Qt, VTK or ITK" "$qt|$vtk|$itk"
forbid gpu "core/io, ui, app or datasets" 'core/io/|ui/|app/|datasets/'
forbid ui "ITK, OpenCL or CUDA" "$itk|$opencl|$cuda"
forbid ui "gpu, core/io or app" 'gpu/|core/io/|app/'
forbid datasets "anything but core" "$qt|$vtk|$itk|$opencl|$cuda|core/io/|gpu/|ui/|app/"

# A pattern that matches nothing any more would make this script blind.
grep -rqE "^ *# *include *[<\"](core/)" --include='*.cpp' core || { echo "the patterns match nothing"; status=1; }
exit $status
