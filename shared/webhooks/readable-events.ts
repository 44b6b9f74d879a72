import { eventKinds } from '#shared/platform/events/events.ts'
import { assertMay, holds, type RightsHolder } from '#shared/staff/rights.ts'
import { matches } from './patterns.ts'

/** Returns the event types that a staff member or an API token may read. */
export const readableEventTypes = (holder: RightsHolder): string[] =>
  [...eventKinds().values()].filter(({ area }) => holds(holder, [`${area}:read`])).map(({ type }) => type)

/** Whether a holder may read events of a type. */
export function mayReceive(holder: RightsHolder, type: string): boolean {
  const kind = eventKinds().get(type)
  return kind !== undefined && holds(holder, [`${kind.area}:read`])
}

/** Throws `auth.forbidden` if patterns cover an event that the holder may not read. */
export function assertMayReceive(holder: RightsHolder, patterns: readonly string[]): void {
  for (const { type, area } of eventKinds().values())
    if (matches(patterns, type)) assertMay(holder, `${area}:read`)
}
