// The pod of kube-proxy: its start script, and a program that stands in for kube-proxy.
import type { Test } from 'tap'
import { hostProcessPod, mountOf } from './host-process-pod.ts'

/** A machine with HNS in a file, and a kube-proxy that writes its configuration and waits. */
export function proxyPod(
  t: Test,
  manifest: string,
  more: (mount: string) => NodeJS.ProcessEnv = () => ({}),
) {
  const mount = mountOf(t)
  const KUBE_PROXY = mount.program(
    'kube-proxy',
    'cp "$mount/config.json" "$mount/starting.json"\nmv "$mount/starting.json" "$mount/started.json"\nwhile [ -e "$mount/hns.json" ] && [ ! -e "$mount/ends" ]; do sleep 0.1; done\nexit "$(cat "$mount/ends")"\n',
  )
  const pod = hostProcessPod(t, manifest, mount, { KUBE_PROXY, ...more(mount.at('')) })
  return { at: mount.at, hns: mount.hns, ...pod }
}
