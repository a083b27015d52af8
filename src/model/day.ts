// Calendar days, written as YYYY-MM-DD.

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [])
    .slice(1)
    .map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const length = (daysInMonth[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0)
  return day >= 1 && day <= length
}
