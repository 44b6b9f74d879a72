import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/*
 * All orders of a popular variant lock its row, one after the other, each until its commit. So a move of units waits
 * for the end of its transaction, when it cannot fail, or when its failure ends the transaction anyway. The lock is
 * then held for the last statements only.
 */

type Move = () => Promise<unknown>

const waiting = new WeakMap<StoreTx, Map<string, Move[]>>()

/** Runs a move of an order's units right before the commit, after the order's moves that wait already. */
export function deferMove(tx: StoreTx, orderId: string, move: Move): void {
  const moves = waiting.get(tx) ?? new Map<string, Move[]>()
  waiting.set(tx, moves.set(orderId, [...(moves.get(orderId) ?? []), move]))
  tx.beforeCommit(`stock of ${orderId}`, () => runDeferredMoves(tx, orderId), 'stock')
}

/** Runs the moves of an order's units that wait: for a caller whose next step needs their result. */
export async function runDeferredMoves(tx: StoreTx, orderId: string): Promise<void> {
  const moves = waiting.get(tx)?.get(orderId) ?? []
  waiting.get(tx)?.delete(orderId)
  for (const move of moves) await move()
}

/** Reads the reservations of an order ($1) after its moves that wait. */
export async function readReservations<Row>(
  tx: StoreTx,
  statement: Statement,
  orderId: string,
  values: unknown[] = [],
): Promise<Row[]> {
  await runDeferredMoves(tx, orderId)
  return tx.prepared<Row>(statement, [orderId, ...values])
}
