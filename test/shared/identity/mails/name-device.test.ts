import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameDevice } from '#shared/identity/mails/name-device.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

const BROWSERS: Record<string, string> = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox (Linux)',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`]: 'Chrome (Windows)',
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`]:
    'Edge (Windows)',
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/18.5 Safari/605.1.15`]: 'Safari (macOS)',
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} Version/18.5 Mobile/15E148 Safari/604.1`]:
    'Safari (iPhone)',
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${APPLE} CriOS/141.0 Mobile/15E148 Safari/604.1`]:
    'Chrome (iPhone)',
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`]:
    'Samsung Internet (Android)',
}

for (const [userAgent, name] of Object.entries(BROWSERS))
  test(`a user agent of ${name} returns that name`, () => {
    assert.equal(nameDevice(userAgent), name)
  })

test('a user agent other than a browser is its own name, cut to 101 characters', () => {
  assert.equal(nameDevice('curl/8.14.1'), 'curl/8.14.1')
  assert.equal(nameDevice('command line'), 'command line')
  assert.equal(nameDevice('x'.repeat(300)).length, 101)
})
