// The settings of every rendered file and service: the words that docs/files.md is made of.
import { agentSettings } from '../../cni/antrea/settings.ts'
import * as flannel from '../../cni/flannel/settings.ts'
import type { PlannedFile } from '../../model/plan.ts'
import { configVersions } from '../../model/rows.ts'
import type { Settings } from '../../model/setting.ts'
import {
  accountSettings,
  bootstrapSettings,
  kubeconfigSettings,
  runtimeClassSettings,
} from './cluster.ts'
import { containerdFlags, containerdSettings, crictlSettings, hostsSettings } from './containerd.ts'
import { kubeProxyFlags, kubeProxySettings } from './kube-proxy.ts'
import { joinSettings } from './kubeadm.ts'
import { credentialProviderSettings, kubeletFlags, kubeletSettings } from './kubelet.ts'
import { logRunnerFlags } from './log-runner.ts'

/** By template, or by the id of a file that has none. */
const files: Readonly<Record<string, Settings>> = {
  ...Object.fromEntries(
    configVersions.map((format) => [
      `containerd/config-v${format}.toml.hbs`,
      containerdSettings(format),
    ]),
  ),
  'containerd/hosts.toml.hbs': hostsSettings,
  'crictl/crictl.yaml.hbs': crictlSettings,
  'kubelet-config': kubeletSettings,
  'credential-providers': credentialProviderSettings,
  'kubeadm-join': joinSettings,
  'kube-proxy-config': kubeProxySettings,
  'kube-proxy-kubeconfig': kubeconfigSettings,
  'flannel-kubeconfig': kubeconfigSettings,
  'cni-conf': flannel.conflistSettings,
  'flannel-net-conf': flannel.netConfSettings,
  'cluster-flannel-net-conf': flannel.netConfSettings,
  'cluster-antrea-agent': agentSettings,
  'cluster-antrea-windows-agent': agentSettings,
  'cluster/bootstrap.yaml.hbs': bootstrapSettings,
  'cluster/kube-proxy.yaml.hbs': accountSettings,
  'cluster/flannel.yaml.hbs': { ...accountSettings, ...flannel.flannelRoleSettings },
  'cluster/runtime-class.yaml.hbs': runtimeClassSettings,
}

const services: Readonly<Record<string, Settings>> = {
  containerd: containerdFlags,
  kubelet: { ...logRunnerFlags, ...kubeletFlags },
  'kube-proxy': { ...logRunnerFlags, ...kubeProxyFlags },
  flanneld: flannel.flannelFlags,
}

/** None for prose, for scripts and for what a profile brings as it is. */
export function settingsOf({ id, body }: PlannedFile): Settings | undefined {
  return files[body.kind === 'template' ? body.template : id]
}

/** Flags and variables of a service. */
export function flagsOf(service: string): Settings | undefined {
  return services[service]
}
