import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { nameServer } from '#test/support/name-server.ts'
import { createDnsGateway } from '#workers/gateways/dns.ts'

afterEach(() => nameServer.behave('answer'))

test('the texts at a name are read, each put together of its pieces', async () => {
  const long = 'x'.repeat(600)
  nameServer.publish('shop.example', 'v=spf1 -all', long)

  assert.deepEqual(await createDnsGateway().texts('shop.example'), ['v=spf1 -all', long])
})

test('a name that is not there has no texts', async () => {
  assert.deepEqual(await createDnsGateway().texts('nowhere.example'), [])
})

test('a server that fails is told from a name without texts', async () => {
  nameServer.behave('fail')

  await assert.rejects(createDnsGateway().texts('shop.example'), /ESERVFAIL|ECONNREFUSED|EREFUSED/)
})
