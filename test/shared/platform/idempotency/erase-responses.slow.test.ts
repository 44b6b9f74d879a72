import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { claimKey } from '#shared/platform/idempotency/claim-key.ts'
import {
  eraseNextResponses,
  FIRST_PLACE,
  type RecordPlace,
} from '#shared/platform/idempotency/erase-responses.ts'
import type { KeyedRequest } from '#shared/platform/idempotency/idempotency-key.ts'
import { recordResponse } from '#shared/platform/idempotency/record-response.ts'
import { buildStore } from '#test/support/builders/store.ts'

// More than are read together.
const MANY = 120

test('a person is erased from all stored responses of a store, in small batches if these are large; others stay', async () => {
  const store = await buildStore()
  const [person, other] = [newId(), newId()]
  const requests: KeyedRequest[] = Array.from({ length: MANY }, (_, n) => ({
    storeId: store.id,
    principal: `staff:${n % 7}`,
    operation: `post /things/${n % 3}`,
    key: `key-${n}`,
    hash: Buffer.alloc(32),
    holder: newId(),
  }))
  const textOf = (n: number) =>
    JSON.stringify({
      data: {
        id: n % 2 ? other : person,
        email: n % 2 ? 'bob@example.test' : 'ada@example.test',
        note: n % 10 ? '' : 'n'.repeat(400_000),
      },
    })
  for (const [n, request] of requests.entries()) {
    await claimKey(request)
    await inStore(store.id, (tx) => recordResponse(tx, request, { status: 200, text: textOf(n) }))
  }

  let largest = 0
  for (let place: RecordPlace | null = FIRST_PLACE; place; ) {
    const after: RecordPlace = place
    place = await inStore(store.id, (tx) => {
      tx.knex.on('query-response', ({ rows = [] }: { rows?: unknown[] }) => {
        largest = Math.max(largest, JSON.stringify(rows).length)
      })
      return eraseNextResponses(tx, { personId: person, recordIds: new Set([person]) }, after)
    })
  }

  assert.ok(largest > 500_000 && largest < 1_200_000, `${largest} bytes were read together`)
  const texts: string[] = []
  for (const request of requests) {
    const claim = await claimKey(request)
    assert.equal(claim.state, 'completed')
    if (claim.state === 'completed') texts.push(claim.response.text)
  }
  assert.equal(texts.filter((text) => text.includes('"ada@example.test')).length, 0)
  assert.deepEqual(
    texts.filter((_, n) => n % 2),
    requests.flatMap((_, n) => (n % 2 ? [textOf(n)] : [])),
  )
})
