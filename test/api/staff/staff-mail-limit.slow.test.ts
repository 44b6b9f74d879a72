import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { MAX_LINKS_PER_HOUR } from '#shared/identity/links/link.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildShop, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { buildShippedOrder } from '#test/support/builders/returns.ts'
import { buildStore, nextNumber } from '#test/support/builders/store.ts'
import { buildVoucher } from '#test/support/builders/vouchers.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { mailbox } from '#test/support/processes/mailbox.ts'

const MAX_PER_HOUR = 20

/** A store, and its owner's requests. */
async function scene(store = buildStore()) {
  const at = await store
  const { token } = await buildStaff(at, { role: 'owner' })
  const stranger = `stranger-${nextNumber()}@example.test`
  const ask = (line: string, body?: object) =>
    request(line, { token, key: randomUUID(), ...(body ? { body } : {}) })
  return { store: at, stranger, ask }
}

type Ask = Awaited<ReturnType<typeof scene>>['ask']

interface Way {
  mail: (ask: Ask, email: string) => Promise<{ status: number }>
  /** The mails to the stranger until the first 429. */
  mails: number
}

const WAYS: Record<string, Way> = {
  'inviting and deleting a staff member': {
    mails: MAX_PER_HOUR,
    mail: async (ask, email) => {
      const invited = await ask('POST /admin/users', { email, firstname: 'A', lastname: 'B', role: 'sales' })
      if (invited.status === 201) await ask(`DELETE /admin/users/${invited.data.id}`)
      return invited
    },
  },
  "changing a staff member's address to and fro": {
    mails: MAX_PER_HOUR,
    mail: (ask, email) => changeToAndFro(ask, '/admin/users', email),
  },
  // Of the 20 mails, 10 are links that verify the address, of which a mailbox gets 5 an hour.
  "changing a customer's address to and fro": {
    mails: MAX_PER_HOUR / 2 + MAX_LINKS_PER_HOUR,
    mail: (ask, email) => changeToAndFro(ask, '/admin/customers', email),
  },
}

/** Gives someone the stranger's address, then another: both may be mailed. The last answer. */
async function changeToAndFro(ask: Ask, path: string, email: string) {
  const own = () => `own-${nextNumber()}@example.test`
  const role = path === '/admin/users' ? { role: 'sales' } : {}
  const { data } = await ask(`POST ${path}`, { email: own(), firstname: 'A', lastname: 'B', ...role })
  const taken = await ask(`PATCH ${path}/${data.id}`, { email })
  return taken.status === 200 ? ask(`PATCH ${path}/${data.id}`, { email: own() }) : taken
}

test('rejecting returns of one order is refused with 429 after 20 mails to its buyer within an hour', async () => {
  const { store, ask } = await scene()
  const { id: order_id, lines } = await buildShippedOrder(store)
  const { email } = (await ask(`GET /admin/orders/${order_id}`)).data
  await drainJobs()
  mailbox.clear()
  const items = [{ order_item_id: lines[0]?.id, quantity: 1, reason: 'unwanted' }]
  const reject = async () => {
    const { data } = await ask('POST /admin/returns', { order_id, items })
    return ask(`POST /admin/returns/${data.id}/reject`, { message: 'No' })
  }

  for (let n = 0; n < MAX_PER_HOUR; n++) assert.equal((await reject()).status, 200)
  const refused = await reject()
  await drainJobs()

  assert.equal(refused.status, 429)
  assert.equal(mailbox.mails(email).length, MAX_PER_HOUR)
})

test('answering questions is refused with 429 after 20 mails to their author within an hour', async () => {
  const { store, stranger, ask } = await scene()
  const { slug } = await buildProduct(store)
  const question = { author_name: 'Ada', author_email: stranger, body: 'Is it oak?' }
  const answer = async () => {
    const { data } = await request(`POST /products/${slug}/questions`, { store, body: question })
    return ask(`PATCH /admin/questions/${data.id}`, { answer_body: 'Yes' })
  }

  for (let n = 0; n < MAX_PER_HOUR; n++) assert.equal((await answer()).status, 200)
  const refused = await answer()
  await drainJobs()

  assert.equal(refused.status, 429)
  assert.equal(mailbox.mails(stranger).length, MAX_PER_HOUR)
})

for (const [way, { mail, mails }] of Object.entries(WAYS))
  test(`${way} mails a stranger at most ${mails} times per hour, then answers 429`, async () => {
    const { ask, stranger } = await scene()

    let last = { status: 0 }
    for (let n = 0; n <= MAX_PER_HOUR && last.status !== 429; n++) last = await mail(ask, stranger)
    await drainJobs()

    assert.equal(last.status, 429)
    assert.equal(mailbox.mails(stranger).length, mails)
  })

test('sending a voucher is refused with 429 after 20 mails to its recipient within an hour, and other recipients are mailed', async () => {
  const { store, stranger, ask } = await scene()
  const voucher = await buildVoucher(store, { toEmail: stranger })
  const other = await buildVoucher(store, { toEmail: 'other@example.test' })
  const send = ({ id }: { id: string }) => ask(`POST /admin/vouchers/${id}/send`, {})

  for (let n = 0; n < MAX_PER_HOUR; n++) assert.equal((await send(voucher)).status, 202)
  const refused = await send(voucher)
  const elsewhere = await send(other)
  await drainJobs()

  assert.equal(refused.status, 429)
  assert.equal(refused.error_code, 'rate_limit.exceeded')
  assert.equal(elsewhere.status, 202)
  assert.equal(mailbox.mails(stranger).length, MAX_PER_HOUR)
})

test('a mailed note past the limit is not kept, and an unmailed one is', async () => {
  const shop = await buildShop(10)
  const { ask } = await scene(Promise.resolve(shop.store))
  const { id } = await placeCardOrder(shop)
  const note = (notify: boolean) =>
    ask(`POST /admin/orders/${id}/notes`, { body: 'Hello', is_customer_visible: true, notify })

  for (let n = 0; n < MAX_PER_HOUR; n++) assert.equal((await note(true)).status, 201)
  const refused = await note(true)
  const unmailed = await note(false)

  assert.equal(refused.status, 429)
  assert.equal(unmailed.status, 201)
  const history = await ask(`GET /admin/orders/${id}/history`)
  const notes = history.data.filter(({ kind }: { kind: string }) => kind === 'note')
  assert.equal(notes.length, MAX_PER_HOUR + 1)
})
