// The address in the node's pod subnet that no pod may get, and the program that reserves it.
import { layout } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { Reservation } from '../plugin.ts'

export const hostLocal = `${layout.cniBin}\\host-local.exe`

/** The source VIP on an overlay, else the address of the host's endpoint. */
export function reservationOf({ mode, name }: NodeSpec['network']): Reservation {
  const containerId = mode === 'overlay' ? 'winnode-source-vip' : 'winnode-host-endpoint'
  return { network: name, dataDirectory: layout.cniNetworks, containerId }
}
