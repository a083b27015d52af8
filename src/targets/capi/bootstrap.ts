// KubeadmConfigTemplate: what a machine gets and runs at its first start.
import { pipe } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { Brought } from './brought.ts'
import { joinCommands } from './commands.ts'
import { bootstrapFiles, localHostname } from './files.ts'
import type { Template } from './names.ts'

/** `digest` is the bundle's, `secret` holds what its machines must be given. */
export function bootstrapTemplate(
  spec: NodeSpec,
  digest: string,
  secret: string,
  brought: Brought,
): Template {
  const files = [...brought.files, ...bootstrapFiles(spec, secret)]
  const { before, after } = joinCommands(brought.folder, digest)
  return {
    apiVersion: `bootstrap.cluster.x-k8s.io/${spec.targets.capi.apiVersion}`,
    kind: 'KubeadmConfigTemplate',
    spec: {
      template: {
        spec: {
          // cloudbase-init reads it; there is no format of Windows.
          format: 'cloud-config',
          ...(files.length > 0 && { files }),
          joinConfiguration: {
            nodeRegistration: {
              // v1 is in each cloudbase-init since 1.0; ds.meta_data has other keys on vSphere from 1.1.7 on:
              // https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/metadata/services/base.py (get_instance_data)
              name: localHostname,
              criSocket: pipe.endpoint,
              // The kubelet registers its own; it reads no arguments of kubeadm either.
              taints: [],
            },
          },
          preKubeadmCommands: [...brought.commands, before],
          postKubeadmCommands: [after],
        },
      },
    },
  }
}
