import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { connectionOf } from '#shared/platform/db/knex-internals.ts'
import { watchBytes } from '#shared/platform/db/pg-internals.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { runForClient, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'

const ROWS = `select repeat('x', 10000) as text from generate_series(1, 300)`

/** Blocks the process, in which PostgreSQL sends all that the sockets hold. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('the pieces of a large result for a client have turns of the event loop of their own', async () => {
  const { id } = await buildStore()
  using turns = watchLoopTurns()

  const rows = await runForClient(new WaitingClient(), () =>
    inStore(id, async ({ knex }) => {
      const stop = watchBytes(await connectionOf(knex), turns.note)
      const read = knex.raw(ROWS).then((result) => result.rows as unknown[])
      setTimeout(() => block(300), 0)
      return read.finally(stop)
    }),
  )

  assert.equal(rows.length, 300)
  assert.ok(turns.most <= 4, `${turns.most} pieces in one turn`)
})
