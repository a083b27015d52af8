// Input: snapshots and reports of nodes that come by standard input.
import { fstatSync } from 'node:fs'
import { type Judge, type NodeText, nodesOf } from './node-files.ts'

const standardInput = 0

/** A folder gives Node nothing to read. */
export async function* nodesOfInput(judge: Judge): AsyncGenerator<NodeText> {
  const source = 'standard input'
  if (isFolder()) yield { source, name: source, unread: 'it is a folder' }
  else yield* nodesOf(process.stdin, { source, name: 'document', judge })
}

/** False where the system gives no information about its console. */
function isFolder(): boolean {
  try {
    return fstatSync(standardInput).isDirectory()
  } catch {
    return false
  }
}
