// What the kubelet reads of the programs that give it pull secrets: CredentialProviderConfig.
import type { Artifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { layout } from '../model/layout.ts'
import { reasonsFor } from '../matrix/reasons.ts'

export const credentialProviders: Artifact = (facts) => {
  const given = facts.spec.registry.credentialProvider
  if (given === undefined || given.config !== undefined) return undefined
  return {
    id: 'credential-providers',
    path: 'files/kubelet/credential-providers.json',
    summary: 'Which program the kubelet asks for the pull secret of which image; holds none.',
    body: { kind: 'json', value: credentialProviderConfig(facts) },
    settings: reasonsFor('credential providers'),
    install: {
      path: layout.credentialProviders,
      phase: 'image',
      after: ['directory-kubernetes'],
    },
  }
}

/** https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/ */
function credentialProviderConfig(facts: Facts): JsonObject {
  const version = facts.has('kubelet-credential-provider-v1') ? 'v1' : 'v1beta1'
  const providers = facts.spec.registry.credentialProvider?.providers ?? []
  return {
    apiVersion: `kubelet.config.k8s.io/${version}`,
    kind: 'CredentialProviderConfig',
    providers: providers.map(({ name, matchImages, defaultCacheDuration, args, env }) => ({
      name,
      apiVersion: `credentialprovider.kubelet.k8s.io/${version}`,
      matchImages,
      defaultCacheDuration,
      ...(args.length > 0 ? { args } : {}),
      ...(Object.keys(env).length > 0
        ? { env: Object.entries(env).map(([key, value]) => ({ name: key, value })) }
        : {}),
    })),
  }
}
