import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, test } from 'node:test'
import '#test/support/database.ts'
import { expireOrder } from '#shared/payments/jobs.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, HOUR_MS, inMs, MINUTE_MS } from '#shared/platform/time/clock.ts'
import { addDuration } from '#test/sandbox/clock/duration.ts'
import { writeOffset } from '#test/sandbox/clock/offset-file.ts'
import { setQueueTime } from '#test/sandbox/clock/queue-time.ts'
import { SandboxClock } from '#test/sandbox/clock/sandbox-clock.ts'
import { serveClock } from '#test/sandbox/clock/server.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { syncSchedules } from '#workers/platform/sync-schedules.ts'
import { schedules } from '#workers/schedules.ts'

const dir = await mkdtemp(join(tmpdir(), 'commerce-clock-'))
const file = join(dir, 'clock.json')
const moves: number[] = []
let failsToMove = false
const clock = new SandboxClock({
  file,
  async moveProcesses(offsetMs) {
    if (failsToMove) throw new Error('web does not follow')
    moves.push(offsetMs)
  },
  countGatewayEvents: async () => 0,
})
const server = await serveClock(clock, 0)
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/_sandbox/clock`
after(async () => {
  server.close()
  await rm(dir, { recursive: true })
})
afterEach(() => db()('pgboss.job').delete())

const post = async (body: string, type = 'application/json') => {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const advance = (body: object) => post(JSON.stringify(body))
const read = async () => (await fetch(url)).json() as Promise<{ now: string; offset_ms: number }>

test('a duration is added by the calendar', () => {
  const add = (from: string, duration: string) => addDuration(new Date(from), duration)?.toISOString()

  assert.deepEqual(
    {
      minutes: add('2026-01-31T10:00:00Z', 'PT90M'),
      mixed: add('2026-01-31T10:00:00Z', 'P1W2DT3H4M5S'),
      month: add('2026-01-31T10:00:00Z', 'P1M'),
      leapYear: add('2028-02-29T10:00:00Z', 'P1Y'),
    },
    {
      minutes: '2026-01-31T11:30:00.000Z',
      mixed: '2026-02-09T13:04:05.000Z',
      month: '2026-02-28T10:00:00.000Z',
      leapYear: '2029-02-28T10:00:00.000Z',
    },
  )
  for (const wrong of ['', 'P', 'PT', 'P1DT', '-P1D', 'P1.5D', '1D', 'p1d', 'PT1D', 'P1D '])
    assert.equal(add('2026-01-31T10:00:00Z', wrong), undefined, wrong)
})

const WRONG: [name: string, body: string, status: number, field: string | null, type?: string][] = [
  ['not JSON', '{', 400, null],
  ['no object', '[]', 422, null],
  ['another type', '{"advance":"P1D"}', 415, null, 'text/plain'],
  ['too long a body', `{"advance":"${'1'.repeat(20_000)}"}`, 413, null],
  ['no duration', '{}', 422, 'advance'],
  ['a number', '{"advance":60}', 422, 'advance'],
  ['an invalid duration', '{"advance":"1 day"}', 422, 'advance'],
  ['backwards', '{"advance":"-P1D"}', 422, 'advance'],
  ['nowhere', '{"advance":"PT0S"}', 422, 'advance'],
  ['beyond the last time', '{"advance":"P999999Y"}', 422, 'advance'],
  ['an unknown field', '{"advance":"P1D","by":1}', 422, 'by'],
  ['an invalid settle', '{"advance":"P1D","settle":1}', 422, 'settle'],
  ['an invalid time limit', '{"advance":"P1D","timeout_ms":-1}', 422, 'timeout_ms'],
]

for (const [name, body, status, field, type] of WRONG)
  test(`a body is refused and nothing moves: ${name}`, async () => {
    const before = await read()
    const stored = await readFile(file, 'utf8')

    const refused = await post(body, type)

    assert.deepEqual({ status: refused.status, field: refused.body.field }, { status, field })
    assert.ok(refused.body.error)
    assert.equal((await read()).offset_ms, before.offset_ms)
    assert.equal(await readFile(file, 'utf8'), stored)
  })

test('other paths and methods are refused', async () => {
  assert.equal((await fetch(url.replace('/clock', '/other'))).status, 404)
  assert.equal((await fetch(url, { method: 'PUT' })).status, 405)
})

test('an advance moves the processes, the file and the queue; a delayed job is due, a later one is not', async () => {
  const store = await buildStore()
  const send = (minutes: number) =>
    inStore(store.id, (tx) =>
      enqueue(tx, expireOrder, { orderId: store.id }, { startAfter: inMs(minutes * MINUTE_MS) }),
    )
  const early = await send(59)
  await send(61)
  const before = await read()

  const { status, body } = await advance({ advance: 'PT1H', settle: false })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { offset_ms: before.offset_ms + HOUR_MS, settled: null })
  assert.ok(Date.parse(body.now) >= Date.parse(before.now) + HOUR_MS)
  assert.ok(Math.abs(Date.now() - Date.parse(body.now)) < MINUTE_MS, 'this process follows')
  assert.equal(moves.at(-1), body.offset_ms)
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { offset_ms: body.offset_ms })
  assert.ok(body.due.some(({ queue, waiting }: Work) => queue === expireOrder.queue && waiting === 1))
  assert.ok(Math.abs(Date.parse(body.next_due_at) - Date.now() - MINUTE_MS) < MINUTE_MS)
  const fetched = await (await queues()).fetch(expireOrder.queue, { batchSize: 10 })
  assert.deepEqual(
    fetched.map(({ id }) => id),
    [early],
  )
})

interface Work {
  queue: string
  waiting: number
  running: number
}

test('a delay that starts after an advance counts from the new time', async () => {
  const store = await buildStore()
  await advance({ advance: 'P1D', settle: false })
  await inStore(store.id, (tx) =>
    enqueue(tx, expireOrder, { orderId: store.id }, { startAfter: inMs(30 * MINUTE_MS) }),
  )

  const { body } = await advance({ advance: 'PT31M', settle: false })

  assert.ok(body.due.some(({ queue }: Work) => queue === expireOrder.queue))
})

test('a running job does not expire by an advance, and a waiting one is not discarded', async () => {
  const store = await buildStore()
  const boss = await queues()
  const running = await inStore(store.id, (tx) => enqueue(tx, expireOrder, { orderId: store.id }))
  await boss.fetch(expireOrder.queue)
  const waiting = await inStore(store.id, (tx) => enqueue(tx, expireOrder, { orderId: store.id }))

  const superviseAndRead = async () => {
    await db().raw('update pgboss.queue set monitor_claim_on = null, monitor_on = null')
    await boss.supervise(expireOrder.queue)
    return (await db()('pgboss.job').whereIn('id', [running, waiting]).pluck('state')).sort()
  }

  const { body } = await advance({ advance: 'P60D', settle: false })
  assert.deepEqual(await superviseAndRead(), ['active', 'created'])

  // The control: the time moves without the jobs. The running job expires, and both are discarded.
  await setQueueTime(db(), body.offset_ms + 60 * DAY_MS)
  assert.deepEqual(await superviseAndRead(), [])
})

test('schedules whose time passed run once; the others do not', async () => {
  const boss = await queues()
  await syncSchedules(boss, schedules)
  const sentTo = async () => (await db()('pgboss.job').pluck<string[]>('name')).sort()

  await advance({ advance: 'PT24H', settle: false })
  const inOneDay = await sentTo()
  await db()('pgboss.job').delete()
  await advance({ advance: 'PT1S', settle: false })
  const inOneSecond = await sentTo()

  assert.deepEqual(inOneDay, schedules.map(({ job }) => job.queue).sort())
  assert.ok(!inOneSecond.includes('purge-carts'))
  for (const { job } of schedules) await boss.unschedule(job.queue)
})

test('an advance that does not settle in time lists the due jobs', async () => {
  const store = await buildStore()
  await inStore(store.id, (tx) => enqueue(tx, expireOrder, { orderId: store.id }))

  const { status, body } = await advance({ advance: 'PT1S', timeout_ms: 200 })

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    settled: false,
    due: [{ queue: expireOrder.queue, waiting: 1, running: 0 }],
  })
})

test('work that is due before the end of an advance runs at its own time', async () => {
  const store = await buildStore()
  const boss = await queues()
  await inStore(store.id, (tx) => enqueue(tx, expireOrder, { orderId: store.id }))
  const movesBefore = moves.length

  const advanced = advance({ advance: 'PT1H' })
  await fetch(url)
  const [job] = await boss.fetch(expireOrder.queue)
  assert.ok(job)
  assert.equal(moves.length, movesBefore)
  await boss.complete(expireOrder.queue, job.id)

  assert.equal((await advanced).body.settled, true)
  assert.equal(moves.length, movesBefore + 1)
})

test('two concurrent advances move the time by their sum', async () => {
  const { offset_ms } = await read()

  await Promise.all([
    advance({ advance: 'PT1H', settle: false }),
    advance({ advance: 'PT2H', settle: false }),
  ])

  assert.equal((await read()).offset_ms, offset_ms + 3 * HOUR_MS)
})

test('when a process does not follow, the answer says so, and the next advance moves the queue by both', async (t) => {
  const store = await buildStore()
  await inStore(store.id, (tx) =>
    enqueue(tx, expireOrder, { orderId: store.id }, { startAfter: inMs(90 * MINUTE_MS) }),
  )
  failsToMove = true
  t.after(() => {
    failsToMove = false
  })
  const logged = t.mock.method(console, 'error', () => {})

  const failed = await advance({ advance: 'PT1H', settle: false })
  failsToMove = false
  const { body } = await advance({ advance: 'PT31M', settle: false })

  assert.deepEqual(
    { status: failed.status, error: failed.body.error },
    { status: 500, error: 'web does not follow' },
  )
  assert.equal(logged.mock.callCount(), 1)
  assert.ok(body.due.some(({ queue }: Work) => queue === expireOrder.queue))
})

test('an advance without work settles', async () => {
  const { body } = await advance({ advance: 'PT1S' })

  assert.partialDeepStrictEqual(body, { settled: true, due: [], gateway_events: 0 })
})

const FOLLOW = import.meta.resolve('#test/sandbox/clock/follow.ts')
const SANDBOX = {
  NODE_ENV: 'development',
  STRIPE_API_URL: 'http://127.0.0.1:3001',
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
}

/** Runs a program that follows the clock, and returns its output. */
async function follow(env: Record<string, string>, program: string) {
  const child = spawn(process.execPath, ['--import', FOLLOW, '--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH, ...SANDBOX, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.once('spawn', () => child.send({ clock_offset_ms: 3 * DAY_MS }, () => {}))
  const exited = once(child, 'exit')
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const [output, errors] = await Promise.all([text(stdout), text(stderr)])
  const [code] = await exited
  return { code, output, errors }
}

test('a process has the time of the file, then that of the message; Node’s own dates are dates', async () => {
  const stored = join(dir, 'followed.json')
  writeOffset(stored, DAY_MS)
  const program = `
    import { statSync } from 'node:fs'
    const first = Date.now()
    const hold = setInterval(() => {}, 10)
    process.once('message', () => setImmediate(() => {
      clearInterval(hold)
      const [parsed, made] = [new Date('2020-01-01T00:00:00Z').toISOString(), new Date().getTime()]
      const isDate = statSync('/').mtime instanceof Date && new Date() instanceof Date
      console.log(JSON.stringify({ first, made, parsed, isDate, text: Date.parse(Date()) }))
    }))`
  const startedAt = process.hrtime.bigint()
  const realNow = Date.now() - (await read()).offset_ms

  const { code, output, errors } = await follow({ SANDBOX_CLOCK: stored }, program)

  assert.equal(code, 0, errors)
  const elapsedMs = Number((process.hrtime.bigint() - startedAt) / 1_000_000n)
  const seen = JSON.parse(output)
  const isAhead = (time: number, days: number) =>
    time >= realNow + days * DAY_MS - 1_000 && time <= realNow + days * DAY_MS + elapsedMs + 1_000
  assert.ok(isAhead(seen.first, 1), output)
  assert.ok(isAhead(seen.made, 3), output)
  assert.ok(isAhead(seen.text, 3), output)
  assert.partialDeepStrictEqual(seen, { parsed: '2020-01-01T00:00:00.000Z', isDate: true })
})

const LIKE_PRODUCTION: [name: string, env: Record<string, string>, fault: RegExp][] = [
  ['production', { NODE_ENV: 'production' }, /NODE_ENV: must not be production/],
  ['another gateway', { STRIPE_API_URL: 'https://api.stripe.com' }, /STRIPE_API_URL/],
  ['no gateway', { STRIPE_API_URL: '' }, /STRIPE_API_URL/],
  ['a live key', { STRIPE_SECRET_KEY: 'sk_live_1234567890' }, /STRIPE_SECRET_KEY: must not be a live key/],
  ['no file', { SANDBOX_CLOCK: '' }, /SANDBOX_CLOCK: must name the file/],
]

for (const [name, env, fault] of LIKE_PRODUCTION)
  test(`a process like one of production does not start with the clock: ${name}`, async () => {
    const refused = await follow({ SANDBOX_CLOCK: file, ...env }, "console.log('started')")

    assert.notEqual(refused.code, 0)
    assert.match(refused.errors, fault)
    assert.equal(refused.output, '')
  })
