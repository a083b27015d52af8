// host.tls: protocols and cipher suites of Schannel, as AKS sets them.
// https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/provisioningscripts/windowssecuretls.ps1
import type { WindowsRelease } from '../model/tables.ts'

/** https://learn.microsoft.com/windows-server/security/tls/tls-registry-settings */
const schannel = 'HKLM\\SYSTEM\\CurrentControlSet\\Control\\SecurityProviders\\SCHANNEL\\Protocols'

const protocols = { 'SSL 2.0': 0, 'SSL 3.0': 0, 'TLS 1.0': 0, 'TLS 1.1': 0, 'TLS 1.2': 1 }

/** AKS leaves these two out, and so TLS 1.3, which Windows Server has from 2022 on. */
const suitesOf13 = ['TLS_AES_256_GCM_SHA384', 'TLS_AES_128_GCM_SHA256']

/** A list without RC4, which AKS turns off by itself too. */
const suitesOf12 = ['GCM', 'CBC'].flatMap((mode) =>
  ['ECDSA', 'RSA'].flatMap((key) =>
    ['256', '128'].map(
      (size) => `TLS_ECDHE_${key}_WITH_AES_${size}_${mode}_SHA${size === '256' ? '384' : '256'}`,
    ),
  ),
)

/** Schannel reads them at boot. */
export function tlsValues({ build }: WindowsRelease) {
  const base = { kind: 'registryValue' as const, restart: 'maybe' as const }
  const allowed = Object.entries(protocols).flatMap(([protocol, on]) =>
    ['Client', 'Server'].flatMap((side) =>
      Object.entries({ Enabled: on, DisabledByDefault: 1 - on }).map(([name, value]) => ({
        ...base,
        id: `tls-${protocol}-${side}-${name}`.toLowerCase().replaceAll(/[ .]/g, '-'),
        key: `${schannel}\\${protocol}\\${side}`,
        name,
        type: 'DWord' as const,
        value,
      })),
    ),
  )
  return [
    ...allowed,
    {
      ...base,
      id: 'tls-cipher-suites',
      key: 'HKLM\\SOFTWARE\\Policies\\Microsoft\\Cryptography\\Configuration\\SSL\\00010002',
      name: 'Functions',
      type: 'String' as const,
      value: [...(build < 20_348 ? [] : suitesOf13), ...suitesOf12].join(','),
    },
  ]
}
