// Outputs: where a run writes what was asked for, and what is said about it.
import { fstatSync, statSync, writeSync } from 'node:fs'
import { bare, type Screen, screenOf } from '../present/screen.ts'
import { codeOf, endWithoutOutput } from './standard-output.ts'

export interface Outputs {
  readonly stdout: Output
  readonly stderr: Output
}

export interface Output {
  write(content: string | Uint8Array): void
  screen(how: How): Screen
  /** Where somebody looks. */
  readonly terminal: NodeJS.WriteStream | undefined
}

type How = Parameters<typeof screenOf>[1]
type Failed = (error: unknown) => void

/** Those of this process. */
export function openOutputs(): Outputs {
  return {
    stdout: open('stdout', 1, endWithoutOutput),
    // Nobody is left to be told.
    stderr: open('stderr', 2, () => undefined),
  }
}

function open(name: keyof Outputs, descriptor: number, failed: Failed): Output {
  let opened: NodeJS.WriteStream | undefined
  const stream = () => (opened ??= process[name].prependListener('error', failed))
  return isPlain(descriptor) ? atOnce(descriptor, stream, failed) : throughStream(stream())
}

/** A terminal has colours and a width; Windows writes to its consoles and pipes in ways of their own. */
function isPlain(descriptor: number): boolean {
  if (process.platform === 'win32') return false
  try {
    const at = fstatSync(descriptor)
    return !at.isCharacterDevice() || at.rdev === statSync('/dev/null').rdev
  } catch {
    return false
  }
}

/**
 * What a pipe takes of a run on every system, in bytes, even where nobody reads it. A run that waits for a
 * reader hears of no signal; the stream waits beside it. A file takes everything at once.
 */
function roomOf(descriptor: number): number {
  return fstatSync(descriptor).isFile() ? Infinity : 2 ** 14
}

/** Node's streams, and its network with them, take a tenth of a short run to load. */
function atOnce(descriptor: number, stream: () => NodeJS.WriteStream, failed: Failed): Output {
  let later: Output | undefined
  let room = roomOf(descriptor)
  return {
    terminal: undefined,
    screen: (how) =>
      process.env['FORCE_COLOR'] === undefined
        ? { ...bare, verbose: how.verbose }
        : screenOf(stream(), how),
    write(content) {
      room -= Buffer.byteLength(content)
      if (room < 0) later ??= throughStream(stream())
      if (later) {
        later.write(content)
        return
      }
      try {
        const rest = writeTo(descriptor, content)
        if (rest.length === 0) return
        later = throughStream(stream())
        later.write(rest)
      } catch (error) {
        failed(error)
      }
    },
  }
}

/** Gives what is left where a pipe that does not block is full; throws what the system says. */
function writeTo(descriptor: number, content: string | Uint8Array): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  let end = 0
  try {
    while (end < bytes.length) end += writeSync(descriptor, bytes, end)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error
  }
  return bytes.subarray(end)
}

/** In the order of what is written, when the stream can take it. */
export function throughStream(stream: NodeJS.WriteStream): Output {
  return {
    get terminal() {
      return stream.isTTY ? stream : undefined
    },
    screen: (how) => screenOf(stream, how),
    write: (content) => void stream.write(content),
  }
}
