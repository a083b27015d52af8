// Pem-file: what a kubeconfig gives as data or as the name of a file.
import { readFile } from '../io/profiles/read-file.ts'
import type { DataOrFile } from './kubeconfig/entries.ts'
import { ClusterProblem } from './problem.ts'

/** `key` is its key in the kubeconfig. */
export function dataOf({ data, file }: DataOrFile, key: string): Buffer | undefined {
  return data ?? (file === undefined ? undefined : fileOf(file, key))
}

export function fileOf(file: string, key: string): Buffer {
  const answer = readFile(file)
  if (answer.kind === 'read') return Buffer.from(answer.bytes)
  const why = answer.kind === 'unreadable' ? answer.reason : `it is ${answer.kind}`
  throw new ClusterProblem('kubeconfig', `${key} ${file} cannot be read: ${why}`)
}
