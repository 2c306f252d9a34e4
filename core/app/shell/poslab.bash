# SPDX-License-Identifier: Apache-2.0
# Completion of poslab for bash. The program says itself what may stand there, from the tables of its commands and options.
_poslab() {
  local begun=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~/$HOME} files=no line patterns=()
  [[ $begun == '=' ]] && begun=''
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      '@files '*) files=yes && patterns+=("${line#@files }") ;;
      '@directories') files=yes ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("$program" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ ${COMPREPLY[*]} == *= ]] && compopt -o nospace
  [[ $files == no ]] && return
  compopt -o filenames
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(_poslab_files "$begun" "${patterns[@]}")
}

# _poslab_files BEGUN PATTERN...: directories to look in, and files of these names.
_poslab_files() {
  local begun=$1 pattern
  shift
  compgen -d -- "$begun"
  for pattern in "$@"; do compgen -f -X "!$pattern" -- "$begun"; done
}
complete -F _poslab poslab
