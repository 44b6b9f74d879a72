let read = (): Date => new Date()

/** The service's one clock. Rules about time ask it rather than the database, so that a test can move it. */
export const now = (): Date => read()

/** The moment `ms` milliseconds from now. */
export const inMs = (ms: number): Date => new Date(now().getTime() + ms)

/** In how many seconds a moment comes, as `Retry-After` says it: whole ones, one at least. */
export const secondsUntil = (moment: Date): number =>
  Math.max(1, Math.ceil((moment.getTime() - now().getTime()) / SECOND_MS))

/** Puts another clock in; returns the way back. Tests alone call it. */
export function setClock(clock: () => Date): () => void {
  const before = read
  read = clock
  return () => {
    read = before
  }
}

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

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
