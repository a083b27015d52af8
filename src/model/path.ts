// The position of a value in a profile, with its text format.

/** Steps from the root of a profile to a value: keys of maps and indices of lists. */
export type Path = readonly (string | number)[]

const plainKey = /^[A-Za-z_$][\w$-]*$/

/** `kubelet.labels."example.com/pool"`, `network.podCIDRs[0]`; the root is `(profile)`. */
export function formatPath(path: Path): string {
  if (path.length === 0) return '(profile)'
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const key = plainKey.test(step) ? step : JSON.stringify(step)
      return index === 0 ? key : `.${key}`
    })
    .join('')
}

const token = /\.?(?:("(?:[^"\\]|\\.)*")|([^.[\]"=]+))|\[(\d+)\]/y

/** Parses the format of `formatPath`; `undefined` if the text is not a path. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const start = token.lastIndex
    const match = token.exec(text)
    if (!match) return undefined
    const dotted = text[start] === '.'
    const index = match[3]
    if (index === undefined ? dotted !== path.length > 0 : path.length === 0) return undefined
    const step = index === undefined ? (match[2] ?? unquote(match[1] ?? '')) : Number(index)
    if (step === undefined) return undefined
    path.push(step)
  }
  return path.length > 0 ? path : undefined
}

/** `undefined` for an escape that JSON does not have. */
function unquote(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether `path` is `ancestor` or a descendant of it. */
export function isWithin(path: Path, ancestor: Path): boolean {
  return ancestor.length <= path.length && ancestor.every((step, index) => step === path[index])
}
