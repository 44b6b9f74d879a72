import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { searchedWords, wordsOfEmail, wordsOfSentences, wordsOfText } from '#shared/platform/words.ts'
import { wordsOfSubscription } from '#shared/subscriptions/subscription-words.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

// Unicode sorts the marks of a letter. The first mark stands for two, and all of the second belong before them.
const marks = (count: number) => `a${'\u0344'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`

const namesOf = (name: string) => Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, name]))

// Each character stands for eighteen.
const LONG_NAMES = { nameI18n: namesOf('ﷺ'.repeat(300)), terms: { nameI18n: namesOf('ﷺ'.repeat(200)) } }

for (const [what, read] of Object.entries({
  'an address of 5,000 marks': () => wordsOfSentences(`ada@${marks(5_000)}`),
  'the names of a subscription': () =>
    wordsOfSubscription({ firstname: 'Ada', lastname: 'Lovelace', sku: 'MUG', ...LONG_NAMES }),
}))
  test(`reading the words of ${what} blocks nobody`, async () => {
    const ms = await longestTurn(async () => void read())

    assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
  })

test('a word has at most 300 characters', () => {
  const long = '㌖'.repeat(254)

  assert.ok(
    [...wordsOfText(long), ...wordsOfEmail(`${long}@example.com`)].every(({ length }) => length <= 300),
  )
  assert.deepEqual(searchedWords(long), wordsOfText(long))
})
