import assert from 'node:assert/strict'
import { IncomingMessage, request as open, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, type TestContext, test } from 'node:test'
import { createApp } from '#api/app.ts'
import { endAbandonedReads } from '#api/platform/pipeline/abandoned-reads.ts'
import { requests } from '#api/platform/pipeline/metrics.ts'
import { db } from '#shared/platform/db/db.ts'
import { poolOf } from '#shared/platform/db/knex-internals.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { ClientGroup, currentNetwork, WaitingClient } from '#shared/platform/db/waiting-client.ts'
import { accessLog, log } from '#shared/platform/log.ts'
import { networkOfAddress } from '#shared/platform/net/network-of-address.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { baseUrl, request } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

let releaseLock = async () => {}
afterEach(() => releaseLock())

/** Locks a table, so that every statement that reads it waits until the end of the test. */
async function lockTable({ id }: { id: string }, table: string): Promise<void> {
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = inStore(id, async ({ knex }) => {
    await knex.raw(`lock table ${table} in access exclusive mode`)
    locked.resolve()
    await release.promise
  })
  releaseLock = async () => {
    release.resolve()
    await holder
  }
  await locked.promise
}

const mockLog = (t: TestContext, level: 'error' | 'warn') => t.mock.method(log, level)
const texts = ({ mock }: ReturnType<typeof mockLog>) =>
  mock.calls.map(({ arguments: given }) => String(given))

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await superuser.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

const untilWaiting = (count: number) => until(`${count} wait`, async () => (await waiting()) === count)

interface Sent {
  store?: { key: string }
  token?: string
  body?: object
}

/** Sends a request; `disconnect` closes its connection. */
function send(line: string, { store, token, body }: Sent) {
  const [method, path] = line.split(' ')
  const headers = {
    ...(store ? { 'X-Service-Key': store.key } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  }
  const sent = open(`${baseUrl}/api/v1${path}`, { method, headers })
  sent.on('error', () => {})
  sent.end(body ? JSON.stringify(body) : undefined)
  return { disconnect: () => sent.destroy() }
}

for (const { line, kind } of [
  { line: 'GET /products', kind: 'a single read' },
  { line: 'GET /admin/products', kind: 'a transaction' },
])
  test(`${kind} whose client leaves is canceled, gives back its connection and is logged as 499`, async (t) => {
    const store = await buildStore()
    const { token } = await buildStaff(store, { role: 'owner' })
    await lockTable(store, 'products')
    const [lines, errors, warnings] = [
      t.mock.method(accessLog, 'info'),
      mockLog(t, 'error'),
      mockLog(t, 'warn'),
    ]
    const { disconnect } = send(line, line.includes('/admin/') ? { token } : { store })
    await until('a statement waits', async () => (await waiting()) > 0)

    disconnect()
    await untilWaiting(0)

    // One connection holds the lock.
    await until('the connection is free', async () => poolOf(db()).numUsed() === 1)
    await until('the request is logged', async () => lines.mock.callCount() === 1)
    const { values } = await requests.get()
    const failed = values.filter(({ labels, value }) => /^5/.test(String(labels.status)) && value > 0)
    assert.partialDeepStrictEqual(lines.mock.calls[0]?.arguments[0], { method: 'GET', status: 499 })
    assert.deepEqual(
      { failed, errors: texts(errors), warnings: texts(warnings) },
      { failed: [], errors: [], warnings: [] },
    )
  })

test('control: without detection, a read whose client disconnects keeps its database connection', async (t) => {
  const store = await buildStore()
  await lockTable(store, 'products')
  const left = Promise.withResolvers<void>()
  t.mock.method(WaitingClient.prototype, 'disconnect', () => left.resolve())
  const { disconnect } = send('GET /products/mug', { store })
  await untilWaiting(1)

  disconnect()
  await left.promise

  assert.deepEqual({ waiting: await waiting(), used: poolOf(db()).numUsed() }, { waiting: 1, used: 2 })
})

test('a change whose client leaves is made', async () => {
  const store = await buildStore()
  const { variants } = await buildProduct(store)
  await lockTable(store, 'cart_items')
  const { disconnect } = send('POST /cart/items', {
    store,
    body: { variant_id: variants[0]?.id, quantity: 2 },
  })
  await untilWaiting(1)

  disconnect()
  await releaseLock()

  await until('the change is made', async () => {
    const { rows } = await superuser.query('select quantity from cart_items where store_id = $1', [store.id])
    return rows[0]?.quantity === 2
  })
})

test('a client that leaves a shared computation does not end it for the others', async (t) => {
  const store = await buildStore()
  await buildProduct(store, { nameI18n: { en: 'Enamel mug' } })
  const joined = t.mock.method(ClientGroup.prototype, 'join')
  const left = t.mock.method(WaitingClient.prototype, 'disconnect')
  await lockTable(store, 'products')
  const first = send('GET /products?q=mug', { store })
  await untilWaiting(1)
  const before = joined.mock.callCount()
  const second = request('GET /products?q=mug', { store })
  await until('the second waits for the same', async () => joined.mock.callCount() > before)

  first.disconnect()
  await until('the service notices', async () => left.mock.callCount() === 1)
  await releaseLock()

  assert.partialDeepStrictEqual(await second, { status: 200, meta: { total: 1 } })
})

test('after all clients disconnect, the next client restarts the shared computation', async () => {
  const store = await buildStore()
  await buildProduct(store, { nameI18n: { en: 'Enamel mug' } })
  await lockTable(store, 'products')
  const first = send('GET /products?q=mug', { store })
  await untilWaiting(1)

  first.disconnect()
  await untilWaiting(0)
  const next = request('GET /products?q=mug', { store })
  await untilWaiting(1)
  await releaseLock()

  assert.partialDeepStrictEqual(await next, { status: 200, meta: { total: 1 } })
})

for (const method of ['GET', 'POST'])
  test(`${method}: the work of a request knows the network of its client`, async () => {
    const context = createApp().createContext(
      Object.assign(new IncomingMessage(new Socket()), { method, url: '/' }),
      new ServerResponse(new IncomingMessage(new Socket())),
    )
    Object.defineProperty(context.req.socket, 'remoteAddress', { value: '198.51.100.7' })
    let network = ''

    await endAbandonedReads(context, async () => {
      network = currentNetwork()
    })

    assert.equal(network, networkOfAddress('198.51.100.7'))
  })
