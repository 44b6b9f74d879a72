import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startReceiver } from '#test/sandbox/receiver.ts'

const receiver = await startReceiver()
after(() => receiver.stop())

const send = (name: string, body = '{}') =>
  fetch(receiver.hookUrl(name), {
    method: 'POST',
    body,
    headers: { 'webhook-id': 'msg_1' },
  })
const control = (method: string, path: string, body?: unknown) =>
  fetch(`${receiver.url}/hooks/${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

test('requests are stored by name with headers and raw body, newest last', async () => {
  assert.equal((await send('kept', '{ "a":  1 }')).status, 200)
  await send('kept', 'ä')
  await send('other')

  const requests = (await (await control('GET', 'kept/requests')).json()) as {
    body: string
    headers: Record<string, string>
  }[]
  assert.deepEqual(
    requests.map(({ body }) => body),
    ['{ "a":  1 }', 'ä'],
  )
  assert.equal(requests[0]?.headers['webhook-id'], 'msg_1')
})

test('a long poll returns as soon as enough requests have arrived', async () => {
  const waiting = control('GET', 'polled/requests?wait_for=2')
  await send('polled')
  await send('polled')
  assert.equal(((await (await waiting).json()) as unknown[]).length, 2)
})

test('a long poll that times out returns what has arrived', async () => {
  const response = await control('GET', 'nothing/requests?wait_for=1&timeout_ms=1')
  assert.deepEqual(await response.json(), [])
  await assert.rejects(receiver.waitFor('nothing', 1, 1), /0 of 1/)
})

test('a configured response is sent the configured number of times', async () => {
  await control('PUT', 'moody/behaviour', {
    status: 503,
    body: 'later',
    headers: { 'retry-after': '7' },
    times: 1,
  })
  const first = await send('moody')
  assert.equal(first.status, 503)
  assert.equal(first.headers.get('retry-after'), '7')
  assert.equal(await first.text(), 'later')
  assert.equal((await send('moody')).status, 200)
})

test('a dropped connection is still recorded as a request', async () => {
  await control('PUT', 'dropping/behaviour', { drop: true })
  await assert.rejects(send('dropping'))
  assert.equal(receiver.requests('dropping')[0]?.status, null)
})

test('clear removes requests and configured responses', async () => {
  receiver.behave('forgetful', { status: 500 })
  await send('forgetful')
  await control('DELETE', 'forgetful')
  assert.deepEqual(receiver.requests('forgetful'), [])
  assert.equal((await send('forgetful')).status, 200)
})
