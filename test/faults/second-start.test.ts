import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { freePort } from '#test/sandbox/start/ports.ts'
import { readAccess } from '#test/scenarios/access.ts'
import { sandboxEnvironment, startSandbox, stopSandbox } from './sandbox-process.ts'

let dir: string
let port: number
let sandbox: ChildProcess
const printed: string[] = []

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'commerce-second-'))
  port = await freePort(0)
  sandbox = await startSandbox(dir, port, printed)
})

after(async () => {
  sandbox.kill('SIGKILL')
  await rm(dir, { recursive: true, force: true })
})

/** Starts another sandbox in the folder and waits for its end. */
async function startAgain(port: number) {
  const child = spawn(process.execPath, ['test/sandbox/start.ts'], {
    env: sandboxEnvironment(dir, port),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, said: said.trim() }
}

test('the start screen shows the key of the gateway, the switches of its faults and the metrics', async () => {
  const { gateway_url, gateway_secret_key, till_url, metrics_urls } = await readAccess(dir)
  const screen = printed.join('\n')

  for (const shown of [
    gateway_secret_key,
    `${gateway_url}/_sandbox/faults`,
    `${till_url}/_sandbox/behaviour`,
    ...Object.values(metrics_urls),
  ])
    assert.ok(screen.includes(shown), `${shown} is missing in\n${screen}`)
  for (const url of Object.values(metrics_urls))
    assert.match(await (await fetch(url)).text(), /^queue_jobs\{queue="send-refund",state="ready"\} \d+$/m)
})

for (const [place, portOf] of Object.entries({
  'the same port': () => Promise.resolve(port),
  'another port': () => freePort(0),
}))
  test(`a second start in the same folder on ${place} says in one sentence that one runs, and changes nothing`, async () => {
    const files = ['access.json', 'environment', 'secrets.json']
    const read = () => Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))
    const before = await read()

    const { code, said } = await startAgain(await portOf())

    assert.equal(code, 1)
    assert.match(
      said,
      new RegExp(`^A sandbox runs in .+ already \\(process ${sandbox.pid}, http://localhost:${port}\\)`),
    )
    assert.equal(said.split('\n').length, 1, said)
    assert.deepEqual(await read(), before)
    assert.equal((await fetch(`http://localhost:${port}/health/ready`)).status, 200)
  })

test('npm start after a kill reuses the folder', async () => {
  const exited = once(sandbox, 'exit')
  sandbox.kill('SIGKILL')
  await exited

  sandbox = await startSandbox(dir, await freePort(0))
  await stopSandbox(sandbox)
  sandbox = await startSandbox(dir, await freePort(0))

  assert.equal((await readAccess(dir)).stores.length, 2)
})
