// Reads snapshots and reports of nodes from standard input.
import { fstatSync } from 'node:fs'
import { type ProblemOf, type NodeText, nodesOf } from './node-files.ts'

const standardInput = 0

/** Node.js cannot read a folder. */
export async function* nodesOfInput(problemOf: ProblemOf): AsyncGenerator<NodeText> {
  const source = 'standard input'
  if (isFolder()) yield { source, name: source, unread: 'it is a folder' }
  else yield* nodesOf(process.stdin, { source, name: 'document', problemOf })
}

/** False if the system does not know whether it is a console. */
function isFolder(): boolean {
  try {
    return fstatSync(standardInput).isDirectory()
  } catch {
    return false
  }
}
