// The programs that take settings of a profile as they are: their tables, and where else their fields come from.
import { isOn } from '../../matrix/feature-gates.ts'
import { fieldIn, type FieldTable } from '../../matrix/config-fields.ts'
import { kubeProxyFields } from '../../matrix/kube-proxy-fields.ts'
import { kubeletFields } from '../../matrix/kubelet-fields.ts'
import type { FieldType } from '../../model/config-rows.ts'
import type { Facts } from '../../model/facts.ts'
import { parseDuration } from '../../model/go/duration.ts'
import { valueAt, type Json, type JsonObject } from '../../model/json.ts'
import type { Path } from '../../model/path.ts'
import type { NodeSpec } from '../../model/spec.ts'

export interface Component {
  readonly name: 'kubelet' | 'kube-proxy'
  readonly fields: FieldTable
  readonly version: (spec: NodeSpec) => string
  /** What the profile passes through. */
  readonly config: (spec: NodeSpec) => JsonObject
  readonly gates: (spec: NodeSpec) => Readonly<Record<string, boolean>>
  readonly home: 'kubelet' | 'kubeProxy'
  /** Fields of the file that the profile has a place for, where it says something there. */
  readonly own: (spec: NodeSpec) => JsonObject
  readonly places: Readonly<Record<string, Path>>
  /** What winnode writes where the profile says nothing. */
  readonly written: (facts: Facts) => JsonObject
  readonly see: string
}

export const kubelet: Component = {
  name: 'kubelet',
  fields: kubeletFields,
  version: ({ kubernetes }) => kubernetes.version,
  config: (spec) => spec.kubelet.config,
  gates: (spec) => spec.kubelet.featureGates,
  home: 'kubelet',
  own: ({ kubelet: own, reserve }) => ({
    evictionHard: reserve.evictionHard,
    ...(own.servingCertificateApprover !== undefined && { serverTLSBootstrap: true }),
    ...(own.shutdownGracePeriod !== undefined && { shutdownGracePeriod: own.shutdownGracePeriod }),
    ...(own.shutdownGracePeriodCriticalPods !== undefined && {
      shutdownGracePeriodCriticalPods: own.shutdownGracePeriodCriticalPods,
    }),
  }),
  places: {
    evictionHard: ['reserve', 'evictionHard'],
    serverTLSBootstrap: ['kubelet', 'servingCertificateApprover'],
    shutdownGracePeriod: ['kubelet', 'shutdownGracePeriod'],
    shutdownGracePeriodCriticalPods: ['kubelet', 'shutdownGracePeriodCriticalPods'],
  },
  written: ({ has }) => ({
    cgroupsPerQOS: false,
    enforceNodeAllocatable: has('kubelet-cgroups-error') ? [] : ['none'],
  }),
  see: 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
}

export const kubeProxy: Component = {
  name: 'kube-proxy',
  fields: kubeProxyFields,
  version: ({ kubernetes }) => kubernetes.kubeProxy,
  config: (spec) => spec.kubeProxy.config,
  gates: (spec) => spec.kubeProxy.featureGates,
  home: 'kubeProxy',
  own: (spec) => ({ metricsBindAddress: spec.kubeProxy.metricsBindAddress }),
  places: { metricsBindAddress: ['kubeProxy', 'metricsBindAddress'] },
  written: () => ({}),
  see: 'https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/',
}

/** A configuration as the program runs with it. */
export interface Effective {
  readonly version: string
  /** What the profile says, in whichever place. */
  readonly given: JsonObject
  readonly at: (path: string) => Json | undefined
  readonly typeOf: (path: string) => FieldType
  readonly on: (gate: string) => boolean
  readonly dropIns: boolean
}

export function effectiveOf(component: Component, facts: Facts): Effective {
  const { spec } = facts
  const version = component.version(spec)
  const gates = component.gates(spec)
  const given = { ...component.own(spec), ...component.config(spec) }
  const written = component.written(facts)
  const at = (path: string): Json | undefined => {
    const steps = path.split('.')
    const said = valueAt(given, steps) ?? valueAt(written, steps)
    const field = fieldIn(component.fields, path, version)
    return isUnset(said, field) ? (field?.default ?? said) : said
  }
  const dropIns = spec.kubelet.dropInDirectory !== undefined
  const typeOf = (path: string) => fieldIn(component.fields, path, version)?.type ?? 'string'
  return { version, given, at, typeOf, on: (gate) => isOn(gate, gates, version), dropIns }
}

interface Typed {
  readonly type: FieldType
  readonly nullable?: true
}

/** No number, no text, no time; of a field that may be null, a zero stays. */
export function isUnset(value: Json | undefined, field: Typed | undefined): boolean {
  if (value === undefined || value === null) return true
  if (field?.nullable === true) return false
  if (value === 0 || value === '' || value === false) return true
  const isTime = field?.type.startsWith('duration') === true
  return isTime && typeof value === 'string' && parseDuration(value) === 0
}
