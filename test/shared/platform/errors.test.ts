import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineErrors, withAdvice } from '#shared/platform/errors.ts'

const ShelfErrors = defineErrors({
  full: {
    code: 'test.shelf_full',
    status: 409,
    message: ({ limit = '<limit>' }) => `The shelf has at most ${limit} books. Remove one first.`,
  },
  closed: { code: 'test.shelf_closed', status: 409, message: 'The shelf is closed. Open it first.' },
})
const FullBoxErrors = defineErrors({
  full: withAdvice(ShelfErrors.full, ({ weight }) => `The box may weigh at most ${weight}.`),
})

test('the message of an error contains the given details', () => {
  const { code, status, message, details } = ShelfErrors.full({ limit: 3, retryAfter: 2 })

  assert.deepEqual(
    { code, status, message, retryAfter: details.retryAfter },
    {
      code: 'test.shelf_full',
      status: 409,
      message: 'The shelf has at most 3 books. Remove one first.',
      retryAfter: 2,
    },
  )
  assert.equal(FullBoxErrors.full({ weight: '2 kg' }).message, 'The box may weigh at most 2 kg.')
})

test('the compiler refuses a detail that the message does not name', () => {
  // @ts-expect-error
  assert.match(ShelfErrors.full({ limt: 3 }).message, /<limit>/)
  // @ts-expect-error
  assert.match(FullBoxErrors.full({ limit: 3 }).message, /undefined/)
  // @ts-expect-error
  assert.match(ShelfErrors.closed({ limit: 3 }).message, /closed/)
})
