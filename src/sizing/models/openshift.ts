// Reservations on OpenShift nodes: two generations of its automatic sizing, and its fixed amounts for Windows.
import type { EvictionDefaults, SizingModel, SizingRule } from '../model.ts'

const checked = '2026-11-20'
const see =
  'https://github.com/openshift/machine-config-operator/blob/main/templates/common/_base/files/kubelet-auto-sizing.yaml'

const cpu: SizingRule = { kind: 'perCore', first: 60, further: 12, least: 500 }
const windows = { 'nodefs.available': '10%', 'imagefs.available': '15%' }
const eviction: EvictionDefaults = {
  windows,
  linux: {
    'memory.available': '100Mi',
    'nodefs.available': '10%',
    'nodefs.inodesFree': '5%',
    'imagefs.available': '15%',
  },
}

export const openshiftModels: readonly SizingModel[] = [
  {
    id: 'openshift',
    title: 'OpenShift automatic sizing, since February 2026',
    kube: {},
    system: {
      cpu,
      memory: {
        kind: 'pieces',
        pieces: [
          { upTo: 8, intercept: 1, slope: 0 },
          { upTo: 128, intercept: 0.52, slope: 0.06 },
          // A step of -0.3 GiB at this boundary, as in the original script.
          { intercept: 5.32, slope: 0.02 },
        ],
      },
      ephemeralStorage: 1024,
    },
    eviction,
    note: 'Made for Linux nodes; it counts memory in whole GiB.',
    see,
    checked,
  },
  {
    id: 'openshift-pre-2026-02',
    title: 'OpenShift automatic sizing, before February 2026',
    kube: {},
    system: {
      cpu,
      memory: {
        kind: 'pieces',
        pieces: [
          { upTo: 4, intercept: 0, slope: 0.25 },
          { upTo: 8, intercept: 0.2, slope: 0.2 },
          { upTo: 16, intercept: 1, slope: 0.1 },
          { upTo: 128, intercept: 1.64, slope: 0.06 },
          { intercept: 6.76, slope: 0.02 },
        ],
      },
      ephemeralStorage: 1024,
    },
    eviction,
    note: 'Made for Linux nodes; it counts memory in whole GiB.',
    see,
    checked,
  },
  {
    id: 'openshift-wmco',
    title: 'OpenShift Windows nodes',
    kube: {},
    system: {
      cpu: { kind: 'constant', amount: 500 },
      memory: { kind: 'constant', amount: 2048 },
      ephemeralStorage: 1024,
    },
    eviction: { windows, linux: {} },
    note: 'The same amounts for every size, and no eviction by memory.',
    see: 'https://github.com/openshift/windows-machine-config-operator/blob/master/pkg/nodeconfig/nodeconfig.go',
    checked,
  },
]
