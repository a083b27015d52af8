// KubeadmConfig of a pool, or its template: the files and commands of a machine's first boot.
import { mergeJson, type JsonObject } from '../../model/json.ts'
import { pipe } from '../../model/layout.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { Delivery } from './delivery.ts'
import { joinCommands } from './commands.ts'
import { bootstrapFiles, localHostname } from './files.ts'
import type { Template } from './names.ts'

interface Bootstrap {
  /** Of the bundle; `undefined` where machines must not compare it. */
  readonly digest: string | undefined
  /** Name of the Secret with the credential files. */
  readonly secret: string
  readonly delivery: Delivery
}

export function bootstrapTemplate(spec: NodeSpec, from: Bootstrap): Template {
  return {
    apiVersion: `bootstrap.cluster.x-k8s.io/${spec.targets.capi.apiVersion}`,
    kind: 'KubeadmConfigTemplate',
    spec: { template: { spec: configOf(spec, from) } },
  }
}

/** All machines of a pool have one, so there is no template. */
export function bootstrapConfig(spec: NodeSpec, from: Bootstrap): Template {
  return {
    apiVersion: `bootstrap.cluster.x-k8s.io/${spec.targets.capi.apiVersion}`,
    kind: 'KubeadmConfig',
    spec: configOf(spec, from),
  }
}

function configOf(spec: NodeSpec, { digest, secret, delivery }: Bootstrap): JsonObject {
  const { bootstrap } = spec.targets.capi
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
  return mergeJson(config, fields)
}
