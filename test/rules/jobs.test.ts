import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Check } from 'typebox/schema'
import { allJobs } from '#shared/all-jobs.ts'
import { JOBS_ABOUT_PERSONS } from '#shared/customer-records/anonymize-customer.ts'
import { MAX_STRIPE_TIMEOUT_MS } from '#shared/platform/config/environment.ts'
import { newId } from '#shared/platform/db/id.ts'
import { SECOND_MS } from '#shared/platform/time/clock.ts'
import { type Import, importsOf, readSources } from '#test/rules/support/sources.ts'
import { handlers } from '#workers/handlers.ts'
import type { Handler } from '#workers/platform/handle.ts'
import { schedules } from '#workers/schedules.ts'

test("one store's jobs use at most a quarter of a queue", () => {
  const unfair = allJobs.filter(
    ({ scope, rules }) => scope !== 'platform' && rules.perStore > rules.concurrency / 4,
  )
  assert.deepEqual(
    unfair.map(({ queue }) => queue),
    [],
  )
})

/** Why the queues of the platform that no schedule fills need no limit of a store: who can send their jobs. */
const SENDERS: Record<string, string> = {
  'forward-staff-reset': 'requests within LIMIT_FORGOT of their address; a job only finds a store',
  'send-platform-mail':
    'super-admins who have signed in, commands, and the nightly verification of audit logs',
  'save-missed-notification': "a scheduled job, once for each notification of the gateway's list",
}

test('a queue without a limit of a store is filled by a schedule alone, or names who fills it', () => {
  const scheduled = new Set(schedules.map(({ job }) => job.queue))
  const others = allJobs.filter(({ scope, queue }) => scope === 'platform' && !scheduled.has(queue))
  assert.deepEqual(others.map(({ queue }) => queue).sort(), Object.keys(SENDERS).sort())
})

// The gateway makes this id.
const NO_UUIDS = ['notificationId']

test('each id in the payload of a job is a UUID', () => {
  const ids = allJobs.flatMap(({ queue, payload }) =>
    Object.entries(payload.properties)
      .filter(([name]) => name.endsWith('Id') && !NO_UUIDS.includes(name))
      .map(([name, schema]) => ({
        id: `${queue}: ${name}`,
        isUuid: Check(schema, newId()) && !Check(schema, 'x'),
      })),
  )

  assert.deepEqual(
    ids.filter(({ isUuid }) => !isUuid),
    [],
  )
  assert.ok(ids.length > 20, 'the rule finds the ids')
})

test('a queue whose payload names a record or an address of a person is searched when the person is erased', () => {
  const personal = allJobs.filter(
    ({ scope, payload }) =>
      scope !== 'platform' && ['recordId', 'email'].some((name) => name in payload.properties),
  )
  assert.deepEqual(
    personal.map(({ queue }) => queue).sort(),
    JOBS_ABOUT_PERSONS.map(({ queue }) => queue).sort(),
  )
})

/** A file and the files that import it, also through others. */
function withImporters(file: string, imports: readonly Import[]): Set<string> {
  const found = new Set([file])
  for (const imported of found)
    for (const { file: importer, target } of imports) if (target === imported) found.add(importer)
  return found
}

test('a job that calls the gateway does not expire before several calls can time out', async () => {
  const imports = importsOf(await readSources('workers'))
  const callers = withImporters('workers/gateways/stripe/stripe-gateway.ts', imports)
  const files = imports.filter(({ file, target }) => file === 'workers/handlers.ts' && callers.has(target))

  const modules = await Promise.all(files.map(({ spelling }) => import(spelling)))

  const jobs = modules
    .flatMap((exports) => Object.values(exports))
    .filter((exported): exported is Handler => handlers.includes(exported as Handler))
    .map(({ job }) => job)
  const callsMs = 4 * 2 * MAX_STRIPE_TIMEOUT_MS
  const early = jobs.filter(({ rules }) => rules.expireInSeconds * SECOND_MS < callsMs)
  assert.deepEqual(
    early.map(({ queue }) => queue),
    [],
  )
  assert.ok(jobs.length > 10, 'the rule finds the jobs')
})
