// What win-bridge needs at each start: the HNS network, which it does not create itself, and a host endpoint.
import type { Facts } from '../../model/facts.ts'
import { layout } from '../../model/layout.ts'
import { inPhase, type DraftStep } from '../../model/plan.ts'
import { hnsProgram } from '../external-network.ts'

export function bootSteps({ spec: { network } }: Facts): readonly DraftStep[] {
  return inPhase('boot', [
    {
      kind: 'hnsNetwork',
      id: 'hns-network',
      after: ['running-kubelet'],
      name: network.name,
      type: 'L2Bridge',
      hnsModule: hnsProgram('hns-network').path,
      timeout: 180,
    },
    {
      // win-bridge uses the second address, the host's endpoint, as the gateway of every pod.
      kind: 'hostEndpoint',
      id: 'host-endpoint',
      after: ['hns-network'],
      network: network.name,
      dataDirectory: layout.cniNetworks,
      offset: 2,
      containerId: 'winnode-host-endpoint',
    },
  ])
}
