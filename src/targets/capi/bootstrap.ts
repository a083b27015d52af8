// KubeadmConfigTemplate: the files and commands of a machine's first boot.
import { mergeJson } from '../../model/json.ts'
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
  const { apiVersion, bootstrap } = spec.targets.capi
  const { files = [], preKubeadmCommands = [], postKubeadmCommands = [], ...fields } = bootstrap
  const allFiles = [...delivery.files, ...bootstrapFiles(spec, secret), ...files]
  const { before, after } = joinCommands(delivery.folder, digest)
  const config = {
    // cloudbase-init reads cloud-config; kubeadm's provider has no format for Windows.
    format: 'cloud-config',
    ...(allFiles.length > 0 && { files: allFiles }),
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
    preKubeadmCommands: [...preKubeadmCommands, ...delivery.commands, before],
    postKubeadmCommands: [after, ...postKubeadmCommands],
  }
  return {
    apiVersion: `bootstrap.cluster.x-k8s.io/${apiVersion}`,
    kind: 'KubeadmConfigTemplate',
    spec: { template: { spec: mergeJson(config, fields) } },
  }
}
