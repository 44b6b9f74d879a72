import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { access as exists, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { freePort } from '#test/sandbox/start/ports.ts'
import { readAccess } from '#test/scenarios/access.ts'
import { runGrossStory } from '#test/scenarios/gross-story.ts'
import { runStory } from '#test/scenarios/story.ts'
import { runSubscriptionStory } from '#test/scenarios/subscription-story.ts'
import { startSandbox, stopSandbox } from './sandbox-process.ts'

let dir: string
let port: number
let sandbox: ChildProcess

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commerce-story-'))
  port = await freePort(0)
  sandbox = await startSandbox(dir, port)
})

after(async () => {
  sandbox.kill('SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

test('the story of an order, from catalog to refund, succeeds over HTTP', async (t) => {
  const listener = { chapter: (title: string) => t.diagnostic(title), call: () => {} }
  await runStory(await readAccess(dir), listener)
  await runGrossStory(await readAccess(dir), listener)
})

test('the story of a year of subscriptions succeeds over HTTP', async (t) => {
  const listener = { chapter: (title: string) => t.diagnostic(title), call: () => {} }
  await runSubscriptionStory(await readAccess(dir), listener)
})

test('a stop removes access.json; the next start has the same data', async () => {
  const before = await readAccess(dir)

  await stopSandbox(sandbox)
  await assert.rejects(exists(join(dir, 'access.json')), { code: 'ENOENT' })
  sandbox = await startSandbox(dir, port)

  const { stores } = await readAccess(dir)
  assert.deepEqual(stores, before.stores)
  await runStory(await readAccess(dir), { chapter: () => {}, call: () => {} })
})
