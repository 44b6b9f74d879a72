import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJsonInTurns } from '#api/platform/output/json-in-turns.ts'
import { watchLoopTurns } from '#test/support/measure/loop-turns.ts'

test('JSON of any data is that of JSON.stringify', async () => {
  for (const data of [
    [],
    [1, 'ä"', null, undefined, [], { a: undefined, b: [2] }],
    { list: [1] },
    { 'a"': undefined, list: Array(30).fill({ b: [undefined] }), none: null, text: 'ä' },
    'text',
    null,
    false,
  ])
    assert.equal(await toJsonInTurns(data), JSON.stringify(data))
  assert.equal(await toJsonInTurns(undefined), 'null')
})

test('other work runs while a long list or a record with one is written; a short one is written at once', async () => {
  const turnsOf = async (data: unknown) => {
    let turns = 0
    const other = () => {
      turns += 1
      next = setImmediate(other)
    }
    let next = setImmediate(other)
    await toJsonInTurns(data)
    clearImmediate(next)
    return turns
  }

  const list = (elements: number) => Array.from({ length: elements }, () => 'x'.repeat(100_000))

  assert.ok((await turnsOf(list(30))) >= 4)
  assert.ok((await turnsOf({ items: list(30) })) >= 4)
  assert.equal(await turnsOf(list(2)), 0)
})

test('parts of five long lists that are written at the same time have turns of their own', async () => {
  using turns = watchLoopTurns()
  const element = {
    toJSON() {
      turns.note()
      return 'x'.repeat(600_000)
    },
  }

  await Promise.all(Array.from({ length: 5 }, () => toJsonInTurns(Array(5).fill(element))))

  assert.ok(turns.count >= 10, `${turns.count} turns`)
})
