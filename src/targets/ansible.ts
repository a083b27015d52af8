// Target ansible: a role that installs, restarts, joins and tests, with a playbook and an inventory.
import { filesToCopy } from '../artifacts/files-to-copy.ts'
import type { JsonObject } from '../model/json.ts'
import { layout } from '../model/layout.ts'
import type { RenderedFile } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { encodeText } from '../render/encode.ts'
import { yamlText } from '../render/yaml-text.ts'
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
  summary: 'An Ansible role that installs, restarts, joins and tests, with a playbook.',
  single: false,
  limits: [],
  reads: ['inventory'],
  make: async (input) => {
    const { spec } = input.facts
    const refusals = refusalsOf(spec)
    if (refusals.length > 0) return refused(...refusals)
    const script = await singleFile.make(input)
    if (script.kind === 'refused') return script
    const copied = await Promise.all(
      Object.entries(copies).map(([path, from]) =>
        input.render({ path, body: { kind: 'static', source: `ansible/${from}` } }),
      ),
    )
    const hosts = spec.targets.ansible.inventory
    const files = [
      ...copied,
      ...script.files.map(({ path, content }) => ({ path: `${role}/files/${path}`, content })),
      await input.render({
        path: `${role}/vars/main.json`,
        body: { kind: 'json', value: variablesOf(spec) },
      }),
      ...(hosts.length > 0 ? [inventoryFile(hosts)] : []),
    ]
    const inventory = hosts.length > 0 ? 'inventory.yml' : 'INVENTORY'
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
    winnode_takes_token: takesToken(spec),
    winnode_credential_files: filesToCopy(spec).map(({ file, path, once = false }) => ({
      file,
      path,
      once,
    })),
  }
}

/** Without a token file on the machine, Join gets the token from its environment. */
function takesToken({ join }: NodeSpec): boolean {
  return join.method === 'kubeadm' && join.tokenFile === undefined
}

function inventoryFile(hosts: NodeSpec['targets']['ansible']['inventory']): RenderedFile {
  const entries = hosts.map((host) => {
    const [name = '', address] = host.split(',')
    return [name, address === undefined ? {} : { ansible_host: address }] as const
  })
  const inventory = { winnode: { hosts: Object.fromEntries(entries) } }
  return { path: 'inventory.yml', content: encodeText(yamlText([inventory])) }
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
