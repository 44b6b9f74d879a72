import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { anonymizeAuthor } from '#shared/questions/anonymize-author.ts'
import { bodies, buildQuestionScene } from '#test/support/builders/question-scene.ts'

const BODY = 'Is the "Café" mug (blue/green) hand-made?'

async function buildScene() {
  const scene = await buildQuestionScene()
  const { data } = await scene.ask({ body: BODY, author_name: "Ada O'Neil" })
  return {
    ...scene,
    id: data.id,
    search: async (q: string) => bodies((await scene.admin(`?${new URLSearchParams({ q })}`)).data),
  }
}

test('staff find questions by beginnings of words, whatever punctuation surrounds them', async () => {
  const { guest, search } = await buildScene()

  for (const q of ['cafe', '"CAFÉ"', 'mug?', 'green', 'hand-made', "o'neil", 'neil café', guest.author_email])
    assert.deepEqual(await search(q), [BODY], q)
  assert.deepEqual(await search(`cafe ${guest.author_email}`), [BODY])
  for (const q of ['ade', '?', 'neil cup']) assert.deepEqual(await search(q), [], q)
})

test('staff find words of a language without spaces', async () => {
  const { ask, search } = await buildScene()
  const body = 'このマグカップは青いですか'
  await ask({ body })

  assert.deepEqual(await search('マグ'), [body])
  assert.deepEqual(await search('青い'), [body])
})

test('a search finds a question by its answer until the answer is removed', async () => {
  const { id, decide, search } = await buildScene()

  await decide(id, { answer_body: 'In Kiel.' })
  assert.deepEqual(await search('kiel'), [BODY])
  await decide(id, { answer_body: null })

  assert.deepEqual([await search('kiel'), await search('cafe')], [[], [BODY]])
})

test('a search finds a question of one word of 2,000 letters', async () => {
  const { ask, search } = await buildScene()
  const body = 'b'.repeat(2_000)

  assert.equal((await ask({ body })).status, 201)

  assert.deepEqual(await search('b'.repeat(200)), [body])
})

test('a search finds an anonymized question by its texts alone', async () => {
  const { store, guest, search } = await buildScene()
  const author = { customerId: newId(), verifiedEmails: [guest.author_email] }

  await inStore(store.id, (tx) => anonymizeAuthor(tx, author))

  assert.deepEqual([await search('neil'), await search(guest.author_email)], [[], []])
  assert.deepEqual(await search('cafe'), [BODY])
})
