import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import type { Knex } from 'knex'
import { createApp } from '#api/app.ts'
import { endpoints } from '#api/endpoints.ts'
import { subjectOf } from '#api/platform/audit/audit-subject.ts'
import type { Operation } from '#api/platform/operation/operation.ts'
import type { UnitOfWork } from '#api/platform/operation/unit-of-work.ts'
import { createHttpServer } from '#api/platform/pipeline/http-server.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { AUDIT_NAMES } from '#test/rules/support/audit-names.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { type BuiltStore, buildStore } from '#test/support/builders/store.ts'
import { buildSuperAdmin } from '#test/support/builders/super-admin.ts'

// Every operation as declared, with an idle handler that only opens the transaction.

const isMutation = ({ method, path, access }: Operation) =>
  method !== 'get' && (access.kind === 'account' || /^\/(super-)?admin\//.test(path))
const idle = (operation: Operation): Operation => {
  const { respond: _, ...rest } = operation
  const done = async () => operation.example.data
  // A handler with a manual transaction opens it by its unit of work.
  const openTransaction = ({ unitOfWork, store }: { unitOfWork: UnitOfWork; store?: { id: string } }) =>
    store ? unitOfWork.inStore(store.id, done) : unitOfWork.inPlatform(done)
  const handle = operation.transaction === 'manual' ? openTransaction : done
  return isMutation(operation) ? { ...rest, handle } : operation
}

const server = createHttpServer(createApp(endpoints.map(idle)).callback())
let store: BuiltStore
let tokens: Record<string, string>

before(async () => {
  store = await buildStore()
  const { token } = await buildStaff(store, { role: 'owner' })
  tokens = {
    staff: token,
    account: token,
    super_admin: (await buildSuperAdmin()).token,
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const SOME_ID = '01890000-0000-7000-8000-000000000000'

async function call({ method, path, accepts, body, example, params, access }: Operation): Promise<number> {
  const { port } = server.address() as AddressInfo
  const names = (params as { properties?: Record<string, { enum?: string[] }> } | undefined)?.properties ?? {}
  const address = path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'id' && access.ofStore ? store.id : (names[name]?.enum?.[0] ?? SOME_ID),
  )
  const sent = accepts === 'application/json' ? JSON.stringify(example.body) : String(example.body)
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${address}`, {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${tokens[access.kind]}`,
      'Idempotency-Key': crypto.randomUUID(),
      ...(body || accepts !== 'application/json' ? { 'Content-Type': accepts } : {}),
    },
    body: body || accepts !== 'application/json' ? sent : null,
  })
  return response.status
}

/** The number of entries in the log that the operation writes to. */
const countEntries = async ({ access }: Operation): Promise<number> => {
  if (access.kind === 'super_admin') return countOf(db(), 'platform_audit_entries')
  return inStore(store.id, ({ knex }) => countOf(knex, 'audit_entries'))
}

async function countOf(knex: Knex, table: string): Promise<number> {
  const [row] = await knex(table).count({ count: '*' })
  return Number(row?.count)
}

for (const operation of endpoints.filter(isMutation).filter(({ access }) => access.kind !== 'open'))
  test(`${operation.method.toUpperCase()} ${operation.path} adds one entry to the audit log`, async () => {
    const before = await countEntries(operation)

    const status = await call(operation)

    assert.ok(status < 300, `the example of the operation returns ${status}`)
    assert.equal(await countEntries(operation), before + 1)
  })

const isAudited = ({ access, transaction }: Operation): boolean =>
  ['staff', 'super_admin', 'account'].includes(access.kind) ||
  // Without a caller, an operation is audited for the owner of the token or link in its body.
  (access.kind === 'open' && transaction === 'manual')

test('every operation by which staff or super-admins change something declares its audit', () => {
  const silent = endpoints
    .filter(({ method }) => method !== 'get')
    .filter((operation) => isAudited(operation) !== (operation.audit !== undefined))
  assert.deepEqual(
    silent.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

/** The names of all fields in a response. */
function fieldsOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {}, ...rest } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values({ ...rest, ...properties }).flatMap(fieldsOf)]
}

const OF_A_PERSON =
  /^(firstname|lastname|telephone|address_1|ip|email|author_name|(from|to|author)_(name|email))$/

/** Reads whose responses have personal data in fields without a schema or of another name. */
const WITHOUT_FIELDS = [
  '/admin/affiliates',
  '/admin/affiliates/:id',
  '/admin/events',
  '/admin/orders/:order_id/history',
  '/admin/orders/:order_id/shipments',
  '/admin/orders/:order_id/shipments/:shipment_id',
  '/admin/reports/customers',
  '/admin/webhook-deliveries/:delivery_id',
  '/admin/webhooks/:webhook_id/deliveries',
  '/super-admin/queues/:name/failed',
]
/** The address of the store, not of a person. */
const OF_THE_STORE = [
  '/admin/settings',
  '/admin/stores',
  '/admin/stores/:store_id',
  '/super-admin/stores',
  '/super-admin/stores/:id',
]
/** The caller's own account. */
const isOwn = (path: string): boolean => path.startsWith('/super-admin/auth/')

test('a read by staff or super-admins declares an audit exactly if its response has personal data', () => {
  const reads = endpoints.filter(
    ({ method, access, path }) =>
      method === 'get' &&
      ['staff', 'super_admin'].includes(access.kind) &&
      !isOwn(path) &&
      !OF_THE_STORE.includes(path),
  )
  const personal = reads.filter(
    ({ returns, path }) =>
      WITHOUT_FIELDS.includes(path) || fieldsOf(returns.at(-1)).some((name) => OF_A_PERSON.test(name)),
  )
  const audited = endpoints.filter(({ method, audit }) => method === 'get' && audit)

  assert.deepEqual(audited.map(({ path }) => path).sort(), personal.map(({ path }) => path).sort())
})

test('the declared actions and resources are the names in existing logs', () => {
  const declared: Record<string, string[]> = {}
  for (const { audit } of endpoints)
    if (audit) declared[audit.resource] = [...(declared[audit.resource] ?? []), audit.action].sort()
  assert.deepEqual(declared, AUDIT_NAMES)
})

test('every operation that changes or deletes a resource has a read for the state before', () => {
  const blind = endpoints
    .filter(isMutation)
    .filter(({ access }) => access.kind !== 'open')
    .filter((operation) => !subjectOf(operation, endpoints).read)
    .filter(({ method, returns }) => method !== 'post' || ![201, 202].includes(returns[0] as number))
    // The credentials of a super-admin are secret: the entry says only that they changed.
    .filter(({ path }) => !path.startsWith('/super-admin/auth/'))

  assert.deepEqual(
    blind.map(({ method, path }) => `${method} ${path}`),
    [
      // A session and a link are read in lists only; the entry has their id.
      'delete /auth/sessions/:id',
      'delete /auth/identity-links/:id',
      // It moves jobs and changes no resource.
      'post /super-admin/queues/:name/redrive',
    ],
  )
})

test('every change below /admin and /super-admin requires staff or a super-admin', () => {
  const others = endpoints
    .filter(isMutation)
    .filter(({ access }) => !['staff', 'account', 'super_admin'].includes(access.kind))

  assert.deepEqual(
    others.map(({ path }) => path),
    ['refresh', 'login', 'logout'].map((name) => `/super-admin/auth/${name}`),
  )
})
