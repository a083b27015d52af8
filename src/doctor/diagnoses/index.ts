// All diagnoses, by what they are of: what breaks first comes first.
import type { Diagnosis } from '../diagnosis.ts'
import { images } from './images.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'
import { machine } from './machine.ts'
import { membership } from './membership.ts'
import { network } from './network.ts'
import { services } from './services.ts'
import { windows } from './windows.ts'

export const topics = {
  Windows: windows,
  Machine: machine,
  Services: services,
  kubelet,
  Membership: membership,
  Network: network,
  'kube-proxy': kubeProxy,
  Images: images,
} as const

export const diagnoses: readonly Diagnosis[] = Object.values(topics).flat()
