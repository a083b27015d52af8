// The choice that a mistyped one means.
import { nearestLine } from '../matrix/nearest.ts'
import { nearest } from '../text/nearest.ts'

export function nearestChoice(typed: string, choices: readonly string[]): string | undefined {
  // YAML and spreadsheets write 1.30 as 1.3.
  const whole = choices.find((one) => one === `${typed.replace(/^v/i, '')}0`)
  if (whole !== undefined) return whole
  // Of versions, by their order: 1.38 comes after 1.37, and has the letters of 1.28.
  return nearestLine(choices, typed) ?? nearest(typed, choices)
}
