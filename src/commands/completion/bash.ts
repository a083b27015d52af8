// The completion script for bash 3.2 (macOS) and later.
import type { Script } from './script.ts'

/**
 * Readline replaces only the text after the last word break, such as an equals sign
 * (https://www.gnu.org/software/bash/manual/html_node/Bash-Variables.html#index-COMP_005fWORDBREAKS).
 */
export const bash: Script = {
  install: `In ~/.bashrc: eval "$(winnode completion bash)"`,
  text: String.raw`_winnode() {
  local line=${'$'}{COMP_LINE:0:COMP_POINT} item paths=
  local typed=${'$'}{line##*[[:space:]]}
  local part=${'$'}{typed##*[$COMP_WORDBREAKS]}
  local kept=${'$'}{typed%"$part"}
  COMPREPLY=()
  while IFS= read -r item; do
    case $item in
      :files) paths=-f ;;
      :folders) paths=-d ;;
      *) COMPREPLY+=("${'$'}{item#"$kept"}") ;;
    esac
  done < <(winnode completion bash --line "$line" 2>/dev/null)
  if [[ -n $paths ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r item; do COMPREPLY+=("$item"); done < <(compgen $paths -- "$part")
  fi
  # A field waits for its value.
  if [[ ${'$'}{#COMPREPLY[@]} -eq 1 && ${'$'}{COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -F _winnode winnode
`,
}
