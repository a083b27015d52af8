// Types of manifests.mjs for the tests.
export function manifests(about: {
  readonly release: string
  readonly home: string
  readonly version: string
  readonly description: string
}): Promise<Readonly<Record<string, string>>>
