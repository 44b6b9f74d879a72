import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access as exists, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { freePort } from '#test/sandbox/start/ports.ts'
import { readAccess } from '#test/scenarios/access.ts'
import { runGrossStory } from '#test/scenarios/gross-story.ts'
import { runStory } from '#test/scenarios/story.ts'

let dir: string
let port: number
let sandbox: ChildProcess

/** Runs what `npm start` runs, in its own folder and on its own ports. Resolves when it prints that it is ready. */
async function start(): Promise<ChildProcess> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DATABASE_|NODE_ENV|NODE_TEST)/.test(name)),
  )
  const child = spawn(process.execPath, ['test/sandbox/start.ts'], {
    env: { ...env, SANDBOX_DIR: dir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('Ctrl-C')) return child
  }
  throw new Error(`npm start ended early:\n${lines.join('\n')}`)
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = await exited
  assert.equal(code, 0, 'a stopped sandbox ends cleanly')
}

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commerce-story-'))
  port = await freePort(0)
  sandbox = await start()
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

test('a stop removes access.json; the next start has the same data', async () => {
  const before = await readAccess(dir)

  await stop(sandbox)
  await assert.rejects(exists(join(dir, 'access.json')), { code: 'ENOENT' })
  sandbox = await start()

  const { stores } = await readAccess(dir)
  assert.deepEqual(stores, before.stores)
  await runStory(await readAccess(dir), { chapter: () => {}, call: () => {} })
})
