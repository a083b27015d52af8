// The systems with an executable, and the npm package of Bun for each.

/** `target` is Bun's name for the system: https://bun.com/docs/bundler/executables#supported-targets */
export const systems = [
  { name: 'linux-x64', runtime: '@oven/bun-linux-x64', target: 'bun-linux-x64' },
  { name: 'linux-x64-musl', runtime: '@oven/bun-linux-x64-musl', target: 'bun-linux-x64-musl' },
  { name: 'linux-arm64', runtime: '@oven/bun-linux-aarch64', target: 'bun-linux-arm64' },
  { name: 'windows-x64', runtime: '@oven/bun-windows-x64', target: 'bun-windows-x64' },
  { name: 'darwin-x64', runtime: '@oven/bun-darwin-x64', target: 'bun-darwin-x64' },
  { name: 'darwin-arm64', runtime: '@oven/bun-darwin-aarch64', target: 'bun-darwin-arm64' },
]

export function isWindows({ name }) {
  return name.startsWith('windows')
}

/** The file in `release/`. */
export function fileOf(system) {
  return `winnode-${system.name}${isWindows(system) ? '.exe' : ''}`
}

/** The path of Bun in its package. */
export function programOf(system) {
  return `bin/bun${isWindows(system) ? '.exe' : ''}`
}

/** The system of this process; `undefined` where Bun does not support it. */
export function thisSystem() {
  const { platform, arch } = process
  const os = platform === 'win32' ? 'windows' : platform
  const musl = platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
  const name = [os, arch, ...(musl ? ['musl'] : [])].join('-')
  return systems.find((system) => system.name === name)
}
