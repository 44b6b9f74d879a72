import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as orders from '#shared/orders/states.ts'
import { terminalStates, toSqlList } from '#shared/platform/states.ts'
import { FAILED_REFUND_STATUSES } from '#shared/refunds/states.ts'
import * as returns from '#shared/returns/states.ts'

test('the terminal states are those that no state follows', () => {
  assert.deepEqual(
    terminalStates<'open' | 'won' | 'lost'>({ open: ['won', 'lost'], won: ['lost'], lost: [] }),
    ['lost'],
  )
})

test('an SQL list names each state as a literal', () => {
  assert.equal(toSqlList(new Set(['failed', 'canceled'])), "('failed', 'canceled')")
})

test('the sets derived from transitions have the intended statuses', () => {
  assert.deepEqual(orders.ENDED_ORDER_STATUSES, new Set(['canceled', 'refunded']))
  assert.deepEqual(FAILED_REFUND_STATUSES, ['failed', 'canceled'])
  assert.deepEqual(returns.OPEN_RETURN_STATUSES, ['requested', 'approved', 'received'])
})
