// What the tests use of the manifests.
export function manifests(about: {
  readonly release: string
  readonly home: string
  readonly version: string
  readonly description: string
}): Promise<Readonly<Record<string, string>>>
