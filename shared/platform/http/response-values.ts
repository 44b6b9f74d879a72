/** Returns a text for a response; `""` if there is none. */
export const toText = (text: string | null | undefined): string => text ?? ''

/** Returns a time as responses show it. */
export const toTimestamp = (date: Date): string => date.toISOString()
export const toTimestampOrNull = (date: Date | null): string | null => date?.toISOString() ?? null
