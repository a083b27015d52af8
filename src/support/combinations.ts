// Combinations of Windows, Kubernetes, containerd and a network, each with the findings of the rules.
import { checkWithoutUpgrades } from '../check.ts'
import { carries } from '../cni/index.ts'
import type { WindowsId } from '../model/choices.ts'
import type { CheckOptions } from '../model/facts.ts'
import { askedFields, errorsWithoutAsks, type Finding } from '../model/finding.ts'
import { computedLayer, type Layer } from '../model/layer.ts'
import { patchOfNetwork, type NetworkChoice } from './networks.ts'

/** With a profile that has whatever else the plugin needs. */
export interface Network extends NetworkChoice {
  readonly layers: readonly Layer[]
}

export interface Axes {
  readonly windows: readonly WindowsId[]
  /** Minors; the newest patch of each is checked. */
  readonly kubernetes: readonly string[]
  /** Lines; `undefined` is the default of the Kubernetes version. */
  readonly containerd: readonly (string | undefined)[]
  readonly networks: readonly Network[]
}

/** `ok`: nothing to say. `warn`: it renders, with warnings. `no`: refused. */
type Verdict = 'ok' | 'warn' | 'no'

export interface Combination extends NetworkChoice {
  readonly windows: WindowsId
  readonly kubernetes: string
  readonly version: string
  readonly containerd: string
  readonly verdict: Verdict
  /** The errors, or without any the warnings. */
  readonly findings: readonly Finding[]
  /** Fields that only the owner of the cluster can set. */
  readonly needs: readonly string[]
}

/** The revision of a machine with all updates. */
const updated = 99_999

/** In the order of the axes. */
export function combinations(axes: Axes, options: CheckOptions): readonly Combination[] {
  return axes.windows.flatMap((windows) =>
    axes.containerd.flatMap((line) =>
      axes.networks.flatMap((network) =>
        axes.kubernetes.map((kubernetes) =>
          combination({ windows, kubernetes, line, network }, options),
        ),
      ),
    ),
  )
}

interface Cell {
  readonly windows: WindowsId
  readonly kubernetes: string
  readonly line: string | undefined
  readonly network: Network
}

function combination(
  { windows, kubernetes, line, network }: Cell,
  options: CheckOptions,
): Combination {
  const { cni, mode, backend, layers } = network
  const layer = computedLayer('combination', {
    windows: {
      release: windows,
      ...(carries(cni, ['windows', 'revision']) && { revision: updated }),
    },
    kubernetes: { version: kubernetes },
    ...(line !== undefined && { containerd: { version: line } }),
    ...patchOfNetwork(network),
  })
  const { findings, facts } = checkWithoutUpgrades([...layers, layer], 'combination', options)
  const errors = errorsWithoutAsks(findings)
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  return {
    windows,
    kubernetes,
    version: facts.spec.kubernetes.version,
    containerd: facts.spec.containerd.version,
    cni,
    mode,
    backend,
    verdict: errors.length > 0 ? 'no' : warnings.length > 0 ? 'warn' : 'ok',
    findings: errors.length > 0 ? errors : warnings,
    needs: askedFields(findings),
  }
}
