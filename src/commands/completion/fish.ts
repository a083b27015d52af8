// The completion script for fish 3.
import type { Script } from './script.ts'

export const fish: Script = {
  install: 'Once: winnode completion fish > ~/.config/fish/completions/winnode.fish',
  text: String.raw`function __winnode_complete
    for item in (winnode completion fish --line (commandline -cp | string collect) 2>/dev/null)
        switch $item
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct) ''
            case '*'
                printf '%s\n' $item
        end
    end
end
complete -c winnode -f -a '(__winnode_complete)'
`,
}
