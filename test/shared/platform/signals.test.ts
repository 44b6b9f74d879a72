import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/id.ts'
import { announce, whenSettled } from '#shared/platform/signals.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { buildStore } from '#test/support/build.ts'

test('a waiting process hears of a commit and looks again', async () => {
  const store = await buildStore()
  const id = newId()
  let settled = false
  let looks = 0
  const look = async () => {
    looks += 1
    return settled
  }
  const waiting = whenSettled(id, 5_000, look, Boolean)

  await inStore(store.id, async (tx) => {
    settled = true
    await announce(tx, id)
  })

  assert.equal(await waiting, true)
  assert.ok(looks <= 3)
})

test('patience ends with what there is', async () => {
  const answer = await whenSettled(
    newId(),
    20,
    async () => 'under way',
    () => false,
  )

  assert.equal(answer, 'under way')
})
