// The formats for other programs by name, each loaded on demand.
import type { Chunks } from '../chunks.ts'
import type { RunReport } from './reported.ts'

/** Writes the reports of several profiles as one document. */
type Writer = (reports: readonly RunReport[]) => Chunks

export const writers = {
  sarif: async () => (await import('./sarif.ts')).sarif,
  junit: async () => (await import('./junit.ts')).junit,
  markdown: async () => (await import('./markdown.ts')).markdown,
  github: async () => (await import('./github.ts')).github,
} as const satisfies Readonly<Record<string, () => Promise<Writer>>>
