import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { defineEvent, type EventKind, emit } from '#shared/platform/events/events.ts'
import { loadReturnView } from './load-return-views.ts'
import type { ReturnStatus } from './states.ts'
import { ReturnView } from './view.ts'

const define = (type: string, summary: string) => defineEvent(`return.${type}`, 'sales', summary, ReturnView)

const EVENT_OF_STATUS: Record<ReturnStatus, EventKind<typeof ReturnView>> = {
  requested: define('requested', 'A buyer, or staff for them, requested a return'),
  approved: define('approved', 'A return was approved: the buyer can send the goods'),
  received: define('received', 'The goods of a return arrived'),
  completed: define(
    'completed',
    'A return was completed: its goods are in stock again and its action is fulfilled',
  ),
  rejected: define('rejected', 'A return was rejected'),
  canceled: define('canceled', 'A return was canceled before its goods arrived'),
}

/** Emits the event of a return's new status. */
export async function emitReturnEvent(tx: StoreTx, returnId: string, status: ReturnStatus): Promise<void> {
  await emit(tx, EVENT_OF_STATUS[status], await loadReturnView(tx, returnId))
}
