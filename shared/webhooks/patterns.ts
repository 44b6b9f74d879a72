import { eventKinds } from '#shared/platform/events/events.ts'
import { invalid } from '#shared/platform/validation.ts'

/** Whether one of the patterns (event types, `order.*`, `*`) covers an event type. */
export const matches = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => matchesPattern(pattern, type))

const matchesPattern = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Removes duplicate patterns. Throws 422 at `field` for a pattern that covers no event type. */
export function checkPatterns(patterns: readonly string[], field = 'events'): string[] {
  const types = [...eventKinds().keys()]
  for (const [index, pattern] of patterns.entries())
    if (!types.some((type) => matchesPattern(pattern, type)))
      throw invalid([field, index], 'Unknown event type. See GET /admin/event-types.', pattern)
  return [...new Set(patterns)]
}
