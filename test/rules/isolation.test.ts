import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import type { BuiltAccount } from '#test/support/builders/accounts.ts'
import { buildFullStore, type FullStore } from '#test/support/builders/full-store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { sendRequest } from '#test/support/processes/http.ts'
import { REDIRECT_URL } from '#test/support/processes/identity-provider.ts'
import { assertDescribed } from '#test/support/requests/described.ts'
import {
  BY_STATE,
  fieldsOf,
  IN_BODIES,
  IN_PATHS,
  IN_QUERIES,
  NAMES_SOMETHING,
  nameOf,
  OF_THE_SENDER,
  operationOf,
  parametersOf,
} from '#test/support/requests/names-in-requests.ts'

// Two stores with one resource of every kind in each. Every id in a request is replaced by one of the other store: the
// response is that of an unknown id, contains no data of the other store, and no row of the other store changes.

let mine: FullStore
let theirs: FullStore
let root: BuiltAccount
let untouched: Record<string, string[]>
let marks: string[]
/** The store of the controls. It is replaced when an earlier control has changed what the next one needs. */
let controls: FullStore | undefined

before(async () => {
  mine = await buildFullStore()
  theirs = await buildFullStore({ provider: 'second' })
  root = await buildSuperAdmin()
  untouched = await rowsOf(theirs.store)
  marks = await marksOf(theirs, mine)
})

interface Caller {
  key?: string
  token?: string
  cart?: string
  /** The access token of a guest's order. */
  access?: string
}

interface Sent extends Caller {
  path: string
  body?: unknown
}

/**
 * Every kind of caller of a store that the operation admits. The access token of a guest's order belongs to the order.
 */
function callersOf({ access }: Operation, of: FullStore, named = of): Caller[] {
  const { key } = of.store
  const customer = { key, token: of.customer.token }
  const owner = { token: of.owner.token }
  const guest = { key, cart: of.cart.token, access: named.orders.guests.accessToken }
  if (access.kind === 'customer') return [customer]
  if (access.kind === 'account') return [customer, owner]
  if (access.kind === 'guest') return [customer, guest]
  if (access.kind === 'staff') return access.personal ? [owner] : [owner, { token: of.program.token }]
  if (access.kind === 'super_admin') return [{ token: root.token }]
  return [{ key }]
}

async function send(operation: Operation, { path, key, token, cart, access, body }: Sent) {
  const { method, accepts } = operation
  const address = new URL(`${baseUrl}/api/v1${path}`)
  if (access && /^\/(orders|returns)\//.test(path)) address.searchParams.set('access_token', access)
  if (path.endsWith('/authorize')) address.search = `${authorizing}&service_key=${key}`
  const response = await sendRequest(address, {
    method: method.toUpperCase(),
    headers: {
      'Idempotency-Key': randomUUID(),
      Prefer: 'respond-async',
      ...(key && !path.endsWith('/authorize') ? { 'X-Service-Key': key } : {}),
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(cart ? { 'X-Cart-Token': cart } : {}),
      ...(body === undefined ? {} : { 'Content-Type': accepts }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (response.text.startsWith('{'))
    assertDescribed(method.toUpperCase(), path, response.status, JSON.parse(response.text))
  return {
    status: response.status,
    body: response.text,
    text: `${response.text} ${response.headers.get('location') ?? ''}`,
  }
}

const authorizing = new URLSearchParams({
  redirect_url: REDIRECT_URL,
  state: 'state',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})

/** Values that only the rows of this store contain: ids, addresses, slugs, keys. */
async function marksOf(of: FullStore, other: FullStore): Promise<string[]> {
  const [own, others] = [await rowsOf(of.store), JSON.stringify(await rowsOf(other.store))]
  const found =
    JSON.stringify(own).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w.+-]+@[\w.-]+\w/g) ?? []
  const { store, product, category, role, cart, orders } = of
  const named = [store.slug, store.key, store.domain, product.slug, category.slug, role.name]
  const secrets = [cart.token, orders.guests.accessToken]
  return [...new Set([...found, ...named, ...secrets])].filter((mark) => !others.includes(mark))
}

/** The response contains no value of the other store, except those that the request contained. */
function assertNoLeak(text: string, sent: unknown, message: string): void {
  const request = JSON.stringify(sent)
  const leaked = marks.filter((mark) => text.includes(mark) && !request.includes(mark))
  assert.deepEqual(leaked, [], `${message}: ${text}`)
}

async function assertUntouched(): Promise<void> {
  const rows = await rowsOf(theirs.store)
  const changed = Object.keys(rows).filter((table) => !isDeepStrictEqual(rows[table], untouched[table]))
  assert.deepEqual(changed, [])
}

/** The operation's path with the resources of `of` as parameters; a super-admin's path has the store `within`. */
const pathsOf = (operation: Operation, of: FullStore, within: FullStore): string[] => {
  const path = operation.path.replace(/stores\/:id/, `stores/${within.store.id}`)
  return parametersOf(operation).reduce(
    (paths, parameter) =>
      paths.flatMap((one) =>
        (IN_PATHS[parameter]?.(of) ?? []).map((value) => one.replace(/:\w+/, encodeURIComponent(value))),
      ),
    [path],
  )
}

const bodiesOf = (operation: Operation) =>
  Object.entries(IN_BODIES).filter(([name]) => name.startsWith(`${nameOf(operation)} `))

/** A body with ids of the sender's own store. */
const ownBody = (operation: Operation, sender: FullStore): unknown => {
  const [named] = bodiesOf(operation)
  if (named) return named[1](sender, sender)
  return operation.body ? operation.example.body : undefined
}

type Naming = (named: FullStore, sender: FullStore) => Sent[]

/** Each place in an operation's requests that takes an id of a store, with the requests that use it. */
function namingsOf(operation: Operation): [string, Naming][] {
  const from = (sent: Omit<Sent, keyof Caller>, named: FullStore, sender: FullStore): Sent[] =>
    callersOf(operation, sender, named).map((caller) => ({ ...caller, ...sent }))
  const inPath: Naming = (named, sender) =>
    pathsOf(operation, named, sender).flatMap((path) =>
      from({ path, body: ownBody(operation, sender) }, named, sender),
    )
  const inBodies = bodiesOf(operation).map(([name, bodyOf]): [string, Naming] => [
    name,
    (named, sender) =>
      pathsOf(operation, sender, sender).flatMap((path) =>
        from({ path, body: bodyOf(named, sender) }, sender, sender),
      ),
  ])
  return parametersOf(operation).length ? [[nameOf(operation), inPath], ...inBodies] : inBodies
}

const isFound = (status: number) => status < 400 || status === 409

/** The responses to the store's own callers if none of them finds the resource; empty if one does. */
async function refusalsOf(operation: Operation, naming: Naming, own: FullStore): Promise<string[]> {
  const refused: string[] = []
  for (const sent of naming(own, own)) {
    const { status, text } = await send(operation, sent)
    if (isFound(status)) return []
    refused.push(`${status} ${text}`)
  }
  return refused
}

const swept = endpoints.filter((operation) => nameOf(operation) !== BY_STATE)

// Deletions run last, so that the store of the controls is seldom rebuilt, which is slow.
const HARMLESS_FIRST = ['get', 'put', 'patch', 'post', 'delete']
const inTurn = swept.toSorted(
  (one, other) => HARMLESS_FIRST.indexOf(one.method) - HARMLESS_FIRST.indexOf(other.method),
)

for (const operation of inTurn)
  for (const [name, naming] of namingsOf(operation))
    test(`${name} finds nothing of another store`, async () => {
      const refusals = name === nameOf(operation) ? [404] : [404, 409, 422]
      for (const sent of naming(theirs, mine)) {
        const { status, text } = await send(operation, sent)
        assert.ok(refusals.includes(status), `${sent.path} returns ${status}: ${text}`)
        assertNoLeak(text, sent, name)
      }
      // Reads run first: the check of the first change covers them all.
      if (operation.method !== 'get') await assertUntouched()

      if (controls && (await refusalsOf(operation, naming, controls)).length === 0) return
      controls = await buildFullStore()
      const refused = await refusalsOf(operation, naming, controls)
      assert.deepEqual(refused, [], 'control: its own callers do not find it')
    })

/** Lists and other reads without an id in the path. */
const reads = swept.filter(({ method, path }) => method === 'get' && !path.includes('/:'))

for (const operation of reads.filter(({ access }) => access.kind !== 'super_admin'))
  test(`${nameOf(operation)} returns no data of another store`, async () => {
    for (const caller of callersOf(operation, mine)) {
      const { text } = await send(operation, { ...caller, path: operation.path })
      assertNoLeak(text, caller, operation.path)
    }
    if (!operation.paginated) return

    const [person] = callersOf(operation, theirs)
    const { text } = await send(operation, { ...person, path: operation.path })
    const isShown = marks.some((mark) => text.includes(mark))
    assert.ok(isShown, 'control: its own callers do not find it')
  })

const filters = reads
  .filter(({ access }) => access.kind !== 'super_admin')
  .flatMap((operation) =>
    fieldsOf(operation.query)
      .filter((field) => field in IN_QUERIES && !(`${nameOf(operation)} ${field}` in OF_THE_SENDER))
      .map((field) => ({ operation, field })),
  )

/** The items of a list, or the rows of a CSV file. */
const itemsOf = (body: string): unknown[] =>
  body.startsWith('{') ? JSON.parse(body).data : body.split('\n').slice(1, -1)

for (const { operation, field } of filters)
  test(`${nameOf(operation)} finds nothing by another store's ${field}`, async () => {
    const [value = ''] = IN_QUERIES[field]?.(theirs) ?? []
    const path = `${operation.path}?${field}=${encodeURIComponent(value)}`
    const read = async (caller: Caller) => itemsOf((await send(operation, { ...caller, path })).body)

    for (const caller of callersOf(operation, mine)) assert.deepEqual(await read(caller), [])
    const [person = {}] = callersOf(operation, theirs)
    assert.notDeepEqual(await read(person), [], 'control: its own callers do not find it')
  })

test("a customer's token with another store's key returns 401", async () => {
  const kinds = ['customer', 'account', 'guest']
  for (const operation of swept.filter(({ access }) => kinds.includes(access.kind)))
    for (const path of pathsOf(operation, theirs, theirs)) {
      const caller = { key: theirs.store.key, token: mine.customer.token }
      const sent = { ...caller, path, body: ownBody(operation, theirs) }
      const { status, text } = await send(operation, sent)
      assert.equal(status, 401, `${nameOf(operation)}: ${text}`)
      assertNoLeak(text, sent, path)
    }
  const own = await send(operationOf('GET /auth/me'), {
    key: mine.store.key,
    token: mine.customer.token,
    path: '/auth/me',
  })
  assert.equal(own.status, 200, 'control')
  await assertUntouched()
})

test('super-admin operations return 401 to callers of a store', async () => {
  const { owner, program, customer } = mine
  for (const operation of swept.filter(({ access }) => access.kind === 'super_admin'))
    for (const { token } of [owner, program, customer])
      for (const path of pathsOf(operation, theirs, theirs)) {
        const sent = { token, path: path.replace(':name', 'mail'), body: ownBody(operation, theirs) }
        const { status, text } = await send(operation, sent)
        assert.equal(status, 401, `${nameOf(operation)}: ${text}`)
        assertNoLeak(text, sent, path)
      }
  await assertUntouched()
})

/** The tables that show a store only its own rows. `stores` has row-level security for changes alone. */
async function protectedTables(): Promise<string[]> {
  const { rows } = await db().raw<{ rows: { name: string }[] }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and relname <> 'stores'",
  )
  return rows.map(({ name }) => name)
}

test("raw SQL in one store's transaction reads and writes no row of another, in any table", async () => {
  const own = { store_id: mine.store.id }
  const other = { store_id: theirs.store.id }
  const kept = await rowsOf(mine.store)
  const tables = await protectedTables()
  const filled = tables.filter((table) => kept[table]?.length && untouched[table]?.length)

  for (const table of tables)
    await inStore(mine.store.id, async ({ knex }) => {
      const found = await knex(table).where(other)
      const changed = await knex(table).where(other).update(own)
      const removed = await knex(table).where(other).delete()
      assert.deepEqual({ found, changed, removed }, { found: [], changed: 0, removed: 0 }, table)
    })
  for (const table of filled)
    await assert.rejects(
      inStore(mine.store.id, ({ knex }) => knex(table).where(own).update(other)),
      /row-level security/,
      table,
    )

  await assertUntouched()
  assert.ok(filled.length > tables.length / 2, 'control: most tables hold rows of both stores')
})

test('the tables above contain every parameter and field that takes an id', () => {
  const missing = swept.flatMap((operation) => [
    ...parametersOf(operation).filter((parameter) => !(parameter in IN_PATHS)),
    ...fieldsOf(operation.body)
      .filter((field) => NAMES_SOMETHING.test(field))
      .map((field) => `${nameOf(operation)} ${field}`)
      .filter((name) => !(name in IN_BODIES) && !(name in OF_THE_SENDER)),
    ...fieldsOf(operation.query)
      .filter((field) => NAMES_SOMETHING.test(field))
      .filter((field) => !(field in IN_QUERIES)),
  ])
  const known = swept.map(nameOf)
  const stale = Object.keys({ ...IN_BODIES, ...OF_THE_SENDER }).filter(
    (name) => !known.includes(name.split(' ').slice(0, 2).join(' ')),
  )

  assert.deepEqual({ missing, stale }, { missing: [], stale: [] })
})
