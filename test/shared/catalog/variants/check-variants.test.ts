import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variantFaults } from '#shared/catalog/variants/check-variants.ts'
import { longestTurn, MAX_BLOCKED_MS } from '#test/support/measure/thread-cpu.ts'

const choiceOf = (n: number) => `${'中'.repeat(250)}${n}`.slice(0, 255)

test('a thousand variants with ten wrong values each do not block the event loop', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `option ${n}`)
  const values = Array.from({ length: 200 }, (_, n) => choiceOf(n))
  const options = names.map((name) => ({ name, values }))
  const variants = Array.from({ length: 1_000 }, (_, n) => ({
    sku: `sku-${n}`,
    optionValues: Object.fromEntries(names.map((name) => [name, choiceOf(1_000 + n)])),
  }))

  const ms = await longestTurn(async () =>
    assert.equal(variantFaults(options, structuredClone(variants)).length, 10_000),
  )

  assert.ok(ms <= MAX_BLOCKED_MS, `${ms} ms`)
})
