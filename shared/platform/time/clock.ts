import { LRUCache } from 'lru-cache'

let read = (): Date => new Date()

/** Returns the current time. Rules use this clock, not the database's, so that a test can set it. */
export const now = (): Date => read()

/** Returns the time `ms` milliseconds from now. */
export const inMs = (ms: number): Date => new Date(now().getTime() + ms)

/** Returns the whole seconds until a time, at least 1, for `Retry-After`. */
export const secondsUntil = (time: Date): number =>
  Math.max(1, Math.ceil((time.getTime() - now().getTime()) / SECOND_MS))

/** Replaces the clock; returns a function that restores it. For tests. */
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

/** Returns the date (YYYY-MM-DD) of a time in an IANA time zone. A store's dates are in its own zone. */
export function dateIn(timeZone: string, time: Date): string {
  const parts = formatIn(timeZone)
    .formatToParts(time)
    .map(({ type, value }) => [type, value])
  const { year, month, day } = Object.fromEntries(parts)
  return `${year}-${month}-${day}`
}

// Cache formats, because creating one takes longer than using it. Limit the cache, because each takes 20 KB, and a time
// zone has many spellings.
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 600 })

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}
