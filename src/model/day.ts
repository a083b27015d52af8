// Day: a day of the calendar, written as YYYY-MM-DD.

export function isDay(text: string): boolean {
  const date = new Date(text)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(date.valueOf()) &&
    date.toISOString().startsWith(text)
  )
}
