// All diagnoses, by what they are of.
import type { Diagnosis } from '../diagnosis.ts'
import { images } from './images.ts'
import { kubeProxy } from './kube-proxy.ts'
import { machine } from './machine.ts'
import { membership } from './membership.ts'
import { network } from './network.ts'
import { services } from './services.ts'
import { windows } from './windows.ts'

export const topics = {
  Services: services,
  Membership: membership,
  Network: network,
  'kube-proxy': kubeProxy,
  Machine: machine,
  Windows: windows,
  Images: images,
} as const

export const diagnoses: readonly Diagnosis[] = Object.values(topics).flat()
