import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import { publicLookup } from '#shared/platform/net/resolve-host.ts'

const refusal = () => new Error('refused')

function lookUp(addresses: string[]): Promise<string[]> {
  const lookup = publicLookup({ allowLocal: false, refusal, resolve: async () => addresses })
  return new Promise((resolve, reject) =>
    lookup('shop.example', { all: true }, (error, found) =>
      error ? reject(error) : resolve((found as LookupAddress[]).map(({ address }) => address)),
    ),
  )
}

test('only the first 32 of thousands of addresses of a host are checked and called', async () => {
  const addresses = Array.from({ length: 6_000 }, (_, n) => `93.184.${n >> 8}.${n & 255}`)

  assert.deepEqual(await lookUp(addresses), addresses.slice(0, 32))
})

test('a host is refused if one of the addresses that would be called is not public', async () => {
  const addresses = Array.from({ length: 31 }, (_, n) => `93.184.216.${n}`)

  await assert.rejects(lookUp([...addresses, '10.0.0.1']), /refused/)
})
