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

test('keeps headers and the raw body, newest last, each name for itself', async () => {
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

test('a long poll answers as soon as enough have come', async () => {
  const waiting = control('GET', 'polled/requests?wait_for=2')
  await send('polled')
  await send('polled')
  assert.equal(((await (await waiting).json()) as unknown[]).length, 2)
})

test('a long poll ends with what there is', async () => {
  const response = await control('GET', 'nothing/requests?wait_for=1&timeout_ms=1')
  assert.deepEqual(await response.json(), [])
  await assert.rejects(receiver.waitFor('nothing', 1, 1), /0 of 1/)
})

test('answers as told, as often as told', async () => {
  await control('PUT', 'moody/behaviour', {
    status: 503,
    body: 'later',
    headers: { 'retry-after': '7' },
    times: 1,
  })
  const first = await send('moody')
  assert.deepEqual([first.status, first.headers.get('retry-after'), await first.text()], [503, '7', 'later'])
  assert.equal((await send('moody')).status, 200)
})

test('drops the connection, and still notes the request', async () => {
  await control('PUT', 'dropping/behaviour', { drop: true })
  await assert.rejects(send('dropping'))
  assert.equal(receiver.requests('dropping')[0]?.status, null)
})

test('forgets requests and behaviour', async () => {
  receiver.behave('forgetful', { status: 500 })
  await send('forgetful')
  await control('DELETE', 'forgetful')
  assert.deepEqual(receiver.requests('forgetful'), [])
  assert.equal((await send('forgetful')).status, 200)
})
