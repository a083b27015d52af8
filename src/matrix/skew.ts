// How far apart the components of a cluster may be, in minors.
import type { SkewRule } from '../model/rows.ts'
import { inRange, minorDistance } from './version.ts'

const see = 'https://kubernetes.io/releases/version-skew-policy/'
const checked = '2026-11-20'

export const kubeletWithApiServer: SkewRule = {
  id: 'kubelet-with-api-server',
  of: 'kubelet',
  to: 'kube-apiserver',
  maxNewer: 0,
  maxOlder: 3,
  except: { range: '<1.25', maxNewer: 0, maxOlder: 2 },
  see,
  checked,
}

export const skewRules: readonly SkewRule[] = [
  kubeletWithApiServer,
  {
    id: 'kube-proxy-with-api-server',
    of: 'kube-proxy',
    to: 'kube-apiserver',
    maxNewer: 0,
    maxOlder: 3,
    except: { range: '<1.25', maxNewer: 0, maxOlder: 2 },
    see,
    checked,
  },
  {
    id: 'kube-proxy-with-kubelet',
    of: 'kube-proxy',
    to: 'kubelet',
    maxNewer: 3,
    maxOlder: 3,
    except: { range: '<1.25', maxNewer: 2, maxOlder: 2 },
    see,
    checked,
  },
  {
    id: 'kubelet-with-kubeadm',
    of: 'kubelet',
    to: 'kubeadm',
    maxNewer: 0,
    maxOlder: 3,
    // kubeadm itself took over three older minors with 1.28, whose oldest kubelet is 1.25.
    except: { range: '<1.25', maxNewer: 0, maxOlder: 1 },
    see: 'https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/#version-skew-policy',
    checked,
  },
]

export type SkewVerdict = 'newer' | 'older' | 'edge' | 'fine'

/** The table's limits for this version of the component. */
function boundsFor(rule: SkewRule, of: string): Pick<SkewRule, 'maxNewer' | 'maxOlder'> {
  return rule.except && inRange(of, rule.except.range) ? rule.except : rule
}

/** By how many minors this kubelet may be older than the API server. */
export function kubeletMayBeOlderBy(version: string): number {
  return boundsFor(kubeletWithApiServer, version).maxOlder
}

/**
 * By how many minors kubeadm may be newer than a control plane that it joins: it refuses an older one, and only warns of
 * a newer one. https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/util/config/common.go
 */
export const kubeadmMayBeNewerBy = 1

/** `edge`: as old as it may be, so the other side cannot be upgraded first. */
export function judgeSkew(rule: SkewRule, of: string, to: string): SkewVerdict {
  const distance = minorDistance(of, to)
  if (distance === undefined) return 'fine'
  const bounds = boundsFor(rule, of)
  if (distance > bounds.maxNewer) return 'newer'
  if (-distance > bounds.maxOlder) return 'older'
  return -distance === bounds.maxOlder ? 'edge' : 'fine'
}
