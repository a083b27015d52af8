// Schedules as a CronJob has them, without time zones and @every.
// https://github.com/kubernetes/kubernetes/blob/v1.37.2/vendor/github.com/robfig/cron/v3/parser.go

const descriptors = ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly']

interface Field {
  readonly min: number
  readonly max: number
  /** From min on. */
  readonly names?: readonly string[]
}

const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' '),
  },
  // Not 7, which other programs read as Sunday.
  { min: 0, max: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]

export function isSchedule(text: string): boolean {
  if (text.startsWith('@')) return descriptors.includes(text.slice(1))
  const written = text.split(' ')
  return (
    written.length === fields.length &&
    fields.every((field, at) =>
      written[at]?.split(',').every((part) => part === '' || isRange(part, field)),
    )
  )
}

function isRange(part: string, { min, max, names = [] }: Field): boolean {
  const [range = '', step, more] = part.split('/')
  if (more !== undefined || (step !== undefined && !/^0*[1-9]\d*$/.test(step))) return false
  const [low = '', high = low, another] = range.split('-')
  if (another !== undefined) return false
  if (low === '*' || low === '?') return true
  const numberOf = (one: string) => {
    const named = names.indexOf(one.toLowerCase())
    if (named >= 0) return min + named
    return /^\d+$/.test(one) ? Number(one) : NaN
  }
  return numberOf(low) >= min && numberOf(low) <= numberOf(high) && numberOf(high) <= max
}
