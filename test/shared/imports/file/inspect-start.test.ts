import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { inspectStart } from '#shared/imports/file/inspect-start.ts'

const MAX_BLOCKED_MS = 50
const MAX_TRIES = 3

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest processor time between two turns of the event loop while the start of a file is read. */
async function longestTurn(start: Buffer): Promise<number> {
  let longest = 0
  let before = cpuMs()
  const measure = () => {
    longest = Math.max(longest, cpuMs() - before)
    before = cpuMs()
  }
  let isRead = false
  const reading = inspectStart(start).finally(() => {
    isRead = true
  })
  while (!isRead) {
    measure()
    await setImmediate()
  }
  await reading
  measure()
  return longest
}

for (const [name, header] of [
  ['20,000 columns', Array.from({ length: 20_000 }, (_, n) => `c${n}`).join(',')],
  ['one column of 120,000 letters beyond ASCII', 'İ'.repeat(120_000)],
] as const)
  test(`others have their turn while a header of ${name} is read`, async () => {
    const start = Buffer.from(`sku,${header}\n`)
    const turns: number[] = []
    while (turns.length < MAX_TRIES && !turns.some((ms) => ms < MAX_BLOCKED_MS))
      turns.push(await longestTurn(start))

    assert.ok(Math.min(...turns) < MAX_BLOCKED_MS, `${turns} ms`)
  })

for (const [delimiter, line] of [
  [',', 'sku,name;x,price'],
  [';', 'sku;name,x;price'],
  ['\t', 'sku\tname\tprice'],
  ['|', 'sku|name|price'],
  [',', 'sku'],
] as const)
  test(`the separator of ${JSON.stringify(line)} is ${JSON.stringify(delimiter)}`, async () => {
    assert.equal((await inspectStart(Buffer.from(`${line}\n1\n`))).delimiter, delimiter)
  })
