import { eventKinds } from '#shared/platform/events/events.ts'
import { invalid } from '#shared/platform/validation.ts'

/** Whether an endpoint that subscribed to `patterns` (kinds, `order.*`, `*`) wants events of a kind. */
export const wants = (patterns: readonly string[], type: string): boolean =>
  patterns.some((pattern) => covers(pattern, type))

const covers = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Refuses a pattern that no kind of event fits: 422 at its place in the body. Returns each of them once. */
export function checkPatterns(patterns: readonly string[]): string[] {
  const types = [...eventKinds().keys()]
  for (const [index, pattern] of patterns.entries())
    if (!types.some((type) => covers(pattern, type)))
      throw invalid(['events', index], 'There is no such kind of event. See GET /admin/event-types.', pattern)
  return [...new Set(patterns)]
}
