import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { codeEnd, codeKey } from '#shared/vouchers/codes/code.ts'
import { Voucher } from '#shared/vouchers/voucher.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, checkOut, fillCart } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { superuser } from '#test/support/database.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

/** Every row of every table and queue as text, in the form of a dump. */
async function dump(): Promise<string> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await superuser.query<{ text: string | null }>(
      `select string_agg(t::text, e'\\n') as text from ${name} t`,
    )
    texts.push(rows[0]?.text ?? '')
  }
  return texts.join('\n')
}

/** The forms in which a code could be kept. */
const formsOf = (code: string): string[] => {
  const forms = [code, codeKey(code), codeKey(code).toUpperCase()]
  return [...forms, ...forms.map((form) => Buffer.from(form).toString('hex'))]
}

test('after issue, mail, use and export the database has no whole code', async () => {
  const shop = await buildShop()
  const { store } = shop
  const { token } = await buildStaff(store, { role: 'owner' })
  const as = (line: string, more: object = {}) => request(line, { token, ...more })
  const gift = { amount: 50, to_name: 'Grace', to_email: 'grace@example.test' }
  const issued = await as('POST /admin/vouchers', { body: gift, key: 'issue-once' })
  const chosen = await as('POST /admin/vouchers', { body: { ...gift, code: 'Welcome-2026-Kiel' } })
  const short = await as('POST /admin/vouchers', { body: { ...gift, code: 'ZQ7XKVW' } })
  const codes: string[] = [issued, chosen, short].map(({ data }) => data.code)

  await as(`PATCH /admin/vouchers/${chosen.data.id}`, { body: { amount: 60 } })
  await as(`POST /admin/vouchers/${issued.data.id}/send`, { body: {} })
  const body = { voucher_code: issued.data.code, payment_method: 'bank_transfer' }
  const cart = await fillCart(store, shop.variantId)
  assert.equal((await checkOut(shop, { cart, body })).status, 201)
  await request(`GET /vouchers/${issued.data.code}`, { store })
  await as(`GET /admin/vouchers?q=${chosen.data.code}`)
  const file = await as('GET /admin/vouchers', { headers: { Accept: 'text/csv' } })
  const queued = await dump()
  await drainJobs()
  const done = await dump()

  assert.ok(
    mailbox.mails(gift.to_email).some(({ text }) => text.includes(issued.data.code)),
    'the mail has it',
  )
  assert.ok(done.includes(issued.data.id), 'the dump has the voucher')
  for (const code of codes)
    for (const form of formsOf(code)) {
      assert.ok(!queued.includes(form), `a dump with queued jobs has ${form}`)
      assert.ok(!done.includes(form), `a dump has ${form}`)
      assert.ok(!JSON.stringify(file).includes(form), `the file has ${form}`)
    }
})

test('a voucher is found by its code in any form and by its last four letters', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'sales' })
  const voucher = await buildVoucher(store)
  const short = await buildVoucher(store, { code: 'AB12' })
  await buildVoucher(store)
  const find = async (q: string) => {
    const { data } = await request(`GET /admin/vouchers?q=${encodeURIComponent(q)}`, { token })
    return data.map(({ id }: { id: string }) => id)
  }
  const { code } = voucher

  for (const form of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `])
    assert.deepEqual(await find(form), [voucher.id], form)
  for (const end of [code.slice(-4), code.slice(-4).toLowerCase()])
    assert.ok((await find(end)).includes(voucher.id), end)
  assert.deepEqual(await find(code.slice(0, -1)), [])
  assert.deepEqual(await find('ab-12'), [short.id], 'a short code by itself')
  const { data } = await request(`GET /admin/vouchers/${voucher.id}`, { token })
  assert.equal(data.code, code)
})

test('another store finds nothing by the same code, and its hash differs', async () => {
  const [one, other] = [await buildStore(), await buildStore()]
  for (const store of [one, other]) await buildVoucher(store, { code: 'WELCOME-2026' })

  const hashes = await Promise.all(
    [one, other].map((store) =>
      inStore(store.id, async (tx) => (await Voucher.in(tx).first())?.codeHash.toString('hex')),
    ),
  )

  assert.notEqual(hashes[0], hashes[1])
  const answer = await request('GET /vouchers/WELCOME-2026', { store: await buildStore() })
  assert.equal(answer.error_code, 'voucher.not_found')
})

test('a code is taken in every form that compares the same', async () => {
  const store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  const issue = async (code: string) => {
    const body = { code, amount: 5, to_name: 'Grace', to_email: 'grace@example.test' }
    return (await request('POST /admin/vouchers', { token, body })).error_code
  }

  assert.equal(await issue('Welcome-2026'), null)
  assert.equal(await issue('WELCOME 2026'), 'voucher.code_taken')
})

test('concurrently issued first vouchers of a store share its key', async () => {
  const store = await buildStore()

  const built = await Promise.all(Array.from({ length: 8 }, () => buildVoucher(store)))

  for (const { code } of built) assert.equal((await request(`GET /vouchers/${code}`, { store })).status, 200)
})

test('codes of eight or more characters show their last four; shorter ones show none', () => {
  assert.equal(codeEnd('7K3M-9QXZ-4TRB-WH2C'), 'WH2C')
  assert.equal(codeEnd('ABCD-EFGH'), 'EFGH')
  assert.equal(codeEnd('ABC-DEFG'), '')
})
