// Runs a command line, in this process or in one of its own, and gives what it did.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import manifest from '#manifest'
import pjson from '../../package.json' with { type: 'json' }
import type { Cli } from '../../src/commands/cli.ts'
import { commands } from '../../src/commands/index.ts'
import { run } from '../../src/commands/run.ts'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
const { name, version, description } = pjson
export const winnode: Cli = { root, name, version, description, commands, manifest }

/** About 5 ms; counts for coverage. */
export async function inProcess(argv: readonly string[], cli: Cli = winnode): Promise<Outcome> {
  const stdout = intercept(process.stdout)
  const stderr = intercept(process.stderr)
  try {
    const code = await run(argv, cli)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
  }
}

function intercept(stream: NodeJS.WriteStream): { text: () => string; restore: () => void } {
  const original = stream.write
  const chunks: Buffer[] = []
  stream.write = (chunk: string | Uint8Array) => {
    chunks.push(Buffer.from(chunk))
    return true
  }
  return {
    text: () => Buffer.concat(chunks).toString(),
    restore: () => {
      stream.write = original
    },
  }
}
