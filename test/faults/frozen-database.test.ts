import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { buildStore } from '#test/support/builders/store.ts'
import { until } from '#test/support/races/until.ts'
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
  const postmaster = await postmasterOf(installation.postgres.url)

  const goOn = freeze(postmaster)
  const frozen = await askAll().finally(goOn)
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

/** The id of the server's first process, which starts the others. */
async function postmasterOf(superuserUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rows } = await client.query<{ dir: string }>("select current_setting('data_directory') as dir")
  await client.end()
  const [id = ''] = (await readFile(join(rows[0]?.dir ?? '', 'postmaster.pid'), 'utf8')).split('\n')
  return Number(id)
}

/**
 * Stops a PostgreSQL server with all its processes, and returns a function that lets them go on. The postmaster is
 * stopped first and goes on last: until then the id of a child that has ended remains valid.
 */
function freeze(postmaster: number): () => void {
  process.kill(postmaster, 'SIGSTOP')
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  const ids = children.trim().split(' ').map(Number)
  for (const id of ids) process.kill(id, 'SIGSTOP')
  return () => {
    for (const id of [...ids, postmaster]) process.kill(id, 'SIGCONT')
  }
}
