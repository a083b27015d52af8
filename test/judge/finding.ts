// The verdict of a program about its input: accepted, a warning, a part without effect, or refused.

export type Verdict = 'accepted' | 'warned' | 'ignored' | 'refused'

export interface Finding {
  readonly verdict: Exclude<Verdict, 'accepted'>
  readonly message: string
}

const order: readonly Verdict[] = ['accepted', 'warned', 'ignored', 'refused']

/** The gravest of them; accepted where there is none. */
export function verdictOf(findings: readonly Finding[]): Verdict {
  return order[Math.max(0, ...findings.map(({ verdict }) => order.indexOf(verdict)))] ?? 'accepted'
}

export const refused = (message: string): Finding => ({ verdict: 'refused', message })
export const ignored = (message: string): Finding => ({ verdict: 'ignored', message })
export const warned = (message: string): Finding => ({ verdict: 'warned', message })

export function isRefused(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === 'refused')
}
