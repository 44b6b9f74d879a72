import { eventKinds } from '#shared/platform/events/events.ts'
import { assertMay, holds, type Right, type RightsHolder } from '#shared/staff/rights.ts'
import { matches } from './patterns.ts'

/** Returns the event types that a staff member or an API token may read. */
export const readableEventTypes = (holder: RightsHolder): string[] =>
  [...eventKinds().values()].filter(({ area }) => holds(holder, [`${area}:read`])).map(({ type }) => type)

/** Whether a holder may read events of a type. */
export function mayReceive(holder: RightsHolder, type: string): boolean {
  const kind = eventKinds().get(type)
  return kind !== undefined && holds(holder, [`${kind.area}:read`])
}

/** Returns the rights to read all events that patterns cover. */
export const rightsToReceive = (patterns: readonly string[]): Right[] =>
  [...eventKinds().values()]
    .filter(({ type }) => matches(patterns, type))
    .map(({ area }): Right => `${area}:read`)

/** Throws `auth.forbidden` if patterns cover an event that the holder may not read. */
export const assertMayReceive = (holder: RightsHolder, patterns: readonly string[]): void =>
  assertMay(holder, ...rightsToReceive(patterns))
