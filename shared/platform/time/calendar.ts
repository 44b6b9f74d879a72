/** The date of a moment in a time zone (IANA name), YYYY-MM-DD: dates of a store are in its own (decisions, section 1). */
export function dateIn(timeZone: string, moment: Date): string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]))
  return `${parts.year}-${parts.month}-${parts.day}`
}
