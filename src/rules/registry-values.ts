// host.registry: each value is set once, fits its type, names known Windows builds, and leaves IPv6 enabled.
import { registryIdentity } from '../matrix/registry-values.ts'
import { windowsReleases } from '../matrix/windows.ts'
import type { NodeSpec } from '../model/spec.ts'
import { defineRule, repeated, when } from '../model/rule.ts'

const see = 'https://learn.microsoft.com/windows/win32/sysinfo/registry-value-types'
const path = ['host', 'registry'] as const

type Wanted = NodeSpec['host']['registry'][number]

const fits: Readonly<Record<Wanted['type'], (value: Wanted['value']) => boolean>> = {
  DWord: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32,
  String: (value) => typeof value === 'string',
  ExpandString: (value) => typeof value === 'string',
  MultiString: (value) => Array.isArray(value),
}

const needs: Readonly<Record<Wanted['type'], string>> = {
  DWord: 'a whole number from 0 to 4294967295',
  String: 'a text',
  ExpandString: 'a text',
  MultiString: 'a list of texts',
}

export const valueUnfit = defineRule({
  id: 'registry-value-unfit',
  severity: 'error',
  byValue: true,
  summary: 'Values of host.registry have the type that they name.',
  remedy: 'Change the value or its type.',
  see,
  check: ({ spec }) =>
    spec.host.registry.flatMap(({ name, type, value }, at) =>
      when(
        value !== undefined && !fits[type](value),
        [...path, at, 'value'],
        `${name} is not ${needs[type]}, which the type ${type} needs`,
      ),
    ),
})

export const valueNamedTwice = defineRule({
  id: 'registry-value-named-twice',
  severity: 'error',
  summary: 'host.registry lists each value once for a Windows build.',
  remedy: 'Remove one of the entries, or give each its own builds.',
  see,
  check: ({ spec, windows }) =>
    repeated(
      spec.host.registry.flatMap((entry, at) =>
        entry.builds?.includes(windows.build) === false
          ? []
          : { name: entry.name, key: registryIdentity(entry), path: [...path, at, 'name'] },
      ),
      (name) => `${name} is listed twice`,
    ),
})

export const buildUnknown = defineRule({
  id: 'registry-build-unknown',
  severity: 'error',
  byValue: true,
  summary: 'Builds of host.registry are builds of Windows Server.',
  remedy: 'Use the build of a release, such as 20348 for Windows Server 2022.',
  see: 'https://learn.microsoft.com/windows-server/get-started/windows-server-release-info',
  check: ({ spec }) =>
    spec.host.registry.flatMap(({ builds = [] }, at) =>
      builds.flatMap((build, index) =>
        when(
          !windowsReleases.some((release) => release.build === build),
          [...path, at, 'builds', index],
          `no Windows Server release has the build ${build}; the value is never set`,
        ),
      ),
    ),
})

/** https://learn.microsoft.com/troubleshoot/windows-server/networking/configure-ipv6-in-windows */
const offOnAdapters = 0x10

export const ipv6Disabled = defineRule({
  id: 'ipv6-disabled',
  severity: 'warning',
  harm: 'breaks',
  summary: 'IPv6 is enabled in Windows, also on a node without IPv6 addresses.',
  remedy: 'Remove DisabledComponents, or set it to 32, which prefers IPv4.',
  see: 'https://github.com/moby/moby/issues/32595',
  check: ({ spec }) =>
    spec.host.registry.flatMap(({ path: key, name, value }, at) =>
      when(
        /\\Tcpip6\\Parameters$/i.test(key) &&
          name.toLowerCase() === 'disabledcomponents' &&
          typeof value === 'number' &&
          (value & offOnAdapters) !== 0,
        [...path, at, 'value'],
        'IPv6 is disabled on the adapters of the node; HNS can fail to create networks',
      ),
    ),
})
