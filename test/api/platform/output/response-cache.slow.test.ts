import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildProduct } from '#test/support/builders/catalog.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { until } from '#test/support/races/until.ts'

/** Returns the server processes of the reads that wait for a lock. */
async function waitingReads(): Promise<number[]> {
  // In a transaction the view stays as it was at first.
  await superuser.query('select pg_stat_clear_snapshot()')
  const { rows } = await superuser.query(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.map(({ pid }) => pid)
}

/** Runs `work` while no product can be read. */
async function whileLocked<T>(work: () => Promise<[T]>): Promise<[T]> {
  await superuser.query('begin')
  try {
    await superuser.query('lock table products in access exclusive mode')
    return await work()
  } finally {
    await superuser.query('rollback')
  }
}

async function awaitRead(): Promise<number> {
  await until('a read waits', async () => (await waitingReads()).length === 1)
  return (await waitingReads())[0] as number
}

async function openProduct() {
  const store = await buildStore()
  await buildProduct(store, { slug: 'mug' })
  const url = `${baseUrl}/api/v1/products/mug`
  return (signal?: AbortSignal) =>
    fetch(url, { headers: { 'X-Service-Key': store.key }, ...(signal ? { signal } : {}) })
}

test('a visitor gets the response that another one asked for first and did not wait for', async () => {
  const ask = await openProduct()
  const first = new AbortController()

  const [second] = await whileLocked(async () => {
    const left = assert.rejects(ask(first.signal), { name: 'AbortError' })
    await awaitRead()
    const second = ask()
    first.abort()
    await left
    return [second]
  })

  assert.equal((await second).status, 200)
})

test('a visitor who joins a read that is being canceled gets a response from a read of its own', async () => {
  const ask = await openProduct()
  const first = new AbortController()

  const [second] = await whileLocked(async () => {
    const left = assert.rejects(ask(first.signal), { name: 'AbortError' })
    const read = await awaitRead()
    first.abort()
    await left
    const second = ask()
    await until('the first read is canceled', async () => !(await waitingReads()).includes(read))
    return [second]
  })

  assert.equal((await second).status, 200)
})
