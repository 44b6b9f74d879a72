import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeTurn } from '#shared/platform/time/take-turn.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'

test('twenty pieces of long work that wait at the same time have turns of their own', async () => {
  using turns = watchLoopTurns()

  await Promise.all(Array.from({ length: 20 }, () => takeTurn('a store').then(turns.note)))

  // The counter may see two neighbouring turns as one.
  assert.ok(turns.count >= 10, `${turns.count} turns`)
})

test('twenty waiting pieces of one store delay a piece of another store by one', async () => {
  const ended: string[] = []
  const piece = (store: string) => takeTurn(store).then(() => void ended.push(store))

  await Promise.all([...Array.from({ length: 20 }, () => piece('busy')), piece('other')])

  assert.ok(ended.indexOf('other') <= 2, ended.join())
})
