import { test } from 'node:test'
import '#test/support/database.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { type ActName, runConcurrently, type Situation } from '#test/support/builders/race-subscriptions.ts'
import { buildStore } from '#test/support/builders/store.ts'

/**
 * The acts that can happen in each situation. Each runs concurrently with itself and with each act after it, started in
 * both orders.
 */
const ACTS_IN: Record<Situation, ActName[]> = {
  due: ['the charge', 'cancel', 'cancel later', 'pause', 'skip', 'a change', 'another card'],
  ordered: [
    'the sending',
    'the charge',
    'cancel',
    'pause',
    'another card',
    'a canceled order',
    'a payment by link',
  ],
  sent: ['the notification', 'the sending', 'the charge', 'cancel', 'pause', 'a canceled order'],
  declined: ['the charge', 'cancel', 'another card', 'a canceled order', 'a payment by link'],
  paidByLink: ['the notification', 'the charge', 'cancel', 'another card', 'a canceled order'],
}

const store = await buildStore()

for (const situation of Object.keys(ACTS_IN) as Situation[])
  for (const [index, one] of ACTS_IN[situation].entries())
    for (const other of ACTS_IN[situation].slice(index))
      test(`${situation}: ${one} concurrent with ${other} has one outcome`, async () => {
        await runConcurrently(store, situation, [one, other])
        if (one !== other) await runConcurrently(store, situation, [other, one])
      })

testBooks()
