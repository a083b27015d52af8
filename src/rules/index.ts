// Every rule, in the order in which docs/rules.md lists them.
import { cniRules } from '../cni/index.ts'
import type { Rule } from '../model/rule.ts'
import * as skew from './skew.ts'
import * as knownVersions from './known-versions.ts'
import * as lifecycle from './lifecycle.ts'
import * as windows from './windows.ts'
import * as runtime from './runtime.ts'
import * as containerdRoot from './containerd-root.ts'
import * as sandbox from './sandbox.ts'
import * as kubelet from './kubelet.ts'
import * as kubeletSecurity from './kubelet-security.ts'
import * as logQuery from './kubelet-log-query.ts'
import * as kubeletValues from './kubelet-values.ts'
import * as settings from './settings.ts'
import * as replacedSettings from './replaced-settings.ts'
import * as eviction from './eviction.ts'
import * as configFields from './config-fields.ts'
import * as featureGates from './feature-gates.ts'
import * as keyCase from './key-case.ts'
import * as network from './network.ts'
import * as kubeProxy from './kube-proxy.ts'
import * as addressing from './addressing.ts'
import * as addresses from './addresses.ts'
import * as sizing from './sizing.ts'
import * as secrets from './secrets.ts'
import * as join from './join.ts'
import * as cloud from './cloud.ts'
import * as duplicates from './duplicates.ts'
import * as names from './names.ts'
import * as registries from './registries.ts'
import * as downloads from './downloads.ts'
import * as host from './host.ts'
import * as portRanges from './port-ranges.ts'
import * as registryValues from './registry-values.ts'
import * as advisories from './advisories.ts'
import * as policies from './addons/policies.ts'
import * as hostProcess from './addons/host-process.ts'
import * as fluentBit from './addons/fluent-bit.ts'
import * as addOnImages from './addons/images.ts'
import * as smbCsi from './addons/smb-csi.ts'
import * as windowsExporter from './addons/windows-exporter.ts'
import * as csrApprover from './addons/csr-approver.ts'
import * as gmsa from './addons/gmsa.ts'

/** A module whose exports are all rules. */
type Topic = Readonly<Record<string, Rule | readonly Rule[]>>

const rulesOf = (topic: Topic): readonly Rule[] => Object.values(topic).flat()

/** In the order of the docs; within a file, in the alphabetical order of the exported names. */
export const rules: readonly Rule[] = [
  ...rulesOf(skew),
  ...rulesOf(knownVersions),
  ...rulesOf(lifecycle),
  ...rulesOf(windows),
  ...rulesOf(runtime),
  ...rulesOf(containerdRoot),
  ...rulesOf(sandbox),
  ...rulesOf(kubelet),
  ...rulesOf(kubeletSecurity),
  ...rulesOf(logQuery),
  ...rulesOf(kubeletValues),
  ...rulesOf(settings),
  ...rulesOf(replacedSettings),
  ...rulesOf(eviction),
  ...rulesOf(configFields),
  ...rulesOf(featureGates),
  ...rulesOf(keyCase),
  ...rulesOf(network),
  ...cniRules,
  ...rulesOf(kubeProxy),
  ...rulesOf(addressing),
  ...rulesOf(addresses),
  ...rulesOf(sizing),
  ...rulesOf(secrets),
  ...rulesOf(join),
  ...rulesOf(cloud),
  ...rulesOf(duplicates),
  ...rulesOf(names),
  ...rulesOf(registries),
  ...rulesOf(downloads),
  ...rulesOf(host),
  ...rulesOf(portRanges),
  ...rulesOf(registryValues),
  ...rulesOf(policies),
  ...rulesOf(hostProcess),
  ...rulesOf(fluentBit),
  ...rulesOf(addOnImages),
  ...rulesOf(smbCsi),
  ...rulesOf(windowsExporter),
  ...rulesOf(csrApprover),
  ...rulesOf(gmsa),
  ...rulesOf(advisories),
]
