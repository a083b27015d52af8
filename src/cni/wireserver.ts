// Azure's Wireserver, which gives the machine its provisioning data and certificates, also to pods that ask.
// https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
import type { Json } from '../model/json.ts'
import type { NodeSpec } from '../model/spec.ts'

/** Whether the profile names Azure: in the provider ID, or by the credential provider of its registry. */
export function isOnAzure({
  kubelet: { providerID },
  registry: { credentialProvider },
}: Pick<NodeSpec, 'kubelet' | 'registry'>): boolean {
  const named = typeof providerID === 'string' && providerID.startsWith('azure:')
  const providers = credentialProvider?.providers ?? []
  return named || providers.some(({ name }) => /^acr-credential-provider(?:\.exe)?$/i.test(name))
}

/**
 * Rules of a pod's port of the virtual switch, in the format of `apiVersion` 2. The last two allow the rest, because a
 * port with rules lets nothing else through. HostProcess pods have no such port.
 * https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/azurecnifunc.ps1
 */
export const wireserverRules: readonly Json[] = [
  ...['80', '32526'].map((port) => ({
    Protocols: '6',
    Action: 'Block',
    Direction: 'Out',
    RemoteAddresses: '168.63.129.16/32',
    RemotePorts: port,
    RuleType: 'Switch',
    Priority: 200,
  })),
  ...['In', 'Out'].map((Direction) => ({ Action: 'Allow', Direction, Priority: 65_500 })),
]
