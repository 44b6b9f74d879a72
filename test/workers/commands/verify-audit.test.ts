import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import '#test/support/database.ts'
import { config } from '#shared/platform/config/config.ts'
import { asSuperuser, buildEntries } from '#test/support/builders/audit.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { writeAnchor } from '#workers/audit/anchors.ts'
import { verifyAudit } from '#workers/commands/verify-audit.ts'

async function run(asked: string, place?: string) {
  const lines: string[] = []
  const code = await verifyAudit(asked, (line) => lines.push(line), place)
  return { code, text: lines.join('\n') }
}

test('intact chains are reported as intact', async () => {
  const store = await buildStore()
  await buildEntries(store, 3)

  const one = await run(store.slug)
  const all = await run('all')

  assert.equal(one.code, 0)
  assert.match(
    one.text,
    new RegExp(`^${store.slug}  3 entries, up to 3:[0-9a-f]{64}  intact\nCompared with anchors`),
  )
  assert.equal(all.code, 0)
  assert.match(all.text, /^platform {2}\d+ entries, .* intact$/m)
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
  assert.match((await run(store.slug, other)).text, /BROKEN at 2: replaced\n/)
  assert.equal((await run(store.slug, 'x')).code, 2)
  assert.equal((await run('all', place)).code, 2)
})

test('a log that was rewritten with valid proofs is broken at its anchor', async (t) => {
  const [store, other] = [await buildStore(), await buildStore()]
  t.after(() => rm(config().AUDIT_ANCHORS, { force: true }))
  await buildEntries(store, 2)
  await buildEntries(other, 2)
  const [, sequence = '', hash = ''] = /up to (\d+):(\S+)/.exec((await run(other.slug)).text) ?? []
  await writeAnchor(other.id, { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') })
  await writeAnchor(store.id, { sequence: 2n, hash: Buffer.alloc(32) })

  const [broken, intact] = [await run(store.slug), await run(other.slug)]

  assert.deepEqual({ broken: broken.code, intact: intact.code }, { broken: 1, intact: 0 })
  assert.match(broken.text, /BROKEN at 2: replaced\nCompared with anchors in .*: 1$/)
})

test('a log that was cut off is shorter than its anchor, also with a checkpoint before the cut', async (t) => {
  const store = await buildStore()
  t.after(() => rm(config().AUDIT_ANCHORS, { force: true }))
  await buildEntries(store, 2)
  const [, place = ''] = /up to (\S+)/.exec((await run(store.slug)).text) ?? []
  await writeAnchor(store.id, { sequence: 3n, hash: Buffer.alloc(32) })

  const { code, text } = await run(store.slug, place)

  assert.equal(code, 1)
  assert.match(text, /BROKEN at 3: missing/)
})

test('an unknown store is reported', async () => {
  assert.equal((await run('nowhere')).code, 2)
})
