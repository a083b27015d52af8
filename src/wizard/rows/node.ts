// Questions about Windows, versions and the network mode.
import { everyCni } from '../../cni/index.ts'
import { lines, minors, modes, releases } from '../offers.ts'
import { topicRows } from '../row.ts'

const matters = 'where it matters'

export const windows = topicRows('windows', [
  {
    id: 'windows',
    path: ['windows', 'release'],
    title: 'Windows Server release',
    ask: 'always',
    offers: releases,
  },
  {
    id: 'revision',
    path: ['windows', 'revision'],
    title: 'Minimum Windows update build revision',
    ask: matters,
    fallbackText: 'none: defects of older revisions are not checked',
  },
])

export const versions = topicRows('versions', [
  {
    id: 'kubernetes',
    path: ['kubernetes', 'version'],
    title: 'kubelet version',
    ask: 'always',
    offers: minors,
    decision: 'kubelet',
  },
  {
    id: 'containerd',
    path: ['containerd', 'version'],
    title: 'containerd version',
    ask: 'always',
    offers: lines,
    decision: 'containerd',
  },
])

export const network = topicRows('network', [
  {
    id: 'mode',
    path: ['network', 'mode'],
    title: 'HNS network mode',
    ask: 'always',
    offers: modes,
  },
  ...everyCni.flatMap(({ questions }) =>
    questions.map((question) => ({ ...question, ask: matters }) as const),
  ),
])
