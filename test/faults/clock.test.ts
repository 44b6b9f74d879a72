import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { HOUR_MS } from '#shared/platform/time/clock.ts'
import { freePort } from '#test/sandbox/start/ports.ts'
import { readAccess, type SandboxAccess } from '#test/scenarios/access.ts'
import { Client } from '#test/scenarios/client.ts'
import { advanceClock } from '#test/scenarios/clock.ts'
import { guestOrder, mailsTo, pickProducts, stockOf } from '#test/scenarios/shopping.ts'
import { until } from '#test/support/races/until.ts'
import { startSandbox, stopSandbox } from './sandbox-process.ts'

let dir: string
let port: number
let sandbox: ChildProcess
let access: SandboxAccess
let web: Client
let visitor: Client
let store: SandboxAccess['stores'][number]

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commerce-clock-'))
  port = await freePort(0)
  await open()
})

after(async () => {
  sandbox.kill('SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

async function open() {
  sandbox = await startSandbox(dir, port)
  access = await readAccess(dir)
  web = new Client(access.base_url, () => {})
  const found = access.stores.find(({ slug }) => slug === 'harbor')
  assert.ok(found)
  store = found
  visitor = web.as({ 'X-Service-Key': store.publishable_key })
}

const advance = async (duration: string) => (await advanceClock(web, access, duration)).body
const readClock = async () =>
  (await (await fetch(access.clock_url)).json()) as { now: string; offset_ms: number }

async function signIn(): Promise<Client> {
  const { data } = await web.call('POST /auth/login', { body: store.owner })
  return web.as({ Authorization: `Bearer ${data.access_token}` })
}

/** The times of a log's lines with this message, oldest first. */
async function timesIn(process: string, message: string): Promise<number[]> {
  const lines = (await readFile(join(dir, 'logs', `${process}.log`), 'utf8')).split('\n')
  return lines
    .slice(0, -1) // The last one may be half written.
    .filter((line) => line.includes(message))
    .map((line) => Date.parse((JSON.parse(line) as { time: string }).time))
}

test('when an unpaid order expires, its stock is released, its payment closed, and old access tokens are refused', async () => {
  const staff = await signIn()
  const settings = await staff.call('GET /admin/settings')
  const [picked] = await pickProducts(visitor, await visitor.call('GET /products?page_size=50&in_stock=true'))
  const free = await stockOf(picked.slug, visitor)
  const { order, payment } = await guestOrder(visitor, picked.variantId)
  assert.equal(await stockOf(picked.slug, visitor), free - 1)

  await advance(`PT${settings.data.unpaid_order_seconds}S`)

  const seen = await visitor.call(`GET /orders/${order.id}?access_token=${order.access_token}`)
  assert.equal(seen.data.status, 'failed')
  assert.equal(await stockOf(picked.slug, visitor), free)
  const late = await staff.call('GET /admin/settings')
  assert.equal(late.status, 401)
  assert.equal(late.body.error_code, 'auth.token_expired')
  const [intent = ''] = payment.client_secret.split('_secret_')
  const atGateway = await web.call(`GET /v1/payment_intents/${intent}`, {
    at: access.gateway_url,
    headers: { Authorization: `Bearer ${access.gateway_secret_key}` },
  })
  assert.equal(atGateway.body.status, 'canceled')
  assert.ok(atGateway.body.canceled_at * 1_000 >= Date.parse(order.created_at) + HOUR_MS / 2)
})

test('a webhook retry hours away is delivered, signed at the new time', async () => {
  const staff = await signIn()
  const hook = `retry-${randomUUID()}`
  const { data: endpoint } = await staff.call('POST /admin/webhooks', {
    body: { url: `${access.receiver_url}/hooks/${hook}`, events: ['order.created'], description: 'Retried' },
  })
  await fetch(`${access.receiver_url}/hooks/${hook}/behaviour`, {
    method: 'PUT',
    body: JSON.stringify({ status: 503, headers: { 'retry-after': String(4 * 3600) }, times: 1 }),
  })
  const arrivals = async (count: number) => {
    const { body } = await web.call(`GET /hooks/${hook}/requests?wait_for=${count}&timeout_ms=20000`, {
      at: access.receiver_url,
    })
    return body as { received_at: string; headers: Record<string, string>; body: string }[]
  }
  const [, picked] = await pickProducts(
    visitor,
    await visitor.call('GET /products?page_size=50&in_stock=true'),
  )
  await guestOrder(visitor, picked.variantId)
  await arrivals(1)

  await advance('PT3H')
  assert.equal((await arrivals(0)).length, 1, 'not due yet')
  await advance('PT2H')

  const [first, second, ...more] = await arrivals(0)
  assert.ok(first && second)
  assert.equal(more.length, 0)
  assert.ok(Date.parse(second.received_at) >= Date.parse(first.received_at) + 5 * HOUR_MS)
  // Refuses a signature that is more than five minutes from this process's time, which follows.
  new Webhook(endpoint.secret).verify(second.body, second.headers)
})

test('a nightly schedule runs once in a day', async () => {
  const runs = () => timesIn('worker', '"queue":"purge-carts"')
  const before = (await runs()).length

  await advance('PT24H')

  await until('the log has the run', async () => (await runs()).length > before)
  assert.equal((await runs()).length, before + 1)
})

test('a killed worker has the time again after its restart', async () => {
  const starts = () => timesIn('worker', 'worker ready')
  const before = (await starts()).length
  await advance('P1D')
  const { now } = await readClock()

  for (const pid of pidsOf('workers/main.ts')) process.kill(pid, 'SIGKILL')
  await until('the worker starts again', async () => (await starts()).length > before)

  const restartedAt = (await starts()).at(-1) ?? 0
  assert.ok(restartedAt >= Date.parse(now), `${new Date(restartedAt).toISOString()} is before ${now}`)
})

test('the next start continues at the moved time, and mails have it', async () => {
  const { now, offset_ms } = await readClock()

  await stopSandbox(sandbox)
  await open()

  const after = await readClock()
  assert.equal(after.offset_ms, offset_ms)
  assert.ok(after.now > now)
  assert.ok(timeOfCommand() >= Date.parse(after.now), 'a server command follows')
  const email = `late-${randomUUID()}@example.com`
  const body = { email, password: 'a long enough password', firstname: 'Ada', lastname: 'Brandt' }
  assert.equal((await visitor.call('POST /auth/register', { body })).status, 201)
  const [mail] = (await mailsTo(web, access, email, 1)) as unknown as { received_at: string }[]
  assert.ok(mail && mail.received_at > after.now)
})

/** The time of a command that runs with the sandbox's environment, as `npm run audit:verify` does. */
const timeOfCommand = (): number =>
  Number(
    execFileSync(process.execPath, [`--env-file=${join(dir, 'environment')}`, '-p', 'Date.now()'], {
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    }),
  )

/** The ids of the sandbox's processes that run this file. */
function pidsOf(file: string): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], {
    encoding: 'utf8',
  }).split('\n')
  const ids = rows
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => parent === String(sandbox.pid) && args.includes(file))
    .map(([pid]) => Number(pid))
  assert.ok(ids.length, `${file} runs`)
  return ids
}
