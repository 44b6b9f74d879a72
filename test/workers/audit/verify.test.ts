import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { buildStore } from '#test/support/build.ts'
import { asSuperuser, buildEntries } from '#test/support/build-audit.ts'
import { verifyAudit } from '#workers/audit/verify.ts'

async function run(asked: string, place?: string) {
  const lines: string[] = []
  const code = await verifyAudit(asked, (line) => lines.push(line), place)
  return { code, text: lines.join('\n') }
}

test('sound chains are reported as sound', async () => {
  const store = await buildStore()
  await buildEntries(store, 3)

  const one = await run(store.slug)
  const all = await run('all')

  assert.equal(one.code, 0)
  assert.match(one.text, new RegExp(`^${store.slug}  3 entries, up to 3:[0-9a-f]{64}  sound$`))
  assert.equal(all.code, 0)
  assert.match(all.text, /^platform {2}0 entries/)
})

test('the first broken link is named', async () => {
  const store = await buildStore()
  await buildEntries(store, 3)
  await asSuperuser(`update audit_entries set ip = '' where store_id = $1 and sequence >= 2`, [store.id])

  for (const { code, text } of [await run(store.slug), await run('all')]) {
    assert.equal(code, 1)
    assert.match(text, new RegExp(`${store.slug}  1 entries, .*BROKEN at 2: changed`))
  }
})

test('a recorded position is accepted', async () => {
  const store = await buildStore()
  await buildEntries(store, 2)
  const [, place = ''] = /up to (\S+)/.exec((await run(store.slug)).text) ?? []
  await buildEntries(store, 1)

  assert.equal((await run(store.slug, place)).code, 0)
  const other = place.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  assert.match((await run(store.slug, other)).text, /BROKEN at 2: replaced$/)
  assert.equal((await run(store.slug, 'x')).code, 2)
  assert.equal((await run('all', place)).code, 2)
})

test('an unknown store is reported', async () => {
  assert.equal((await run('nowhere')).code, 2)
})
