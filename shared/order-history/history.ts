import { type Static, Type } from 'typebox'
import { findOrder } from '#shared/orders/order.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toText, toTimestamp } from '#shared/platform/http/response-values.ts'
import { CurrencyCode, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { ActorView, type NamedActor, nameActors } from './actors.ts'
import { HISTORY_KINDS, type HistoryEntry } from './history-entry.ts'
import { readHistoryEntries } from './read-history-entries.ts'

export const HistoryEntryView = Shape({
  kind: Type.Enum([...HISTORY_KINDS]),
  at: Timestamp,
  actor: ActorView,
  id: Nullable({ ...Uuid, description: 'The shipment, return, payment, refund, … that it is about' }),
  status: Type.String({ description: 'The new status of the order or of that record' }),
  text: Type.String(),
  amount: Nullable(Type.Number({ description: 'Major units' })),
  currency: CurrencyCode,
})

/**
 * Reads the complete history of an order, oldest first, with the names of its actors. Throws `resource.not_found` for
 * an unknown order.
 */
export async function readHistory(tx: StoreTx, orderId: string): Promise<Static<typeof HistoryEntryView>[]> {
  await findOrder(tx, orderId)
  const entries = await readHistoryEntries(tx, orderId)
  const actors = await nameActors(
    tx,
    entries.map(({ actor }) => actor),
  )
  return entries.map((entry) => viewHistoryEntry(entry, actors))
}

const viewHistoryEntry = (
  { actor, at, ...entry }: HistoryEntry,
  actors: ReadonlyMap<string, NamedActor>,
): Static<typeof HistoryEntryView> => ({
  ...entry,
  status: toText(entry.status),
  text: toText(entry.text),
  currency: toText(entry.currency),
  at: toTimestamp(at),
  actor: actors.get(actor) ?? { type: 'system', id: null, name: '' },
})
