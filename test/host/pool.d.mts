import type { ChildProcessWithoutNullStreams } from 'node:child_process'

export function startHost(): ChildProcessWithoutNullStreams
export function lendHosts(): string
