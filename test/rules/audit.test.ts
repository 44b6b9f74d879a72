import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import '#test/support/database.ts'
import { createApp } from '#api/app.ts'
import { endpoints } from '#api/endpoints.ts'
import type { Operation } from '#api/platform/endpoint.ts'
import { createHttpServer } from '#api/platform/http-server.ts'
import { inStore } from '#shared/platform/store-scope.ts'
import { type BuiltStore, buildStore } from '#test/support/build.ts'
import { buildStaff } from '#test/support/build-accounts.ts'

// Every operation as it is declared, but for what it does: no operation can keep itself out of the audit log.

const isMutation = ({ method, path }: Operation) => method !== 'get' && /^\/(super-)?admin\//.test(path)
const idle = (operation: Operation): Operation => {
  const { answer: _, ...rest } = operation
  return isMutation(operation) ? { ...rest, handle: async () => operation.example.data } : operation
}

const server = createHttpServer(createApp(endpoints.map(idle)).callback())
let store: BuiltStore
let token: string

before(async () => {
  store = await buildStore()
  token = (await buildStaff(store, { role: 'owner' })).token
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const SOME_ID = '01890000-0000-7000-8000-000000000000'

async function call({ method, path, accepts, body, example, params }: Operation): Promise<number> {
  const { port } = server.address() as AddressInfo
  const names = (params as { properties?: Record<string, { enum?: string[] }> } | undefined)?.properties ?? {}
  const address = path.replace(/:(\w+)/g, (_, name: string) => names[name]?.enum?.[0] ?? SOME_ID)
  const sent = accepts === 'application/json' ? JSON.stringify(example.body) : String(example.body)
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${address}`, {
    method: method.toUpperCase(),
    headers: {
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': crypto.randomUUID(),
      ...(body || accepts !== 'application/json' ? { 'Content-Type': accepts } : {}),
    },
    body: body || accepts !== 'application/json' ? sent : null,
  })
  return response.status
}

const entered = () =>
  inStore(store.id, async ({ knex }) => {
    const [mine] = await knex('audit_entries').count({ count: '*' })
    return Number(mine?.count)
  })

for (const operation of endpoints.filter(isMutation).filter(({ access }) => access.kind === 'staff'))
  test(`${operation.method.toUpperCase()} ${operation.path} leaves one entry in the audit log`, async () => {
    const before = await entered()

    const status = await call(operation)

    assert.ok(status < 300, `its example is answered ${status}`)
    assert.equal(await entered(), before + 1)
  })

test('whatever changes something in the admin asks for staff or a super-admin', () => {
  const others = endpoints.filter(isMutation).filter(({ access }) => access.kind !== 'staff')

  assert.deepEqual(
    others.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})
