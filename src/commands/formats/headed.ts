// Puts the texts of several profiles below each other, each with its heading.
import { oneLine } from '../../present/one-line.ts'
import type { Screen } from '../../present/screen.ts'

export function headed<T extends { readonly profile: string }>(
  reports: readonly T[],
  textOf: (report: T) => string,
  { screen, several }: { readonly screen: Screen; readonly several: boolean },
): string {
  if (!several) return reports.map(textOf).join('')
  return reports
    .map((one) => `${screen.paint('bold', `${oneLine(one.profile)}:`)}\n\n${textOf(one)}`)
    .join('\n')
}
