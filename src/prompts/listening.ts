// Listening: what every prompt hears besides keys, and how it puts text into the line that is edited.
import { useEffect, type useKeypress, useState } from '@inquirer/core'
import type { Said } from './said.ts'
import type { Stage } from './stage.ts'

type Readline = Parameters<Parameters<typeof useKeypress>[0]>[1]

/** A new size draws the prompt anew; the end of the input ends it. */
export function useTerminal(stage: Stage, done: (said: Said) => void): void {
  const [, setDrawn] = useState(0)
  useEffect((rl) => {
    // Without it a prompt waits for ever, and Node ends as if all were done.
    const end = () => {
      done({ kind: 'left' })
    }
    rl.on('close', end)
    const stop = stage.onResize(() => {
      setDrawn((times) => times + 1)
    })
    return () => {
      rl.removeListener('close', end)
      stop()
    }
  }, [])
}

/** Readline does nothing with it. */
export function isUnsetKey({ name, ctrl }: { readonly name: string; readonly ctrl: boolean }) {
  return ctrl && name === 'x'
}

/** Readline has its own idea of the line: it takes the tab, and empties it with enter. */
export function setLine(rl: Readline, text: string): void {
  rl.clearLine(0)
  if (text !== '') rl.write(text)
}

/** As long as the text itself, which readline counts on. */
export function typed(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => '?'.repeat(character.length))
}
