import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import '#test/support/database.ts'
import { endpoints } from '#api/endpoints.ts'
import { buildSender, takesJson } from '#test/support/builders/sender.ts'
import { replaceLeaves } from '#test/support/requests/replace-leaves.ts'

// Every leaf of every operation's example is replaced by each odd value: some ten thousand requests.

const ODD = [
  ...[null, true, -1, 12.345, 1e21, '', ' ', [], {}, [[]]],
  ...['😀'.repeat(5_000), '2026-13-45', 'javascript:x'],
]

let send: Awaited<ReturnType<typeof buildSender>>['send']

before(async () => {
  ;({ send } = await buildSender())
})

for (const operation of endpoints.filter(takesJson))
  test(`${operation.method.toUpperCase()} ${operation.path} answers odd values without a 5xx`, async () => {
    for (const odd of ODD)
      for (const body of replaceLeaves(operation.example.body, odd)) {
        const { status } = await send(operation, { body: JSON.stringify(body) })
        assert.ok(status < 500, `${status} for ${JSON.stringify(body).slice(0, 500)}`)
      }
  })
