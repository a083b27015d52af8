// What the kubelet reads: KubeletConfiguration, whole, with values that Windows can keep.
import { defineArtifact } from '../model/artifact.ts'
import type { Amounts, Facts } from '../model/facts.ts'
import { kubeletHealthPort } from '../matrix/ports.ts'
import { mergeJson, type Json, type JsonObject } from '../model/json.ts'
import { layout, pipe } from '../model/layout.ts'
import type { PlannedFile } from '../model/plan.ts'

export const kubeletConfig = defineArtifact({
  id: 'kubelet-config',
  plan: (facts) => [
    {
      id: 'kubelet-config',
      path: 'files/kubelet/config.json',
      summary: 'The kubelet’s whole configuration, whoever joins the node.',
      body: { kind: 'json', value: kubeletConfiguration(facts) },
      install: {
        path: layout.kubeletConfig,
        after: ['directory-kubelet'],
        ...whenKnown(facts),
      },
    },
  ],
})

/** An image serves many machines, so what only one of them knows waits for the join. */
function whenKnown({ spec }: Facts): Pick<NonNullable<PlannedFile['install']>, 'phase' | 'derive'> {
  if (typeof spec.kubelet.providerID !== 'object') return { phase: 'image' }
  return {
    phase: 'beforeJoin',
    derive: [{ pointer: '/providerID', value: [{ text: '', fact: 'providerID' }] }],
  }
}

function kubeletConfiguration(facts: Facts): JsonObject {
  const { spec, reservations } = facts
  const { kubelet } = spec
  const ours = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: layout.ca },
    },
    authorization: { mode: 'Webhook' },
    // Windows has no cgroups: up to 1.30 any other value, a missing one too, stops the kubelet.
    cgroupsPerQOS: false,
    // The merge with a drop-in folder loses an empty list and takes pods; older validation has no none.
    enforceNodeAllocatable: facts.has('kubelet-cgroups-error') ? [] : ['none'],
    clusterDNS: spec.network.clusterDNS,
    clusterDomain: spec.network.clusterDomain,
    ...(facts.has('kubelet-endpoint-in-config') ? { containerRuntimeEndpoint: pipe.endpoint } : {}),
    evictionHard: spec.reserve.evictionHard,
    ...gates(facts),
    kubeReserved: quantities(reservations.kube),
    systemReserved: quantities(reservations.system),
    maxPods: kubelet.maxPods,
    ...providerID(facts),
    readOnlyPort: 0,
    registerWithTaints: kubelet.taints.map(({ key, value, effect }) => ({ key, value, effect })),
    // The default is /etc/resolv.conf on every system; a path that is not there breaks pods' DNS.
    resolvConf: '',
    rotateCertificates: true,
    serverTLSBootstrap: kubelet.servingCertificateApprover !== undefined,
    ...shutdown(facts),
    // kubeadm waits for an answer there.
    healthzBindAddress: '127.0.0.1',
    healthzPort: kubeletHealthPort,
    // Workers take pods from the API server only.
    staticPodPath: '',
    tlsMinVersion: 'VersionTLS12',
  }
  return mergeJson(ours, kubelet.config)
}

/** Graceful shutdown sits behind a gate in the minors where it is new. */
function gates(facts: Facts): JsonObject {
  const { kubelet } = facts.spec
  const needed =
    kubelet.shutdownGracePeriod !== undefined &&
    facts.has('kubelet-graceful-shutdown') &&
    !facts.has('kubelet-graceful-shutdown-default')
  const featureGates = {
    ...(needed ? { WindowsGracefulNodeShutdown: true } : {}),
    ...kubelet.featureGates,
  }
  return Object.keys(featureGates).length > 0 ? { featureGates } : {}
}

function providerID({ spec }: Facts): JsonObject {
  const written = spec.kubelet.providerID
  if (written === undefined) return {}
  return { providerID: typeof written === 'string' ? written : '' }
}

function shutdown({ spec: { kubelet } }: Facts): JsonObject {
  return {
    ...(kubelet.shutdownGracePeriod === undefined
      ? {}
      : { shutdownGracePeriod: kubelet.shutdownGracePeriod }),
    ...(kubelet.shutdownGracePeriodCriticalPods === undefined
      ? {}
      : { shutdownGracePeriodCriticalPods: kubelet.shutdownGracePeriodCriticalPods }),
  }
}

function quantities({ cpu, memory, ephemeralStorage }: Amounts): Json {
  return {
    ...(cpu > 0 ? { cpu: `${cpu}m` } : {}),
    ...(memory > 0 ? { memory: `${memory}Mi` } : {}),
    ...(ephemeralStorage > 0 ? { 'ephemeral-storage': `${ephemeralStorage}Mi` } : {}),
  }
}
