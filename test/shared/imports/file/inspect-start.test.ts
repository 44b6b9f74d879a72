import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectStart } from '#shared/imports/file/inspect-start.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

for (const [name, header] of [
  ['20,000 columns', Array.from({ length: 20_000 }, (_, n) => `c${n}`).join(',')],
  ['one column of 120,000 letters beyond ASCII', 'İ'.repeat(120_000)],
] as const)
  test(`others have their turn while a header of ${name} is read`, async () => {
    const start = Buffer.from(`sku,${header}\n`)
    const ms = await longestTurn(() => inspectStart(start))

    assert.ok(ms < MAX_BLOCKED_MS, `${ms} ms`)
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
