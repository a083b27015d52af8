// Questions about Windows, versions and the network mode.
import { everyCni } from '../../cni/index.ts'
import { lines, minors, modes, releases } from '../offers.ts'
import { topicRows } from '../row.ts'

const matters = 'where it matters'

export const windows = topicRows('windows', [
  {
    id: 'windows',
    path: ['windows', 'release'],
    title: 'Which Windows Server does the machine run?',
    ask: 'always',
    offers: releases,
  },
  {
    id: 'revision',
    path: ['windows', 'revision'],
    title: 'Which update build revision do the machines have at least?',
    ask: matters,
    fallbackText: 'winnode cannot tell which revisions break the network',
  },
])

export const versions = topicRows('versions', [
  {
    id: 'kubernetes',
    path: ['kubernetes', 'version'],
    title: 'Which version shall the kubelet have?',
    ask: 'always',
    offers: minors,
    decision: 'kubelet',
  },
  {
    id: 'containerd',
    path: ['containerd', 'version'],
    title: 'Which containerd shall run the containers?',
    ask: 'always',
    offers: lines,
    decision: 'containerd',
  },
])

export const network = topicRows('network', [
  {
    id: 'mode',
    path: ['network', 'mode'],
    title: 'How shall pods be attached to the network?',
    ask: 'always',
    offers: modes,
  },
  ...everyCni.flatMap(({ questions }) =>
    questions.map((question) => ({ ...question, ask: matters }) as const),
  ),
])
