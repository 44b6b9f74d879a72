import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { TILL_MODES } from '#test/sandbox/till/behaviour.ts'
import { startTill, type Till } from '#test/sandbox/till.ts'

const tills: Till[] = []
after(() => Promise.all(tills.map((till) => till.stop())))

async function open(limit: Parameters<typeof startTill>[0] = {}): Promise<Till> {
  const till = await startTill({ size: 100, perSecond: 1_000, burst: 1_000, ...limit })
  tills.push(till)
  return till
}

const KEY = 'key-of-a-store'
const ask = (till: Till, path: string, key = KEY) =>
  fetch(`${till.url}${path}`, { headers: { 'X-Api-Key': key } })
// biome-ignore lint/suspicious/noExplicitAny: a test reads what the till answers
const read = async (till: Till, path: string): Promise<any> => (await ask(till, path)).json()

test('items are paginated and the same at every start', async () => {
  const [till, again] = [await open(), await open()]

  const page = await read(till, '/items?page=2&page_size=30')

  assert.deepEqual(
    { page: page.page, page_size: page.page_size, total: page.total, itemsCount: page.items.length },
    { page: 2, page_size: 30, total: 100, itemsCount: 30 },
  )
  assert.equal(page.items[0].id, 'item-00031')
  assert.deepEqual(page, await read(again, '/items?page=2&page_size=30'))
})

test('items can be filtered by words, category, status and time of change', async () => {
  const till = await open()
  const idsOf = async (query: string) => (await read(till, `/items?page_size=200&${query}`)).items

  assert.equal((await idsOf('q=TILL-00042')).length, 1)
  for (const item of await idsOf('category_id=cat-3')) assert.equal(item.category_id, 'cat-3')
  assert.equal((await idsOf('is_active=false')).length, 10)
  assert.equal((await idsOf('updated_since=2026-01-04T23:00:00Z')).length, 7)
})

test('an item is found by an id with any characters', async () => {
  const till = await open()

  assert.equal((await read(till, `/items/${encodeURIComponent('19/ö ?&=#')}`)).id, '19/ö ?&=#')
  assert.equal((await ask(till, '/items/none')).status, 404)
  assert.equal((await ask(till, '/items', '')).status, 401)
})

test('a key over its rate limit is blocked and each refusal is counted; other keys are not blocked', async () => {
  const till = await open({ perSecond: 1, burst: 2 })

  const answers = await Promise.all([1, 2, 3, 4].map(() => ask(till, '/items')))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 429, 429],
  )
  assert.equal(answers[2]?.headers.get('retry-after'), '60')
  const { requests, punished, banned_until } = till.account(KEY)
  assert.deepEqual({ requests, punished }, { requests: 4, punished: 2 })
  assert.ok(banned_until)
  assert.equal((await ask(till, '/items', 'key-of-another')).status, 200)
})

test('a configured till is slow, is unreachable, or returns invalid data', async () => {
  const till = await open()
  const answers: Record<string, unknown> = {}

  for (const mode of TILL_MODES.filter((one) => one !== 'endless')) {
    till.behave({ mode, delay_ms: 1 })
    const asked = fetch(`${till.url}/items/item-00001`, { headers: { 'X-Api-Key': KEY }, redirect: 'manual' })
    if (mode === 'hang') await till.untilHeld(1).then(() => till.release())
    answers[mode] = await asked.then(
      async (response) => `${response.status} ${(await response.text()).slice(0, 10)}`,
      () => 'cut off',
    )
  }

  const whole = '200 {"id":"ite'
  assert.deepEqual(answers, {
    normal: whole,
    hang: whole,
    slow: whole,
    dead: 'cut off',
    html: '200 <!doctype ',
    cut: '200 {"items":[',
    shape: '200 {"items":{',
    redirect: '302 ',
    error: '500 {"error":"',
  })
})
