// Formats a command line without values that may be secrets.
import { escapeControls } from '../text/printable.ts'
import { redactSecrets } from '../text/secrets.ts'

const secretFlag = /^--?[\w-]*(?:secret|password|passphrase|token|key|credential)[\w-]*/i
const plain = /^[\w@%+=:,./\\-]+$/

export function redactedCommand(command: string, args: readonly string[]): string {
  const shown = args.map((arg, index) => {
    const before = args[index - 1]
    const [flag] = secretFlag.exec(arg) ?? []
    if (flag !== undefined && arg.startsWith('=', flag.length)) return `${flag}=***`
    const isValue = !arg.startsWith('-') && before !== undefined && !before.includes('=')
    return isValue && secretFlag.test(before) ? '***' : redactSecrets(arg)
  })
  return [command, ...shown].map(quoted).join(' ')
}

function quoted(word: string): string {
  return plain.test(word) || /^[\w-]+=?\*\*\*$|^\*+$/.test(word)
    ? word
    : escapeControls(JSON.stringify(word))
}
