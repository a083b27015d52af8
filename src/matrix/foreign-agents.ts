// Windows services of other container engines, and of agents that run a kubelet of their own.
import type { Sourced } from '../model/rows.ts'

export interface ForeignAgent extends Sourced {
  readonly service: string
  /** Whose it is. */
  readonly of: string
}

const checked = '2026-11-22'

/** Services named kubelet, as EKS makes one, are told from ours on the node: by who made them. */
export const foreignAgents: readonly ForeignAgent[] = [
  {
    service: 'docker',
    of: 'Docker Engine, Mirantis Container Runtime',
    see: 'https://docs.docker.com/reference/cli/dockerd/#run-multiple-daemons',
    checked,
  },
  {
    service: 'com.docker.service',
    of: 'Docker Desktop',
    see: 'https://docs.docker.com/desktop/setup/install/windows-permission-requirements/',
    checked,
  },
  {
    service: 'rke2',
    of: 'RKE2, unless it was given another --service-name',
    see: 'https://github.com/rancher/rke2/blob/6ce1a8019/pkg/cli/cmds/agent_service_windows.go#L39-L43',
    checked,
  },
  {
    service: 'k3s',
    of: 'k3s, whose agent runs on Windows but registers no service itself: people give it this name',
    see: 'https://github.com/k3s-io/k3s/pull/7259',
    checked,
  },
  {
    service: 'k0sworker',
    of: 'k0s',
    see: 'https://github.com/k0sproject/k0s/blob/dff90cee9a/pkg/install/service.go#L137-L149',
    checked,
  },
  {
    service: 'windows-instance-config-daemon',
    of: 'Windows Machine Config Operator of OpenShift',
    see: 'https://github.com/openshift/windows-machine-config-operator/blob/0be4b9ccb/pkg/windows/windows.go#L79',
    checked,
  },
  {
    service: 'hybrid-overlay-node',
    of: 'Windows Machine Config Operator of OpenShift',
    see: 'https://github.com/openshift/windows-machine-config-operator/blob/0be4b9ccb/pkg/windows/windows.go#L124',
    checked,
  },
]
