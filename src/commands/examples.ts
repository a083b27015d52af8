// The examples of help.

/** A built-in one, whose name says its Windows, its plugin and its mode. */
export const exampleProfile = 'ws2022-flannel-overlay'

/** One whose combinations differ by Windows release and Kubernetes minor. */
export const examplePlugin = 'calico'

/** By what they do; `winnode` comes before each command line. */
export function examples(commandLines: Readonly<Record<string, string>>) {
  return Object.entries(commandLines).map(([description, line]) => ({
    description,
    command: `<%= config.bin %> ${line}`,
  }))
}
