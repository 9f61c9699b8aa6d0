#!/bin/sh
# Nothing in the tree points at one machine or is marked as unfinished.
set -u
status=0

# forbid WHAT PATTERN
forbid() {
  found=$(grep -rnIE "$2" --exclude-dir=.git --exclude=.git --exclude-dir=build --exclude-dir=house . | head -n 20)
  if [ -n "$found" ]; then
    echo "$1:"
    echo "$found"
    status=1
  fi
}

forbid "absolute paths of one machine" '(^|[^[:alnum:]_.])/(work|home|root|Users)/[[:alnum:]]'
forbid "marks of unfinished work" '\b(TO''DO|FIX''ME|XX''X)\b'
forbid "conflict markers" '^(<<<<<<<|>>>>>>>) '
exit $status
