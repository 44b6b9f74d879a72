import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { loadReturnView } from './load-views.ts'
import type { ReturnStatus } from './states.ts'
import { ReturnView } from './view.ts'

const define = (type: string, summary: string) => defineEvent(`return.${type}`, summary, ReturnView)

const EVENT_OF_STATUS: Record<ReturnStatus, EventKind> = {
  requested: define('requested', 'A buyer, or staff for them, asked to return goods'),
  approved: define('approved', 'A return was approved: its goods may be sent'),
  received: define('received', 'The goods of a return arrived'),
  completed: define('completed', 'A return is settled: its goods are put away, its buyer got what they get'),
  rejected: define('rejected', 'A return was rejected'),
  canceled: define('canceled', 'A return was called off before its goods arrived'),
}

/** Tells of a return by what it has become. */
export async function emitReturnEvent(tx: StoreTx, returnId: string, status: ReturnStatus): Promise<void> {
  await emit(tx, EVENT_OF_STATUS[status], await loadReturnView(tx, returnId))
}
