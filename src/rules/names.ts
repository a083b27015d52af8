// Node names and registry folder names that a program would reject.
import { registryFolder } from '../matrix/registry-folder.ts'
import { pathProblem } from '../model/bundle-path.ts'
import { defineRule, when } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

const names =
  'https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names'

/**
 * A DNS subdomain (RFC 1123) of at most 63 characters: the node name is also the value of the label
 * kubernetes.io/hostname. With a longer name the node gets its certificate, and then cannot register.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_node_status.go
 */
const subdomain =
  /^(?=.{1,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

/** The name in the profile; empty if the node reads it from a file, which cannot be checked here. */
const nameIn = (name: NodeSpec['kubelet']['nodeName']) => (typeof name === 'string' ? name : '')

export const badNodeName = defineRule({
  id: 'node-name-malformed',
  severity: 'error',
  summary: 'Node names are lower-case DNS names of at most 63 characters.',
  remedy: 'Use at most 63 lower-case letters, digits, dashes and dots, or remove kubelet.nodeName.',
  see: names,
  check: ({ spec: { kubelet } }) =>
    when(
      typeof kubelet.nodeName === 'string' && !subdomain.test(kubelet.nodeName),
      ['kubelet', 'nodeName'],
      `the API server rejects the node name ${nameIn(kubelet.nodeName)}`,
    ),
})

/** https://learn.microsoft.com/troubleshoot/windows-server/active-directory/naming-conventions-for-computer-domain-site-ou */
const netbiosLength = 15

export const longNodeName = defineRule({
  id: 'node-name-beyond-netbios',
  severity: 'warning',
  harm: 'limits',
  summary: 'Node names fit in a Windows computer name.',
  remedy: 'Use at most 15 characters before the first dot.',
  see: 'https://learn.microsoft.com/troubleshoot/windows-server/active-directory/naming-conventions-for-computer-domain-site-ou',
  check: ({ spec: { kubelet } }) =>
    when(
      (nameIn(kubelet.nodeName).split('.')[0]?.length ?? 0) > netbiosLength,
      ['kubelet', 'nodeName'],
      `${nameIn(kubelet.nodeName)} is longer than a Windows computer name (${netbiosLength} characters)`,
    ),
})

export const badRegistryFolder = defineRule({
  id: 'registry-name-refused-by-windows',
  severity: 'error',
  summary: 'Registry names are valid folder names on Windows.',
  remedy: 'Correct the name, or use another DNS name for the registry.',
  see: 'https://learn.microsoft.com/windows/win32/fileio/naming-a-file#naming-conventions',
  check: ({ spec }) =>
    Object.keys(spec.registry.mirrors).flatMap((registry) => {
      const problem = pathProblem(registryFolder(registry))
      return when(
        problem !== undefined,
        ['registry', 'mirrors', registry],
        `the certs.d folder of ${registry} ${problem ?? ''}`,
      )
    }),
})
