import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AllOrNone,
  CommonErrors,
  defineErrors,
  describeMessage,
  isRefusal,
  type OneOf,
  withAdvice,
} from '#shared/platform/errors.ts'

const ShelfErrors = defineErrors({
  full: {
    code: 'test.shelf_full',
    status: 409,
    message: ({ limit }: { limit: number }) => `The shelf has at most ${limit} books. Remove one first.`,
  },
  closed: { code: 'test.shelf_closed', status: 409, message: 'The shelf is closed. Open it first.' },
  blocked: {
    code: 'test.shelf_blocked',
    status: 409,
    message: ({ reason, ladder }: OneOf<{ reason: 'locked' | 'broken' }, { ladder: string }>) =>
      `The shelf is ${reason ?? `behind the ${ladder}`}. Ask for help.`,
  },
  tooHeavy: {
    code: 'test.shelf_too_heavy',
    status: 409,
    message: ({ weight, unit }: AllOrNone<{ weight: number; unit: string }>) =>
      `The books weigh ${weight === undefined ? 'too much' : `${weight} ${unit}`}. Remove one first.`,
  },
})
const FullBoxErrors = defineErrors({
  full: withAdvice(
    ShelfErrors.full,
    ({ weight }: { weight: string }) => `The box may weigh at most ${weight}.`,
  ),
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
  assert.equal(ShelfErrors.closed({ retryAfter: 2 }).message, 'The shelf is closed. Open it first.')
  assert.equal(ShelfErrors.blocked({ reason: 'locked' }).message, 'The shelf is locked. Ask for help.')
  assert.equal(ShelfErrors.tooHeavy().message, 'The books weigh too much. Remove one first.')
})

test('the description of an error has placeholders for the details', () => {
  assert.equal(
    describeMessage(ShelfErrors.full.kind),
    'The shelf has at most <limit> books. Remove one first.',
  )
})

test('an unknown detail of an error does not compile', () => {
  // @ts-expect-error
  ShelfErrors.full({ limit: 3, limt: 3 })
  // @ts-expect-error
  ShelfErrors.closed({ limit: 3 })
  // @ts-expect-error
  FullBoxErrors.full({ limit: 3 })
  // @ts-expect-error
  ShelfErrors.blocked({ reason: 'locked', ladder: 'wood' })
})

test('an error without its details, or with a detail of another type, does not compile', () => {
  // @ts-expect-error
  ShelfErrors.full()
  // @ts-expect-error
  ShelfErrors.full({ retryAfter: 2 })
  // @ts-expect-error
  ShelfErrors.full({ limit: 'three' })
  // @ts-expect-error
  ShelfErrors.blocked()
  // @ts-expect-error
  ShelfErrors.blocked({ reason: 'lockd' })
  // @ts-expect-error
  ShelfErrors.tooHeavy({ weight: 3 })
})

test('an error is a refusal unless a repeat may succeed', () => {
  const refusals = [CommonErrors.notFound(), CommonErrors.changed()]
  const others = [
    CommonErrors.rateLimitExceeded({ retryAfter: 1 }),
    CommonErrors.unavailable({ retryAfter: 1 }),
    new Error('a fault'),
  ]
  assert.deepEqual([...refusals, ...others].filter(isRefusal), refusals)
})
