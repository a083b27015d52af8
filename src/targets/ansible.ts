// Target ansible: a role that installs, restarts, joins and tests, with a playbook and an inventory.
import { filesToCopy, takesToken } from '../artifacts/files-to-copy.ts'
import type { JsonObject } from '../model/json.ts'
import { layout } from '../model/layout.ts'
import type { NodeSpec } from '../model/spec.ts'
import { inventoryOf } from './ansible/inventory.ts'
import { singleFile } from './single-file.ts'
import { defineTarget, refused, type Refusal } from './target.ts'

const role = 'roles/winnode'

/** The files of the role that are the same for each profile, and where Ansible looks for them. */
const copies: Readonly<Record<string, string>> = {
  'playbook.yml': 'playbook.yml',
  'requirements.yml': 'requirements.yml',
  [`${role}/meta/main.yml`]: 'meta.yml',
  [`${role}/meta/argument_specs.yml`]: 'argument_specs.yml',
  [`${role}/defaults/main.yml`]: 'defaults.yml',
  [`${role}/tasks/main.yml`]: 'tasks.yml',
  [`${role}/tasks/credentials.yml`]: 'credentials.yml',
  [`${role}/tasks/command.yml`]: 'command.yml',
  [`${role}/tasks/attempt.yml`]: 'attempt.yml',
}

export const ansible = defineTarget({
  name: 'ansible',
  single: false,
  make: async (input) => {
    const { spec } = input.facts
    const machines = inventoryOf(input)
    const refusals = [...refusalsOf(spec), ...machines.refusals]
    if (refusals.length > 0) return refused(...refusals)
    const script = await singleFile.make(input)
    if (script.kind === 'refused') return script
    const copied = await Promise.all(
      Object.entries(copies).map(([path, from]) =>
        input.render({ path, body: { kind: 'static', source: `ansible/${from}` } }),
      ),
    )
    const files = [
      ...copied,
      ...script.files.map(({ path, content }) => ({ path: `${role}/files/${path}`, content })),
      await input.render({
        path: `${role}/vars/main.json`,
        body: { kind: 'json', value: variablesOf(spec) },
      }),
      ...machines.files,
    ]
    const inventory = machines.files[0]?.path ?? 'INVENTORY'
    return {
      kind: 'made',
      files,
      next: [
        `in the output folder, run ansible-playbook -i ${inventory} playbook.yml; set how Ansible connects in group_vars/winnode.yml`,
      ],
    }
  },
})

/** Only Administrators can write to the folder of Windows, so no other account can replace the script. */
function variablesOf(spec: NodeSpec): JsonObject {
  return {
    winnode_script: `${spec.name}.ps1`,
    winnode_script_path: `C:\\Windows\\winnode-${spec.name}.ps1`,
    winnode_kubelet_kubeconfig: layout.kubeletKubeconfig,
    // In the environment of Join.
    winnode_takes_token: takesToken(spec),
    winnode_credential_files: filesToCopy(spec).map(({ file, path, once = false }) => ({
      file,
      path,
      once,
    })),
  }
}

/** Ansible evaluates each text as a template. */
function refusalsOf(spec: NodeSpec): readonly Refusal[] {
  return filesToCopy(spec)
    .filter(({ path }) => /\{[{%#]/.test(path))
    .map(({ path }) => ({
      path: ['join'],
      message: `Ansible takes ${path} for a template`,
      remedy: 'Choose a path without {{, {% and {#.',
    }))
}
