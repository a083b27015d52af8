// The completion scripts by shell.
import { bash } from './bash.ts'
import { fish } from './fish.ts'
import { powershell } from './powershell.ts'
import type { Script } from './script.ts'
import { zsh } from './zsh.ts'

export const scripts = { bash, zsh, fish, powershell } as const satisfies Readonly<
  Record<string, Script>
>
export type Shell = keyof typeof scripts

export function isShell(word: string): word is Shell {
  return Object.hasOwn(scripts, word)
}
