import { hashPassword } from '#shared/identity/passwords/password.ts'
import { db } from '#shared/platform/db/db.ts'
import type { Store } from '#shared/stores/store.ts'
import { type BuiltAccount, buildStaff } from '#test/support/builders/accounts.ts'
import { measure } from './measure.ts'
import { median } from './median.ts'

// As many as concurrent orders: a sign-in that waits for the database leaves no core without a hash to compute.
const CONCURRENCY = 8
const MS = 1_000
// A single account would sign in from an unrealistic number of addresses.
const ACCOUNTS = 200
// Sign-ins are slow, so V8 takes this long to compile their code; a running service has compiled it.
const FIRST_SIGN_INS_SECONDS = 20

interface Subject {
  store: Store
  key: string
  serviceUrl: string
  rounds: number
  seconds: number
}

/** The cost of signing in and of authenticated requests: rows of the table, like those of `compare`. */
export async function measureIdentity(subject: Subject): Promise<string[][]> {
  const owner = await buildStaff(subject.store, { role: 'owner' })
  const members: BuiltAccount[] = []
  for (let n = 0; n < ACCOUNTS; n++) members.push(await buildStaff(subject.store, { role: 'sales' }))
  return [await overhead(subject, owner.token), await logins(subject, members)]
}

/** A similar read with and without a token, one at a time: the difference is token, session, store and permissions. */
async function overhead({ key, serviceUrl, rounds, seconds }: Subject, token: string): Promise<string[]> {
  const one = async (path: string, headers: Record<string, string>) => {
    const load = { url: serviceUrl, headers, requests: [{ path }], connections: 1 }
    return MS / (await measure(load, seconds)).perSecond
  }
  const open: number[] = []
  const signedIn: number[] = []
  for (let round = 0; round < rounds; round++) {
    open.push(await one('/api/v1/settings/store-info', { 'X-Service-Key': key }))
    signedIn.push(await one('/api/v1/admin/settings', { Authorization: `Bearer ${token}` }))
  }
  const ms = (value: number) => `${value.toFixed(2)} ms`
  const more = median(signedIn.map((value, i) => value - (open[i] ?? 0)))
  return [
    'Authenticated call, one at a time',
    ms(median(open)),
    ms(median(signedIn)),
    `+ ${ms(more)}`,
    '≤ + 0.5 ms',
  ]
}

/** Sign-ins compared with the hash alone, eight at a time. */
async function logins({ serviceUrl, rounds, seconds }: Subject, members: BuiltAccount[]) {
  const login = {
    url: serviceUrl,
    headers: { 'Content-Type': 'application/json' },
    requests: members.map(({ email, password }) => ({
      path: '/api/v1/auth/login',
      method: 'POST' as const,
      body: JSON.stringify({ email, password }),
    })),
    connections: CONCURRENCY,
    // An account does not sign in over eight connections at the same time.
    isSpread: true,
  }
  // Most sign-ins are repeated from a known device, so every account signs in once before the measurement.
  await measure(login, FIRST_SIGN_INS_SECONDS)
  // Replaces autovacuum: the statistics are from empty tables.
  await db().raw('analyze')
  const pairs: { hash: number; login: number }[] = []
  for (let round = 0; round < rounds; round++)
    pairs.push({ hash: await hashesPerSecond(seconds), login: (await measure(login, seconds)).perSecond })
  const perSecond = (side: 'hash' | 'login') => `${median(pairs.map((pair) => pair[side])).toFixed(0)}/s`
  const ratio = median(pairs.map((pair) => pair.login / pair.hash))
  return [
    'Login, eight at a time',
    `${perSecond('hash')} (the hash alone)`,
    perSecond('login'),
    `${ratio.toFixed(2)} ×`,
    '≥ 0.9 ×',
  ]
}

/** Counts the hashes that end in time, as the load does; eight more are running at the end. */
async function hashesPerSecond(seconds: number): Promise<number> {
  const end = performance.now() + seconds * MS
  let hashes = 0
  const hashOn = async () => {
    while (performance.now() < end) {
      await hashPassword('correct horse battery')
      if (performance.now() < end) hashes += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, hashOn))
  return hashes / seconds
}
