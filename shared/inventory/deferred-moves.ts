import type { Statement } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'

/*
 * All orders of a popular variant lock its row one after the other, each until its commit. Therefore a move of units
 * waits for the end of its transaction, and holds the lock only during the last statements. A move can wait if it
 * cannot fail, or if its failure must end the transaction anyway.
 */

type Move = () => Promise<unknown>

const waiting = new WeakMap<StoreTx, Map<string, Move[]>>()

/** Runs a move of an order's units right before the commit, after the order's earlier waiting moves. */
export function deferMove(tx: StoreTx, orderId: string, move: Move): void {
  const moves = waiting.get(tx) ?? new Map<string, Move[]>()
  waiting.set(tx, moves.set(orderId, [...(moves.get(orderId) ?? []), move]))
  tx.beforeCommit(`stock of ${orderId}`, () => runDeferredMoves(tx, orderId), 'stock')
}

/** Runs the waiting moves of an order's units now, for a caller that needs their result. */
export async function runDeferredMoves(tx: StoreTx, orderId: string): Promise<void> {
  const moves = waiting.get(tx)?.get(orderId) ?? []
  waiting.get(tx)?.delete(orderId)
  for (const move of moves) await move()
}

/** Runs the waiting moves of an order, then reads its reservations. The order is $1 of the statement. */
export async function readReservations<Row>(
  tx: StoreTx,
  statement: Statement,
  orderId: string,
  values: unknown[] = [],
): Promise<Row[]> {
  await runDeferredMoves(tx, orderId)
  return tx.prepared<Row>(statement, [orderId, ...values])
}
