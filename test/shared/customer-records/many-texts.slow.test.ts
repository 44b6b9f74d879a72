import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/processes/gateway.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { anonymizeAuthor } from '#shared/questions/anonymize-author.ts'
import { anonymizeSubscriptions } from '#shared/subscriptions/anonymize-subscriptions.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { copyRows } from '#test/support/builders/copy-rows.ts'
import { buildQuestions } from '#test/support/builders/question-scene.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'
import { recordStatements } from '#test/support/measure/record-statements.ts'

// The words of all rows in one turn of the event loop would block the other requests.
const MAX_ROWS = 5
const COPIES = 100

const words = (count: number) => Array.from({ length: count }, (_, n) => `wörd${n}`).join(' ')

async function buildManyQuestions(store: { id: string }, customerId: string) {
  const { data } = await (await buildQuestions(store as never)).ask({ body: words(200) })
  await inStore(store.id, ({ knex }) =>
    copyRows(knex, {
      table: 'product_questions',
      of: { id: data.id },
      from: 'generate_series(1, ?::int) n',
      changes: `'customer_id', ?::text, 'answer_body', ?::text, 'answered_at', now()`,
      values: [customerId, words(500), COPIES],
    }),
  )
}

async function buildManySubscriptions(store: { id: string }, customerId: string) {
  const { id } = await buildSubscription(store, { customer: { id: customerId } })
  const names = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, words(30)]))
  await inStore(store.id, ({ knex }) =>
    copyRows(knex, {
      table: 'subscriptions',
      of: { id },
      from: 'generate_series(1, ?::int) n',
      changes: `'name_i18n', ?::jsonb`,
      values: [JSON.stringify(names), COPIES],
    }),
  )
}

const TEXTS: Record<string, [typeof buildManyQuestions, (tx: StoreTx, id: string) => Promise<string[]>]> = {
  questions: [
    buildManyQuestions,
    (tx, customerId) => anonymizeAuthor(tx, { customerId, verifiedEmails: [] }),
  ],
  subscriptions: [buildManySubscriptions, anonymizeSubscriptions],
}

for (const [what, [build, anonymize]] of Object.entries(TEXTS))
  test(`anonymizing a customer writes the search words of ${COPIES} ${what} in parts`, async (t) => {
    const store = await buildStore()
    const { id } = await buildCustomer(store)
    await build(store, id)
    let ids: string[] = []

    const statements = await recordStatements(t, async () => {
      ids = await inStore(store.id, (tx) => anonymize(tx, id))
    })

    const parts = statements.filter((text) => /insert into "\w+_words"/.test(text))
    assert.ok(ids.length >= COPIES)
    assert.ok(parts.length >= COPIES / MAX_ROWS, `${parts.length} parts`)
  })
