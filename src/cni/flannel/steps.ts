// What flannel needs on a node: folders, its service, and steps at each start.
import type { Facts } from '../../model/facts.ts'
import { layout, protectedList } from '../../model/layout.ts'
import { firewallRule, inPhase, type DraftStep } from '../../model/plan.ts'
import { kubeconfigPath } from '../kubeconfig.ts'
import { conflistPath } from './files.ts'
import { paths } from './paths.ts'
import { hostLocal, reservationOf } from './reservation.ts'
import { runsAsPods } from './runs-as.ts'

export function hostSteps({ spec }: Facts): readonly DraftStep[] {
  const pods = runsAsPods(spec.network)
  return inPhase('image', [
    !pods && directory('flannel-conf', paths.conf),
    directory('flannel-run', paths.run),
    // nssm does not create the folder of its log file.
    !pods && directory('flannel-log', `${layout.logs}\\flanneld`),
    spec.network.mode === 'overlay' &&
      firewallRule({
        id: 'vxlan',
        what: 'VXLAN between nodes',
        protocol: 'UDP',
        ports: String(spec.network.flannel.port),
        from: spec.host.firewall.networkFrom,
      }),
  ])
}

function directory(id: string, path: string) {
  return { kind: 'directory' as const, id: `directory-${id}`, path, sddl: protectedList }
}

/** flanneld is not a Windows service program, so nssm runs it. */
export function serviceSteps({ spec }: Facts): readonly DraftStep[] {
  if (runsAsPods(spec.network)) return []
  return inPhase('beforeJoin', [
    {
      kind: 'service',
      id: 'service-flanneld',
      after: [
        'download-flanneld',
        'archive-nssm',
        'file-flannel-net-conf',
        'directory-flannel-log',
      ],
      name: 'flanneld',
      displayName: 'flanneld',
      description: 'Pod network of Kubernetes, managed by winnode.',
      scm: 'wrapped',
      wrapper: `${layout.programs}\\nssm.exe`,
      command: [
        { text: `${layout.programs}\\flanneld.exe` },
        { text: '--kube-subnet-mgr' },
        {
          text: `--kubeconfig-file=${kubeconfigPath(spec.network.flannel.credentials, 'flannel')}`,
        },
        { text: '--iface=', fact: 'nodeIP' },
        { text: `--net-config-path=${paths.conf}\\net-conf.json` },
        { text: `--subnet-file=${paths.subnetFile}` },
        { text: '--iptables-forward-rules=false' },
      ],
      // The boot task starts it, so that kube-proxy never runs before its network exists.
      start: 'demand',
      dependsOn: [],
      environment: [{ name: 'NODE_NAME', value: { text: '', fact: 'nodeName' } }],
      log: {
        path: `${layout.logs}\\flanneld\\flanneld.log`,
        maxSizeMiB: spec.services.logMaxSizeMiB,
        maxFiles: spec.services.logMaxFiles,
      },
      restartDelays: [5_000, 10_000, 60_000],
      resetAfter: 900,
    },
  ])
}

export function bootSteps({ spec }: Facts): readonly DraftStep[] {
  const { network } = spec
  if (runsAsPods(network)) return []
  const { containerId, ...place } = reservationOf(network)
  const overlay = network.mode === 'overlay'
  return inPhase('boot', [
    {
      kind: 'serviceRunning',
      id: 'running-flanneld',
      name: 'flanneld',
      timeout: 60,
      reads: [kubeconfigPath(network.flannel.credentials, 'flannel')],
      clears: [paths.subnetFile, conflistPath],
    },
    {
      kind: 'hnsNetwork',
      id: 'hns-network',
      after: ['running-flanneld'],
      name: network.name,
      type: overlay ? 'Overlay' : 'L2Bridge',
      service: 'flanneld',
      subnetFile: paths.subnetFile,
      timeout: 180,
    },
    overlay
      ? {
          kind: 'addressReservation',
          id: 'source-vip',
          after: ['hns-network'],
          ...place,
          fact: 'sourceVip',
          ...(network.sourceVip === undefined ? {} : { address: network.sourceVip }),
          hostLocal,
          containerId,
        }
      : {
          kind: 'hostEndpoint',
          id: 'host-endpoint',
          after: ['hns-network'],
          ...place,
          offset: 2,
          containerId,
        },
  ])
}
