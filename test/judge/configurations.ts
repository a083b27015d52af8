// Configurations of the kubelet and kube-proxy in a bundle: what the programs say, and what a Windows node needs.
import { isObject, valueAt, type Json } from '../../src/model/json.ts'
import type { Finding } from './finding.ts'
import { judgeGates, type GateSettings } from './gates.ts'
import { decode } from './go/decode.ts'
import { readJson } from './go/json-reader.ts'
import type { Versions } from './judge.ts'
import { judgeKubelet } from './kubelet/kubelet.ts'
import { isBefore } from './minors.ts'
import { featureGates, kubeProxyFields } from './tables.ts'
import { kubeletLinuxOnly, kubeletWords, kubeProxyLinuxOnly } from './windows.ts'
import { textOf } from './go/scalar.ts'

/** What a worker's kubelet needs beyond its defaults; kubeadm's own file would have it from the cluster. */
const needed = [
  'authentication.x509.clientCAFile',
  'authorization.mode',
  'clusterDNS',
  'clusterDomain',
  'resolvConf',
  'rotateCertificates',
]

const at = (document: unknown, path: string): Json | undefined =>
  isObject(document) ? valueAt(document, path.split('.')) : undefined

const told = (findings: readonly Finding[]) =>
  findings.map(({ verdict, message }) => `${verdict}: ${message}`)

export function judgeKubeletFile(
  document: unknown,
  { kubelet }: Versions,
  text: string,
): readonly string[] {
  const endpoint = ['--container-runtime-endpoint=npipe:////./pipe/containerd-containerd']
  const inFlag = isBefore(kubelet, '1.27')
  return [
    ...told(judgeKubelet({ flags: inFlag ? endpoint : [], config: text }, kubelet)),
    ...needed
      .filter((path) => at(document, path) === undefined)
      .map((path) => `${path} is missing`),
    ...(inFlag || at(document, 'containerRuntimeEndpoint') !== undefined
      ? []
      : ['containerRuntimeEndpoint is missing']),
    ...judgeDefaults(at(document, 'featureGates'), kubelet),
    ...judgeEnforced(document, kubelet),
    ...judgeLinuxOnly(document, kubeletLinuxOnly),
    ...kubeletWords
      .filter(({ path, words }) => !words.includes(textOf(at(document, path) ?? words[0])))
      .map(({ path }) => `${path} cannot be ${JSON.stringify(at(document, path))}`),
  ]
}

/** cgroupsPerQOS is true where it is not said; a drop-in folder loses an empty list from 1.32 on. */
function judgeEnforced(document: unknown, kubelet: string): readonly string[] {
  const list = JSON.stringify(at(document, 'enforceNodeAllocatable'))
  const right = isBefore(kubelet, '1.31') ? '[]' : '["none"]'
  return [
    ...(at(document, 'cgroupsPerQOS') === false ? [] : ['cgroupsPerQOS is not false']),
    ...(list === right ? [] : [`enforceNodeAllocatable is not ${right}`]),
  ]
}

export function judgeKubeProxyFile(
  document: unknown,
  { kubeProxy }: Versions,
  text: string,
): readonly string[] {
  const gates = settingsOf(at(document, 'featureGates'))
  const { findings, enabled } = judgeGates(gates, kubeProxy)
  const dsr = at(document, 'winkernel.enableDSR') === true
  // WinDSR locked, and then went.
  const has = featureGates(kubeProxy).has('WinDSR')
  return [
    ...told(decode(readJson(text).value, kubeProxyFields(kubeProxy)).findings),
    ...told(findings),
    ...judgeDefaults(at(document, 'featureGates'), kubeProxy),
    ...(dsr && has && !enabled('WinDSR') ? ['enableDSR without the gate WinDSR'] : []),
    ...(at(document, 'mode') === 'kernelspace' ? [] : ['mode is not kernelspace']),
    ...judgeLinuxOnly(document, kubeProxyLinuxOnly),
  ]
}

/** A gate that is set to what it is anyhow says nothing. */
function judgeDefaults(gates: Json | undefined, version: string): readonly string[] {
  return Object.entries(settingsOf(gates)).flatMap(([gate, value]) =>
    featureGates(version).get(gate)?.default === value ? [`gate ${gate} is ${value} anyhow`] : [],
  )
}

function judgeLinuxOnly(document: unknown, paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => at(document, path) !== undefined)
    .map((path) => `${path} has no effect on Windows`)
}

function settingsOf(value: Json | undefined): GateSettings {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(entries.map(([gate, on]) => [gate, on === true]))
}
