import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { nameServer } from '#test/support/processes/name-server.ts'
import { createDnsGateway } from '#workers/gateways/dns.ts'

afterEach(() => nameServer.behave('answer'))

test('TXT records are read, each joined from its strings', async () => {
  const long = 'x'.repeat(600)
  nameServer.publish('shop.example', 'v=spf1 -all', long)

  assert.deepEqual(await createDnsGateway().texts('shop.example'), ['v=spf1 -all', long])
})

test('an unknown name has no TXT records', async () => {
  assert.deepEqual(await createDnsGateway().texts('nowhere.example'), [])
})

test('a failing server throws', async () => {
  nameServer.behave('fail')

  await assert.rejects(createDnsGateway().texts('shop.example'), /ESERVFAIL|ECONNREFUSED|EREFUSED/)
})
