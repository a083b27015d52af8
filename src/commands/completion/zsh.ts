// The completion script for zsh, sourced or as a file in $fpath.
import type { Script } from './script.ts'

/** `_describe` takes VALUE:DESCRIPTION, with colons of the value escaped by a backslash (man zshcompsys). */
export const zsh: Script = {
  install: 'In ~/.zshrc, after compinit: source <(winnode completion zsh)',
  text: String.raw`#compdef winnode
_winnode() {
  local -a done open
  local item row paths
  for item in "${'$'}{(@f)$(winnode completion zsh --line "${'$'}{(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}"; do
    case $item in
      :files) paths=files ;;
      :folders) paths=folders ;;
      ?*)
        row="${'$'}{${'$'}{item%%$'\t'*}//:/\\:}:${'$'}{item#*$'\t'}"
        # A field waits for its value.
        if [[ ${'$'}{item%%$'\t'*} == *= ]]; then open+=("$row"); else done+=("$row"); fi ;;
    esac
  done
  (( $#done )) && _describe -V winnode done
  (( $#open )) && _describe -V field open -S ''
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [[ "$funcstack[1]" == _winnode ]]; then _winnode; else compdef _winnode winnode; fi
`,
}
