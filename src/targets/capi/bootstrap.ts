// KubeadmConfigTemplate: the files and commands of a machine's first boot.
import { pipe } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { Delivery } from './delivery.ts'
import { joinCommands } from './commands.ts'
import { bootstrapFiles, localHostname } from './files.ts'
import type { Template } from './names.ts'

/** `digest` is the bundle's; `secret` names the Secret with the credential files. */
export function bootstrapTemplate(
  spec: NodeSpec,
  digest: string,
  secret: string,
  delivery: Delivery,
): Template {
  const files = [...delivery.files, ...bootstrapFiles(spec, secret)]
  const { before, after } = joinCommands(delivery.folder, digest)
  return {
    apiVersion: `bootstrap.cluster.x-k8s.io/${spec.targets.capi.apiVersion}`,
    kind: 'KubeadmConfigTemplate',
    spec: {
      template: {
        spec: {
          // cloudbase-init reads cloud-config; kubeadm's provider has no format for Windows.
          format: 'cloud-config',
          ...(files.length > 0 && { files }),
          joinConfiguration: {
            nodeRegistration: {
              // v1 is in each cloudbase-init since 1.0; ds.meta_data has other keys on vSphere from 1.1.7 on:
              // https://github.com/cloudbase/cloudbase-init/blob/master/cloudbaseinit/metadata/services/base.py (get_instance_data)
              name: localHostname,
              criSocket: pipe.endpoint,
              // The kubelet registers the taints in its configuration file.
              taints: [],
            },
          },
          preKubeadmCommands: [...delivery.commands, before],
          postKubeadmCommands: [after],
        },
      },
    },
  }
}
