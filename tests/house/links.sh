#!/bin/sh
# Every relative link of the papers leads somewhere, and the paths and names of code that they mention exist.
set -u
status=0
count=0
papers=$(find . -name '*.md' -not -path './build/*' -not -path './.git/*')
for paper in $papers; do
  # [text](target) and [text](target#section), one a line.
  for target in $(grep -oE '\]\([^)# ]+' "$paper" | cut -c 3- | grep -vE '^(https?|mailto):'); do
    count=$((count + 1))
    if [ ! -e "$(dirname "$paper")/$target" ]; then
      echo "$paper links to $target, which does not exist"
      status=1
    fi
  done
done
[ $count -gt 10 ] || { echo "only $count links were found"; status=1; }

# Words of `code` that begin with one of our folders. "{h,cpp}" stands for both; capitals as in NAME stand for any name.
folders='app|core|datasets|docs|gpu|resources|tests|ui'
expand='match($0, /[{][^}]*[}]/) {
  n = split(substr($0, RSTART + 1, RLENGTH - 2), each, ",")
  for (i = 1; i <= n; ++i) print substr($0, 1, RSTART - 1) each[i] substr($0, RSTART + RLENGTH)
  next
} { print }'
count=0
for paper in $papers; do
  for path in $(set -f; grep -oE '`[^`]+`' "$paper" | tr -d '`' | tr ' ' '\n' |
                grep -E "^($folders)/[A-Za-z0-9_./{},*-]+$" | awk "$expand" | sed -E 's/[A-Z]{3,}/*/g' | sort -u); do
    count=$((count + 1))
    if [ ! -e "$path" ]; then
      echo "$paper names $path, which does not exist"
      status=1
    fi
  done
done
[ $count -gt 50 ] || { echo "only $count paths were found"; status=1; }

# Names of code in the two papers that people work by: `NewestWins`, `kByHand`, `refresh()`.
for paper in CONTRIBUTING.md docs/dev/architecture.md; do
  names=$(grep -oE '`[A-Za-z:]+(\(\))?`' "$paper" | tr -d '`' | sed 's/.*:://' |
          grep -E '^[A-Za-z][a-z]*[A-Z][A-Za-z]*$|\(\)$' | tr -d '()' | sort -u)
  [ "$(echo "$names" | wc -l)" -gt 20 ] || { echo "only $(echo "$names" | wc -l) names were found in $paper"; status=1; }
  known=$(echo "$names" | grep -rhowFf - core gpu ui app tests CMakeLists.txt | sort -u)
  for name in $names; do
    echo "$known" | grep -qx "$name" || { echo "$paper names $name, which is not in the code"; status=1; }
  done
done
exit $status
