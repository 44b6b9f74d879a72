import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { callerByNetwork } from '#shared/identity/passwords/hash-caller.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { buildCustomer, buildStaff, PASSWORD } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { request } from '#test/support/processes/app.ts'

// As many as compute and wait for a hash at a time.
const ADDRESSES = Math.min(4, availableParallelism()) + 64

/**
 * Runs `work` while many addresses sign in with wrong passwords, each again and again. Without a store they sign in as
 * staff. All places of the queue of hashes are taken then.
 */
async function duringFlood<T>(storeId: string | null, work: () => Promise<T>): Promise<T> {
  let isOver = false
  const guess = async (_: unknown, n: number) => {
    const caller = callerByNetwork(storeId, `198.51.100.${n}`)
    // A refused address must not repeat its try before other work has had its turn.
    while (!isOver) await isPassword('guess', null, caller).catch(() => setImmediate())
  }
  const flood = Array.from({ length: ADDRESSES }, guess)
  try {
    return await work()
  } finally {
    isOver = true
    await Promise.all(flood)
  }
}

const TRIES = 20

/** The statuses of 20 sign-ins, one after the other. */
async function statusesOf(signIn: () => Promise<{ status: number }>): Promise<Set<number>> {
  const statuses = new Set<number>()
  for (let i = 0; i < TRIES; i++) statuses.add((await signIn()).status)
  return statuses
}

test('a flood of sign-ins from many addresses at one store refuses no sign-in at another', async () => {
  const [flooded, store] = [await buildStore(), await buildStore()]
  const { email } = await buildCustomer(store)
  const signIn = () => request('POST /auth/login', { store, body: { email, password: PASSWORD } })

  const statuses = await duringFlood(flooded.id, () => statusesOf(signIn))

  assert.deepEqual(statuses, new Set([200]))
})

test('a sign-in from a known device succeeds during a flood from many addresses at the same store', async () => {
  const store = await buildStore()
  const { email } = await buildCustomer(store)
  const signIn = () => request('POST /auth/login', { store, body: { email, password: PASSWORD } })
  await signIn()

  const statuses = await duringFlood(store.id, () => statusesOf(signIn))

  assert.deepEqual(statuses, new Set([200]))
})

test('a flood of sign-ins as staff refuses none of a known device', async () => {
  const { email } = await buildStaff(await buildStore(), { role: 'staff' })
  const signIn = () => request('POST /auth/login', { body: { email, password: PASSWORD } })
  await signIn()

  const statuses = await duringFlood(null, () => statusesOf(signIn))

  assert.deepEqual(statuses, new Set([200]))
})
