import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { buildStore } from '#test/support/build.ts'
import { until } from '#test/support/until.ts'
import { openInstallation } from './installation.ts'
import { startService } from './service.ts'

const REQUESTS = 24
// Without a watch, requests hang until PostgreSQL goes on. The limit is far above the 3 s that are meant, for a busy
// machine.
const PATIENCE_MS = 30_000

const path = '/api/v1/settings/store-info'

test('while PostgreSQL is frozen every request returns 503; afterwards the same process serves again', async (t) => {
  await using installation = await openInstallation({ durable: false })
  const { key } = await buildStore()
  await using service = await startService(installation.env, { webs: 1, workers: 0 })
  const ask = async (path: string) => {
    const begun = performance.now()
    const response = await fetch(service.url + path, {
      headers: { 'X-Service-Key': key },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.text()
    return { status: response.status, ms: performance.now() - begun }
  }
  const askAll = () => Promise.all([...Array(REQUESTS).fill(path), '/health/ready'].map(ask))
  assert.deepEqual(statusesOf(await askAll()), [200])
  const processes = await processesOf(installation.postgres.url)

  signalAll(processes, 'SIGSTOP')
  const frozen = await askAll().finally(() => signalAll(processes, 'SIGCONT'))
  const slowest = Math.round(Math.max(...frozen.map(({ ms }) => ms)))
  t.diagnostic(`The slowest answer took ${slowest} ms`)

  assert.deepEqual(statusesOf(frozen), [503])
  await until('the process is ready', async () => (await ask('/health/ready')).status === 200)
  assert.deepEqual(statusesOf(await askAll()), [200])
  assert.ok(service.isAlive)
})

const statusesOf = (answers: { status: number }[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
]

/** The ids of the server's processes. */
async function processesOf(superuserUrl: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rows } = await client.query<{ dir: string }>("select current_setting('data_directory') as dir")
  await client.end()
  const dataDir = rows[0]?.dir ?? ''
  const [first = ''] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')
  const children = await readFile(`/proc/${first}/task/${first}/children`, 'utf8')
  return [first, ...children.trim().split(' ')].map(Number)
}

function signalAll(processes: number[], signal: NodeJS.Signals): void {
  for (const id of processes) process.kill(id, signal)
}
