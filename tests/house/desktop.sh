#!/bin/sh
# The desktop entry, the metainfo and the icon agree and are valid.
set -u
status=0
bad() {
  echo "$1"
  status=1
}
entry=resources/desktop/stencilscope.desktop
metainfo=resources/desktop/org.stencilscope.Stencilscope.metainfo.xml
[ -f "$entry" ] && [ -f "$metainfo" ] && [ -f resources/icons/stencilscope.svg ] || bad "a file is missing"
grep -q '^Exec=stencilscope' "$entry" || bad "the entry does not start stencilscope"
grep -q '^Icon=stencilscope$' "$entry" || bad "the entry has another icon"
grep -q "$(basename "$entry")" "$metainfo" || bad "the metainfo does not name the entry"
grep -q "<project_license>Apache-2.0<" "$metainfo" || bad "the metainfo has another license"
if command -v desktop-file-validate >/dev/null; then
  messages=$(desktop-file-validate "$entry") && [ -z "$messages" ] || bad "$messages"
else
  [ $status = 0 ] || exit 1
  echo "SKIPPED: desktop-file-validate is not installed (Debian package desktop-file-utils)"
  exit 4
fi
exit $status
