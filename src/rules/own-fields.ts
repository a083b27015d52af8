// Settings that a profile has a field for: given anywhere else, no rule would see them.
import { valueAt } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import { defineRule, type Conflict } from '../model/rule.ts'

/** Field of the component's configuration, and the field of a profile in its place. */
const kubelet: Readonly<Record<string, string>> = {
  clusterDNS: 'network.clusterDNS',
  clusterDomain: 'network.clusterDomain',
  evictionHard: 'reserve.evictionHard',
  featureGates: 'kubelet.featureGates',
  kubeReserved: 'reserve.kube',
  maxPods: 'kubelet.maxPods',
  providerID: 'kubelet.providerID',
  registerWithTaints: 'kubelet.taints',
  serverTLSBootstrap: 'kubelet.servingCertificateApprover',
  shutdownGracePeriod: 'kubelet.shutdownGracePeriod',
  shutdownGracePeriodCriticalPods: 'kubelet.shutdownGracePeriodCriticalPods',
  systemReserved: 'reserve.system',
}

const kubeProxy: Readonly<Record<string, string>> = {
  'clientConnection.kubeconfig': 'kubeProxy.credentials',
  clusterCIDR: 'network.podCIDRs',
  featureGates: 'kubeProxy.featureGates',
  metricsBindAddress: 'kubeProxy.metricsBindAddress',
}

export const ownField = defineRule({
  id: 'setting-has-field-of-its-own',
  severity: 'error',
  summary: 'A setting is given in the field that the profile has for it.',
  remedy: 'Move the value.',
  see: 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  check: ({ spec }) =>
    (
      [
        ['kubelet', kubelet, spec.kubelet.config],
        ['kubeProxy', kubeProxy, spec.kubeProxy.config],
      ] as const
    ).flatMap(([component, places, config]) =>
      Object.entries(places).flatMap(([key, place]): readonly Conflict[] => {
        const path = key.split('.')
        if (valueAt(config, path) === undefined) return []
        const where = [component, 'config', ...path]
        return [
          {
            path: where,
            at: 'key',
            message: `${formatPath(where)} is given past the rules and the sizing; it belongs into ${place}`,
          },
        ]
      }),
    ),
})

/** Written by winnode alone: another value is known not to work. */
const fixed: Readonly<Record<string, string>> = {
  apiVersion: 'the format is the one that winnode writes',
  kind: 'the file is of the kind that winnode writes',
  containerRuntimeEndpoint: 'containerd listens where winnode tells it to',
  imageServiceEndpoint: 'containerd serves images where it serves containers',
}

export const fixedField = defineRule({
  id: 'kubelet-field-fixed',
  severity: 'error',
  summary: 'What winnode decides alone is not given in kubelet.config.',
  remedy: 'Remove the field.',
  see: 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  check: ({ spec }) =>
    Object.entries(fixed).flatMap(([key, why]): readonly Conflict[] =>
      spec.kubelet.config[key] === undefined
        ? []
        : [
            {
              path: ['kubelet', 'config', key],
              at: 'key',
              message: `${key} cannot be given: ${why}`,
            },
          ],
    ),
})
