// The names of network plugins, and where they may stand: a lint rule for src, and a search for templates.
import { readdirSync } from 'node:fs'
import path from 'node:path'

/**
 * A plugin's folder is its name, but `none` is a word, too; the others are plugins that a cluster may run and winnode
 * does not set up.
 */
const names = [
  ...readdirSync(new URL('../src/cni', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => name !== 'none'),
  ...['calico', 'canal', 'cilium', 'kindnet', 'kube-router', 'weave'],
]
// An identifier has no dash: `winBridge` is win-bridge, too.
const name = new RegExp(names.map((one) => one.replaceAll('-', '-?')).join('|'), 'i')
const address = /\bhttps?:\/\/[^\s'"`)]+/g

/** Files and folders, with a slash at the end, that may name a plugin; each with the reason. */
export const mayName = {
  'src/cni/': 'The room of the plugins.',
  'src/matrix/tables/': 'Programs by the names that their publishers give them.',
  'templates/cluster/drift.yaml.hbs': 'ConfigMaps, by the names that plugins give them.',
  'templates/cni/': 'A folder for each plugin.',
  'templates/node/module/setup/agreement/flannel.ps1': 'Compares this plugin with the cluster.',
  'templates/node/module/setup/agreement/source.ps1':
    'The questions to the cluster, each with the account that may ask it.',
  'templates/node/module/setup/cluster/account.ps1':
    'Accounts, by the names that node.json has for them.',
  'templates/node/module/setup/kinds/hns-network.ps1':
    'The file in which a plugin says its subnet has its own key.',
  'src/commands/examples.ts':
    'The built-in profile in the examples of help has a plugin in its name.',
}

/** The name of a plugin in a text, or undefined; a source may be cited by its address anywhere. */
export function pluginIn(text) {
  return name.exec(text.replace(address, ''))?.[0]
}

/** The row of `mayName` that allows a file, or undefined. */
export function homeOf(file) {
  return Object.keys(mayName).find(
    (home) => file === home || (home.endsWith('/') && file.startsWith(home)),
  )
}

/** `file` is a path below the root of the project, with forward slashes. */
export function strayNameIn(file, text) {
  return homeOf(file) ? undefined : pluginIn(text)
}

/** ESLint rule: a plugin is named in its own folder. https://eslint.org/docs/latest/extend/custom-rules */
export const noPluginName = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      named:
        '{{name}} is named here: ask the plugin (src/cni/plugin.ts); exceptions: build/plugin-names.mjs.',
    },
  },
  create({ filename, cwd, report }) {
    const file = path.relative(cwd, filename).replaceAll('\\', '/')
    const look = (node, text) => {
      const found = typeof text === 'string' ? strayNameIn(file, text) : undefined
      if (found) report({ node, messageId: 'named', data: { name: found } })
    }
    return {
      Identifier: (node) => look(node, node.name),
      Literal: (node) => look(node, node.regex?.pattern ?? node.value),
      TemplateElement: (node) => look(node, node.value.cooked),
    }
  },
}
