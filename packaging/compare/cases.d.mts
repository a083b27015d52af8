// Types of cases.mjs for the tests.
export interface Case {
  readonly name: string
  readonly argv?: readonly string[]
  readonly files?: Readonly<Record<string, unknown>>
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  /** Run by `sh`, with the program as `"$0" "$@"`. */
  readonly script?: string
  readonly often?: boolean
}

export function casesOf(
  commands: readonly string[],
  goldens: readonly { readonly name: string; readonly text: string }[],
): readonly Case[]
